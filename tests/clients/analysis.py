"""Luft as analysis programs use it, through python-chess: every check is a function, every failure a line.

Exit status 1 if any check fails.
"""

import subprocess
import time

import chess
import chess.engine

from checks import complaints_of_python_chess, end, engine_path, run_check

# No answer may take longer; it guards against hanging only.
HANG_SECONDS = 60.0
LONGEST_RUN_SECONDS = 600.0
MIDDLEGAME = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
MANY_MOVES = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"
MATE_IN_TWO = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"


def check_lines(board, infos, count):
    """So many lines of one depth with different first moves, legal to their ends, the best first."""
    assert len(infos) == count, f"{len(infos)} lines"
    assert len({info["depth"] for info in infos}) == 1, "lines of different depths"
    assert len({info["pv"][0] for info in infos}) == count, "a first move twice"
    scores = [info["score"].relative for info in infos]
    assert all(better >= worse for better, worse in zip(scores, scores[1:])), f"not in order: {scores}"
    for info in infos:
        after = board.copy()
        for index, move in enumerate(info["pv"]):
            assert move in after.legal_moves, f"{move} in {after.fen()}"
            assert index == 0 or not (after.is_game_over() or after.is_repetition(3)), f"{info['pv']} goes on too long"
            after.push(move)


def infinite_analysis_with_three_lines(engine):
    board = chess.Board(MIDDLEGAME)
    with engine.analysis(board, multipv=3) as analysis:
        time.sleep(0.7)
        begun = time.monotonic()
        analysis.stop()
        best = analysis.wait()
        assert time.monotonic() - begun < 2.0, "slow to stop"
        check_lines(board, analysis.multipv, 3)
        assert best.move == analysis.multipv[0]["pv"][0], "another move than the first line"


def positions_one_after_the_other(engine):
    """As a person steps through a game: each analysis is broken off by the next."""
    board = chess.Board()
    for text in "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5".split():
        with engine.analysis(board, multipv=2) as analysis:
            time.sleep(0.03)
            analysis.stop()
            analysis.wait()
        check_lines(board, analysis.multipv, 2)
        board.push_uci(text)


def options(engine):
    names = ["Hash", "Threads", "Clear Hash", "Ponder", "MultiPV", "Move Overhead", "nodestime", "UCI_Chess960", "UCI_ShowWDL",
             "UCI_AnalyseMode", "UCI_Opponent", "UCI_EngineAbout", "EvalFile", "Debug Log File"]
    missing = [name for name in names if name not in engine.options]
    assert not missing, f"no options {missing}"
    engine.configure({"Hash": 32, "Move Overhead": 50, "Threads": 1})
    engine.configure({"Clear Hash": None})
    engine.configure({"Hash": 16, "Move Overhead": 20})
    engine.ping()


def limit_of_depth(engine):
    info = engine.analyse(chess.Board(), chess.engine.Limit(depth=8))
    assert info["depth"] == 8 and info["pv"], info


def limit_of_nodes(engine):
    for nodes in (1, 100, 5000):
        info = engine.analyse(chess.Board(MIDDLEGAME), chess.engine.Limit(nodes=nodes))
        assert info["nodes"] <= nodes + 1, info


def limit_of_mate(engine):
    board = chess.Board(MATE_IN_TWO)
    info = engine.analyse(board, chess.engine.Limit(mate=2))
    assert info["score"].relative == chess.engine.Mate(2) and len(info["pv"]) == 3, info
    for move in info["pv"]:
        board.push(move)
    assert board.is_checkmate(), board.fen()


def limit_of_time(engine):
    begun = time.monotonic()
    engine.analyse(chess.Board(), chess.engine.Limit(time=0.3))
    used = time.monotonic() - begun
    assert 0.2 < used < 2.3, f"{used} s"


def wanted_moves(engine):
    board = chess.Board()
    moves = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
    infos = engine.analyse(board, chess.engine.Limit(depth=5), multipv=5, root_moves=moves)
    check_lines(board, infos, 2)
    assert {info["pv"][0] for info in infos} == set(moves)


def chances(engine):
    """With UCI_ShowWDL every line tells the chances, which agree with its score; without it none does."""
    engine.configure({"UCI_ShowWDL": True})
    infos = engine.analyse(chess.Board(MIDDLEGAME), chess.engine.Limit(depth=7), multipv=5)
    for info in infos:
        told = info["wdl"].relative
        assert sum(told) == 1000, told
        score = info["score"].relative.score(mate_score=100_000)
        assert (told.wins - told.losses) * score >= 0, info
    engine.configure({"UCI_ShowWDL": False})
    assert "wdl" not in engine.analyse(chess.Board(), chess.engine.Limit(depth=3))


def limits_together(engine):
    """Whatever is reached first ends the search."""
    info = engine.analyse(chess.Board(), chess.engine.Limit(time=60, depth=40, nodes=2000))
    assert info["nodes"] <= 2001, info
    info = engine.analyse(chess.Board(), chess.engine.Limit(white_clock=600, black_clock=600, depth=4, nodes=10**9, mate=1))
    assert info["depth"] == 4, info


def many_moves(engine):
    board = chess.Board(MANY_MOVES)
    assert board.legal_moves.count() == 218
    check_lines(board, engine.analyse(board, chess.engine.Limit(depth=2), multipv=218), 218)


def chess960(engine):
    for number in (0, 300, 518, 959):
        board = chess.Board.from_chess960_pos(number)
        check_lines(board, engine.analyse(board, chess.engine.Limit(depth=7), multipv=3), 3)
    board = chess.Board("1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R3K1R w HBhb - 0 1", chess960=True)
    for text in ("f1h1", "f1b1"):
        move = chess.Move.from_uci(text)
        assert board.is_castling(move)
        answer = engine.play(board, chess.engine.Limit(depth=4), root_moves=[move])
        assert answer.move == move, answer.move
    # Standard chess afterwards, with castling as the king's two squares again.
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    answer = engine.play(board, chess.engine.Limit(depth=4), root_moves=[chess.Move.from_uci("e1g1")])
    assert answer.move.uci() == "e1g1", answer.move


def the_end_of_the_game(engine):
    mated = chess.Board("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
    stalemate = chess.Board("7k/5Q2/8/8/8/8/8/K7 b - - 0 1")
    for board, score in ((mated, chess.engine.Mate(0)), (stalemate, chess.engine.Cp(0))):
        info = engine.analyse(board, chess.engine.Limit(depth=3))
        assert info["score"].relative == score, info
        assert "pv" not in info or not info["pv"]


def a_game_with_pondering(engine):
    """The opponent plays the expected move in two of three cases."""
    board = chess.Board()
    limit = chess.engine.Limit(white_clock=2.0, black_clock=2.0, white_inc=0.05, black_inc=0.05)
    game = object()
    for number in range(8):
        answer = engine.play(board, limit, game=game, ponder=True, info=chess.engine.INFO_ALL)
        assert answer.move in board.legal_moves, answer.move
        board.push(answer.move)
        time.sleep(0.03)
        replies = sorted(board.legal_moves, key=chess.Move.uci)
        hit = answer.ponder is not None and number % 3 != 2
        board.push(answer.ponder if hit else replies[number % len(replies)])
    engine.ping()


def a_new_game_every_time(engine):
    for _ in range(5):
        answer = engine.play(chess.Board(), chess.engine.Limit(depth=3), game=object())
        assert answer.move in chess.Board().legal_moves


def the_end_of_input(path):
    """When the program that uses the engine dies, the engine answers what it owes, and goes."""
    for text in ("go infinite\n", "go ponder wtime 60000\n", "isready\n", "go wtime 3600000\nposition startpos\ngo infinite\n"):
        done = subprocess.run([path], input=text, capture_output=True, text=True, timeout=HANG_SECONDS, check=False)
        assert done.returncode == 0 and done.stderr == "", done
        assert done.stdout.count("bestmove") == text.count("go "), done.stdout


CHECKS = [
    infinite_analysis_with_three_lines,
    positions_one_after_the_other,
    options,
    limit_of_depth,
    limit_of_nodes,
    limit_of_mate,
    limit_of_time,
    limits_together,
    wanted_moves,
    chances,
    many_moves,
    chess960,
    the_end_of_the_game,
    a_game_with_pondering,
    a_new_game_every_time,
]


def main():
    path = engine_path(__doc__, LONGEST_RUN_SECONDS)
    with complaints_of_python_chess() as complaints:
        with chess.engine.SimpleEngine.popen_uci(path, timeout=HANG_SECONDS) as engine:
            passed = [run_check(check, engine, complaints=complaints) for check in CHECKS]
        passed.append(run_check(the_end_of_input, path, complaints=complaints))
    end(passed)


if __name__ == "__main__":
    main()
