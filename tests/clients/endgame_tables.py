"""Luft's endgame tables against python-chess's own prober: results and distances of random positions, and of their moves.

Exit status 1 if any answer differs. Without tables there is nothing to compare.
"""

import argparse
import faulthandler
import multiprocessing
import os
import random
import subprocess
import sys
import time

import chess
import chess.syzygy

LONGEST_RUN_SECONDS = 7200.0
# Positions sent before their answers are read: few enough for the pipes to hold.
BATCH = 200
# Positions for one engine.
CHUNK = 1000
# The distances of all moves are compared in one of so many positions: they take python-chess long.
EVERY = 100
MEN = "QRBNP"


def materials():
    """The men beside the kings of every table with three or four men."""
    one = [(man, "") for man in MEN]
    two = [(first + second, "") for i, first in enumerate(MEN) for second in MEN[i:]]
    against = [(first, second) for i, first in enumerate(MEN) for second in MEN[i:]]
    return one + two + against


def random_position(generator, white, black):
    """A legal position with these men and the kings, of either colour and side to move; now and then one in which a pawn
    has just made its double step."""
    if generator.random() < 0.5:
        white, black = black, white
    while True:
        board = chess.Board(None)
        men = "K" + white + "k" + black.lower()
        for square, man in zip(generator.sample(range(64), len(men)), men):
            board.set_piece_at(square, chess.Piece.from_symbol(man))
        board.turn = generator.random() < 0.5
        if "P" in white and "P" in black and generator.random() < 0.3:
            rank = 5 if board.turn else 2
            board.ep_square = chess.square(generator.randrange(8), rank)
        if board.is_valid():
            return board


class Luft:
    """The engine, asked about many positions at once."""

    def __init__(self, path, tables):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        found = self.ask([f"setoption name SyzygyPath value {tables}"])[0]
        assert found.startswith("info string found "), found

    def ask(self, lines):
        """One answer for each line that has one."""
        text = "".join(line + "\n" for line in lines)
        self.process.stdin.write(text + "isready\n")
        self.process.stdin.flush()
        answers = []
        for answer in self.process.stdout:
            if answer == "readyok\n":
                break
            answers.append(answer.strip())
        return answers

    def probe(self, boards):
        """Result, distance, and distances of the moves, for each position."""
        answers = self.ask(line for board in boards for line in (f"position fen {board.fen()}", "syzygy"))
        assert len(answers) == len(boards), answers
        return [self.read(answer) for answer in answers]

    @staticmethod
    def read(answer):
        words = answer.split()
        assert words[:4] == ["info", "string", "syzygy", "wdl"] and words[5] == "dtz", answer
        return int(words[4]), int(words[6]), dict(zip(words[8::2], map(int, words[9::2])))

    def close(self):
        self.process.stdin.close()
        assert self.process.wait(timeout=10) == 0


def distance_after(tables, board, move):
    """The plies to the next capture or pawn move, this one counted, as the table of the position after it says."""
    zeroing = board.is_zeroing(move)
    board.push(move)
    try:
        if board.is_checkmate():
            return 1
        if zeroing:
            return {-2: 1, -1: 101, 0: 0, 1: -101, 2: -1}[tables.probe_wdl(board)]
        plies = -tables.probe_dtz(board)
        return plies + (plies > 0) - (plies < 0)
    finally:
        board.pop()


def differences(tables, board, answer, with_moves):
    wdl, dtz, moves = answer
    expected = tables.probe_wdl(board), tables.probe_dtz(board)
    if (wdl, dtz) != expected and not (board.is_checkmate() and wdl == -2):
        yield f"{board.fen()}: wdl and dtz {wdl} {dtz}, not {expected}"
    if not with_moves:
        return
    if set(moves) != {move.uci() for move in board.legal_moves}:
        yield f"{board.fen()}: moves {sorted(moves)}"
        return
    for move in board.legal_moves:
        plies = distance_after(tables, board, move)
        if moves[move.uci()] != plies:
            yield f"{board.fen()} {move}: dtz {moves[move.uci()]}, not {plies}"


def compare(job):
    """The differences in a chunk of positions; each has its own engine and its own seed."""
    path, folder, seed = job
    generator = random.Random(seed)
    kinds = materials()
    luft = Luft(path, folder)
    found = []
    with chess.syzygy.open_tablebase(folder) as tables:
        for first in range(0, CHUNK, BATCH):
            boards = [random_position(generator, *kinds[i % len(kinds)]) for i in range(first, first + BATCH)]
            for board, answer in zip(boards, luft.probe(boards)):
                found.extend(differences(tables, board, answer, generator.randrange(EVERY) == 0))
    luft.close()
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True, help="path of the engine")
    parser.add_argument("--tables", required=True, help="folder with the tables of three and four men")
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if not os.path.isdir(arguments.tables):
        print(f"no tables in {arguments.tables}: nothing compared")
        return
    faulthandler.dump_traceback_later(LONGEST_RUN_SECONDS, exit=True)
    begun = time.monotonic()
    chunks = range(arguments.seed * 1_000_000, arguments.seed * 1_000_000 + -(-arguments.positions // CHUNK))
    done, found = 0, []
    with multiprocessing.Pool() as pool:
        for faults in pool.imap_unordered(compare, [(arguments.engine, arguments.tables, seed) for seed in chunks]):
            done += CHUNK
            found.extend(faults)
            if done % (10 * CHUNK) == 0:
                print(f"{done} positions, {len(found)} differences, {time.monotonic() - begun:.0f} s", flush=True)
    print("\n".join(found[:20]))
    print(f"{done} positions of {len(materials())} tables, {len(found)} differences")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
