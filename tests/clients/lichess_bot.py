"""Luft as lichess-bot uses it: the options of the configuration in src/uci/clients/lichess-bot.yml, the opponent told, games
by the clock with pondering, standard and Chess960, chances of win, draw and loss, the result told. lichess-bot talks to
engines through python-chess, and so does this. Exit status 1 if any check fails.
"""

import os
import re
import time

import chess
import chess.engine

from checks import complaints_of_python_chess, end, engine_path, run_check

HANG_SECONDS = 60.0
LONGEST_RUN_SECONDS = 600.0
CONFIGURATION = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "uci", "clients", "lichess-bot.yml")
# What config.yml.default of lichess-bot sets for every engine.
DEFAULTS = {"Move Overhead": 100, "Threads": 2, "Hash": 256}
SECONDS, INCREMENT, MOVES = 2.0, 0.05, 14


def options_of_configuration():
    """The lines below `uci_options`."""
    with open(CONFIGURATION, encoding="utf-8") as file:
        block = re.search(r"^  uci_options:\n((?:    .*\n)+)", file.read(), re.MULTILINE)
    pairs = (line.split("#")[0].split(":", 1) for line in block.group(1).splitlines())
    return {name.strip(): value.strip() for name, value in pairs}


def configure(engine):
    options = DEFAULTS | options_of_configuration()
    missing = [name for name in options if name not in engine.options]
    assert not missing, f"no options {missing}"
    # A build that searches with fewer threads says so by its range.
    threads = engine.options["Threads"]
    options["Threads"] = min(int(options["Threads"]), threads.max)
    engine.configure(options)
    engine.ping()


def tell_the_opponent(engine):
    assert "UCI_Opponent" in engine.options
    opponents = [chess.engine.Opponent("Magnus", "GM", 2850, False), chess.engine.Opponent("Maia 1", "BOT", 1500, True),
                 chess.engine.Opponent(None, None, None, None)]
    for opponent in opponents:
        engine.send_opponent_information(opponent=opponent, engine_rating=2000)
        engine.ping()


def play(engine, board):
    """Luft with White against replies that are now expected, now not."""
    game, clock = object(), SECONDS
    for number in range(MOVES):
        limit = chess.engine.Limit(white_clock=clock, black_clock=clock, white_inc=INCREMENT, black_inc=INCREMENT)
        begun = time.monotonic()
        answer = engine.play(board, limit, game=game, ponder=True, info=chess.engine.INFO_ALL, draw_offered=number % 4 == 3)
        clock += INCREMENT - (time.monotonic() - begun)
        assert clock > 0, "lost on time"
        assert answer.move in board.legal_moves, answer.move
        chances = answer.info.get("wdl")
        assert chances is not None and sum(chances.relative) == 1000, answer.info
        board.push(answer.move)
        if board.is_game_over():
            break
        replies = sorted(board.legal_moves, key=chess.Move.uci)
        hit = answer.ponder is not None and number % 3 != 2
        time.sleep(0.05)
        board.push(answer.ponder if hit else replies[number % len(replies)])
        if board.is_game_over():
            break
    engine.send_game_result(board)
    engine.ping()


def a_standard_game(engine):
    play(engine, chess.Board())


def a_chess960_game(engine):
    play(engine, chess.Board.from_chess960_pos(111))


def a_game_from_a_position(engine):
    play(engine, chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"))


def further_limits_of_go(engine):
    """`go_commands` of the configuration: limits beside the clock."""
    limit = chess.engine.Limit(white_clock=600, black_clock=600, nodes=3000, depth=30, time=60)
    answer = engine.play(chess.Board(), limit, info=chess.engine.INFO_ALL)
    assert answer.info["nodes"] <= 3001 * max(1, engine.options["Threads"].default), answer.info


CHECKS = [configure, tell_the_opponent, a_standard_game, a_chess960_game, a_game_from_a_position, further_limits_of_go]


def main():
    path = engine_path(__doc__, LONGEST_RUN_SECONDS)
    with complaints_of_python_chess() as complaints:
        with chess.engine.SimpleEngine.popen_uci(path, timeout=HANG_SECONDS) as engine:
            passed = [run_check(check, engine, complaints=complaints) for check in CHECKS]
    end(passed)


if __name__ == "__main__":
    main()
