"""Luft against itself through python-chess, which keeps the clock, the rules and the protocol.

A game fails when the engine breaks the protocol, plays an illegal move, oversteps its clock, judges the end of the game
in another way than python-chess does, or announces what cannot be. Exit status 1 if any game fails.

On a machine that has other work, processes wait for a processor, and no engine can help that. Where the system counts
these waits (Linux), a loss on time is told apart: with --busy-machine it is no failure if the last move would have been in
time without the waits, and they were long in that game.
"""

import argparse
import collections
import dataclasses
import glob
import logging
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import time

import chess
import chess.engine

from complaints import Complaints

# A command that is answered this late has hung, and so has a game without a result after this time.
HANG_SECONDS = 30.0
GAME_HANG_SECONDS = 300.0
# A side that waited longer than this for a processor in a game was robbed of its time.
STARVED_SECONDS = 0.2
STANDARD_PLIES = (6, 7, 8)
# Longer games end as draws here, so that a run is bounded.
LONGEST_GAME_PLIES = 600


@dataclasses.dataclass
class Start:
    """How one game begins."""

    number: int
    fen: str
    chess960: bool


@dataclasses.dataclass
class Played:
    """What one game came to."""

    number: int
    chess960: bool = False
    fen: str = ""
    plies: int = 0
    result: str = ""
    ending: str = ""
    failures: list = dataclasses.field(default_factory=list)
    # Seconds of each move between the clock here and the engine's own log: pipes, scheduling, python.
    lost_seconds: list = dataclasses.field(default_factory=list)
    least_clock: float = float("inf")
    # Seconds that the side to move and this program waited for a processor.
    waited_seconds: float = 0.0
    starved: str = ""
    mates_announced: int = 0
    mates_carried_out: int = 0


def play_random_moves(board, generator, plies):
    """Plays so many random moves; false if the game ended on the way or is too one-sided to tell anything."""
    for _ in range(plies):
        moves = sorted(board.legal_moves, key=chess.Move.uci)
        if not moves:
            return False
        board.push(generator.choice(moves))
    return not board.is_game_over()


def starts_of(arguments):
    """The start positions of all games: Chess960 ones first, the rest from the book or from random moves."""
    generator = random.Random(arguments.seed)
    book = []
    if arguments.book:
        with open(arguments.book, encoding="utf-8") as lines:
            book = [chess.Board.from_epd(line)[0].fen() for line in lines if line.strip() and line[0] != "#"]
        generator.shuffle(book)
    starts = []
    while len(starts) < arguments.games:
        number = len(starts)
        chess960 = number < arguments.chess960
        if book and not chess960:
            starts.append(Start(number, book[number % len(book)], False))
            continue
        board = chess.Board.from_chess960_pos(generator.randrange(960)) if chess960 else chess.Board()
        if play_random_moves(board, generator, generator.choice(STANDARD_PLIES)):
            starts.append(Start(number, board.fen(), chess960))
    return starts


def end_of(board):
    """The end of the game by the laws, as Luft's `d` words it; none while it goes on."""
    if board.is_checkmate():
        return "checkmate, " + ("Black" if board.turn else "White") + " wins"
    if board.is_stalemate():
        return "draw by stalemate"
    if board.is_insufficient_material():
        return "draw, neither side can mate"
    if board.is_fifty_moves():
        return "draw by the fifty-move rule"
    if board.is_repetition(3):
        return "draw by threefold repetition"
    return None


def states_by_engine(path, board):
    """What Luft says of the position before the last move and of the last one."""
    root = board.root()
    # Spelled where they are played: elsewhere a rook's move may look like castling.
    moves, walk = [], root.copy()
    for move in board.move_stack:
        moves.append(walk.uci(move))
        walk.push(move)
    commands = [f"setoption name UCI_Chess960 value {str(board.chess960).lower()}"]
    for count in (len(moves) - 1, len(moves)):
        commands += [f"position fen {root.fen(en_passant='fen')} moves {' '.join(moves[:count])}", "d"]
    output = subprocess.run([path, *commands], capture_output=True, text=True, timeout=HANG_SECONDS, check=False).stdout
    return [line.removeprefix("State: ") for line in output.splitlines() if line.startswith("State: ")]


def seconds_waited(process):
    """How long the threads of a process (a number or `self`) have waited for a processor; 0 where nobody counts it."""
    total = 0
    for path in glob.glob(f"/proc/{process}/task/*/schedstat"):
        try:
            with open(path, encoding="ascii") as counts:
                total += int(counts.read().split()[1])
        except (OSError, IndexError):
            pass  # The thread has ended, or the system does not count.
    return total / 1e9


def seconds_by_log(path):
    """The time on the engine's own clock of each move in a debug log: from `go` or `ponderhit` to `bestmove`."""
    begun, seconds = None, []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            stamp, _, text = line.strip().partition(" ")
            if text.startswith(">> go "):
                begun = None if text.startswith(">> go ponder") else float(stamp)
            elif text == ">> ponderhit":
                begun = float(stamp)
            elif text.startswith("<< bestmove ") and begun is not None:
                seconds.append(float(stamp) - begun)
    return seconds


class GamePlayer:
    """Plays one game between two processes of the engine."""

    def __init__(self, start, arguments):
        self.arguments = arguments
        self.board = chess.Board(start.fen, chess960=start.chess960)
        self.played = Played(start.number, start.chess960, start.fen)
        self.used = {chess.WHITE: [], chess.BLACK: []}
        self.waited = {chess.WHITE: [], chess.BLACK: []}
        self.clock = {chess.WHITE: arguments.time, chess.BLACK: arguments.time}
        self.moves_to_go = {chess.WHITE: arguments.moves, chess.BLACK: arguments.moves}
        # The last exact score of each side, in the view of that side.
        self.scores = {}
        self.complaints = Complaints()

    def fail(self, text):
        self.played.failures.append(f"ply {self.board.ply()}: {text}")

    def play(self):
        logger = logging.getLogger("chess.engine")
        logger.propagate = False
        logger.addHandler(self.complaints)
        engines = {}
        with tempfile.TemporaryDirectory() as folder:
            logs = {color: os.path.join(folder, chess.COLOR_NAMES[color]) for color in chess.COLORS}
            try:
                for color in chess.COLORS:
                    engines[color] = chess.engine.SimpleEngine.popen_uci(self.arguments.engine, timeout=HANG_SECONDS)
                    # python-chess sets Ponder itself, as each move is asked for with pondering or without.
                    engines[color].configure({"Hash": self.arguments.hash, "Debug Log File": logs[color]})
                self.play_moves(engines)
            except (chess.engine.EngineError, TimeoutError) as error:
                self.fail(f"{type(error).__name__}: {error}")
            finally:
                for engine in engines.values():
                    self.dismiss(engine)
                logger.removeHandler(self.complaints)
            self.compare_clocks(logs)
        self.played.failures += [f"python-chess: {text}" for text in self.complaints.texts]
        self.played.plies = len(self.board.move_stack)
        if not self.played.failures and self.played.ending not in ("too long", "time"):
            self.compare_judgement()
        return self.played

    def dismiss(self, engine):
        try:
            engine.quit()
            status = engine.protocol.returncode.result()
            if status != 0:
                self.fail(f"exit status {status}")
        except (chess.engine.EngineError, TimeoutError) as error:
            self.fail(f"{type(error).__name__} at the end: {error}")
        engine.close()

    def compare_clocks(self, logs):
        """How long each move took by the engine's own log; tells an engine that thinks too long from a busy machine."""
        for color, path in logs.items():
            thought = seconds_by_log(path) if os.path.exists(path) else []
            self.played.lost_seconds += [used - own for used, own in zip(self.used[color], thought)]
            if self.clock[color] < 0 and thought:
                self.judge_time(color, thought[-1])
        self.played.waited_seconds = sum(sum(waits) for waits in self.waited.values())

    def judge_time(self, color, thought):
        """A loss on time: the engine's fault or the machine's."""
        used, last_wait, all_waits = self.used[color][-1], self.waited[color][-1], sum(self.waited[color])
        left = self.clock[color] + used
        text = (f"time: {used:.4f} s used of {left:.4f}, {thought:.4f} by the engine's log, {last_wait:.4f} waiting for a "
                f"processor ({all_waits:.4f} in the game)")
        if used - last_wait <= left and all_waits > STARVED_SECONDS:
            self.played.starved = text
        else:
            self.fail(text)

    def play_moves(self, engines):
        game = object()
        while True:
            ending = end_of(self.board)
            if ending is not None:
                self.finish(ending)
                return
            if len(self.board.move_stack) >= LONGEST_GAME_PLIES:
                self.played.result, self.played.ending = "1/2-1/2", "too long"
                return
            if not self.play_move(engines[self.board.turn], game):
                return

    def play_move(self, engine, game):
        """One move by the clock; false if it ends the game at once."""
        board, mover = self.board, self.board.turn
        increment = self.arguments.increment
        limit = chess.engine.Limit(
            white_clock=max(self.clock[chess.WHITE], 0.001),
            black_clock=max(self.clock[chess.BLACK], 0.001),
            white_inc=increment,
            black_inc=increment,
        )
        if self.arguments.moves:
            limit.remaining_moves = self.moves_to_go[mover]
        waited = self.waits_now(engine)
        begun = time.perf_counter()
        answer = engine.play(board, limit, game=game, info=chess.engine.INFO_ALL, ponder=self.arguments.ponder)
        used = time.perf_counter() - begun
        self.clock[mover] -= used
        self.played.least_clock = min(self.played.least_clock, self.clock[mover])
        self.used[mover].append(used)
        self.waited[mover].append(self.waits_now(engine) - waited)
        if answer.move is None or answer.move not in board.legal_moves:
            self.fail(f"move {answer.move} in {board.fen()}")
            return False
        if self.clock[mover] < 0:
            self.played.result, self.played.ending = "0-1" if mover else "1-0", "time"
            return False
        self.clock[mover] += increment
        self.count_move(mover)
        self.check_answer(answer)
        board.push(answer.move)
        self.check_immediate_end(mover)
        return True

    def count_move(self, mover):
        """A period of so many moves goes to its end, and the next brings its time."""
        if not self.arguments.moves:
            return
        self.moves_to_go[mover] -= 1
        if self.moves_to_go[mover] == 0:
            self.moves_to_go[mover] = self.arguments.moves
            self.clock[mover] += self.arguments.time

    @staticmethod
    def waits_now(engine):
        return seconds_waited(engine.transport.get_pid()) + seconds_waited("self")

    def check_answer(self, answer):
        """What the engine tells of the move it is about to play."""
        board, info = self.board, answer.info
        if answer.ponder is not None:
            after = board.copy(stack=False)
            after.push(answer.move)
            if answer.ponder not in after.legal_moves:
                self.fail(f"ponder move {answer.ponder} after {answer.move} in {board.fen()}")
        score = info.get("score")
        self.scores.pop(board.turn, None)
        if score is None or info.get("lowerbound") or info.get("upperbound") or not info.get("depth"):
            return
        line = info.get("pv", [])
        if line[:1] != [answer.move]:
            self.fail(f"line begins with {line[:1]}, move is {answer.move}")
        score = score.relative
        self.scores[board.turn] = score
        if score.is_mate() and score.mate() > 0:
            self.played.mates_announced += 1
            other = self.scores.get(not board.turn)
            if other is not None and other.is_mate() and other.mate() > 0:
                self.fail(f"both sides announce a mate in {board.fen()}")

    def check_immediate_end(self, mover):
        """A move that ends the game must have been announced as what it is."""
        ending, score = end_of(self.board), self.scores.get(mover)
        if score is None:
            return
        if score == chess.engine.Mate(1) and not self.board.is_checkmate():
            self.fail(f"mate in 1 announced, {ending} comes")
        if ending is None:
            return
        if ending.startswith("checkmate"):
            if score != chess.engine.Mate(1):
                self.fail(f"{score} announced, mate comes")
            self.played.mates_carried_out += 1
        elif score != chess.engine.Cp(0):
            self.fail(f"{score} announced, {ending} comes")

    def finish(self, ending):
        self.played.ending = ending
        if ending.startswith("checkmate"):
            self.played.result = "1-0" if "White" in ending else "0-1"
        else:
            self.played.result = "1/2-1/2"

    def compare_judgement(self):
        states = states_by_engine(self.arguments.engine, self.board)
        if len(states) != 2:
            self.fail("the engine does not show the end of the game")
            return
        before, last = states
        if last != self.played.ending:
            self.fail(f"the engine says '{last}', python-chess '{self.played.ending}'")
        if before not in ("check", "in play"):
            self.fail(f"the engine says '{before}' one move before the end")


def play_game(task):
    start, arguments = task
    return GamePlayer(start, arguments).play()


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0


def summarize(games, seconds):
    endings = collections.Counter(game.ending for game in games)
    results = collections.Counter(game.result for game in games)
    lost = [value * 1000 for game in games for value in game.lost_seconds]
    print(f"{len(games)} games ({sum(game.chess960 for game in games)} Chess960) in {seconds:.0f} s, "
          f"{sum(game.plies for game in games)} plies")
    print("results: " + ", ".join(f"{result or 'none'} {count}" for result, count in sorted(results.items())))
    for ending, count in endings.most_common():
        print(f"  {count:4d} {ending or 'broken off'}")
    print(f"between this clock and the engine's log, ms a move: median {percentile(lost, 0.5):.1f}, "
          f"99% {percentile(lost, 0.99):.1f}, most {max(lost, default=0.0):.1f}")
    print(f"least on a clock after a move: {min(game.least_clock for game in games) * 1000:.1f} ms")
    print(f"moves with a mate announced: {sum(game.mates_announced for game in games)}, "
          f"mates given: {sum(game.mates_carried_out for game in games)}")
    print(f"waiting for a processor: {sum(game.waited_seconds for game in games):.1f} s in all")
    starved = [game for game in games if game.starved]
    for game in starved:
        print(f"game {game.number} starved: {game.starved}")
    failed = [game for game in games if game.failures]
    for game in failed:
        print(f"game {game.number} from {game.fen}:")
        for text in game.failures:
            print(f"  {text}")
    print(f"{sum(len(game.failures) for game in games)} failures in {len(failed)} games, "
          f"{endings['time']} losses on time, {len(starved)} of them for want of a processor")
    return not failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True, help="path of the engine")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--chess960", type=int, default=50, help="how many of the games are Chess960")
    parser.add_argument("--time", type=float, default=0.5, help="seconds for each side")
    parser.add_argument("--increment", type=float, default=0.01, help="seconds for each move")
    parser.add_argument("--moves", type=int, default=0, help="the time is for so many moves, and then comes again; 0: for all")
    parser.add_argument("--ponder", action="store_true", help="both sides think on the other's time, too")
    parser.add_argument("--concurrency", type=int, default=1, help="games at the same time")
    parser.add_argument("--hash", type=int, default=8, help="MiB for each engine")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--busy-machine", action="store_true",
                        help="losses on time that waiting for a processor explains are told, but are no failures")
    parser.add_argument("--book", help="file of start positions, one FEN or EPD a line, instead of random moves")
    arguments = parser.parse_args()
    begun = time.monotonic()
    tasks = [(start, arguments) for start in starts_of(arguments)]
    # Processes and not threads: python's lock would let one game wait for another on its own clock.
    with multiprocessing.Pool(arguments.concurrency) as pool:
        played = pool.imap_unordered(play_game, tasks)
        games = [played.next(GAME_HANG_SECONDS) for _ in tasks]
    games.sort(key=lambda game: game.number)
    passed = summarize(games, time.monotonic() - begun)
    forgiven = arguments.busy_machine or not any(game.starved for game in games)
    sys.exit(0 if passed and forgiven else 1)


if __name__ == "__main__":
    main()
