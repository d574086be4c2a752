"""How many positions with known solutions engines solve in a fixed time each, all on the same positions in turn.

A position is solved when the move played at the end is a best move of the file (`bm`), or none of its moves to avoid
(`am`). One thread each, nothing else running on the machine: the numbers are for comparison within one run.
"""

import argparse
import contextlib
import statistics
import sys

import chess
import chess.engine


def read_positions(path):
    """The positions of an EPD file with their operations."""
    positions = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                board = chess.Board()
                operations = board.set_epd(line.strip())
                if "bm" not in operations and "am" not in operations:
                    sys.exit(f"neither bm nor am: {line.strip()}")
                positions.append((board, operations))
    return positions


def is_solution(move, operations):
    """Whether a move is what the file asks for."""
    if "bm" in operations:
        return move in operations["bm"]
    return move not in operations["am"]


class Contestant:
    """An engine and what it has solved."""

    def __init__(self, path, hash_mib):
        self.engine = chess.engine.SimpleEngine.popen_uci(path)
        self.name = self.engine.id.get("name", path)
        self.solved = []
        self.seconds = []
        self.hash_mib = hash_mib

    def configure(self):
        """One thread, and a table of the size that all have."""
        wanted = {"Hash": self.hash_mib, "Threads": 1}
        self.engine.configure({name: value for name, value in wanted.items() if name in self.engine.options})

    def try_position(self, board, operations, seconds):
        """Searches a position; notes whether the answer is right, and when it was first found for good."""
        found_at = None
        with self.engine.analysis(board, chess.engine.Limit(time=seconds), game=object()) as analysis:
            for info in analysis:
                if info.get("pv") and "time" in info:
                    right = is_solution(info["pv"][0], operations)
                    found_at = (found_at if found_at is not None else info["time"]) if right else None
            best = analysis.wait().move
        solved = best is not None and is_solution(best, operations)
        self.solved.append(solved)
        if solved and found_at is not None:
            self.seconds.append(found_at)
        return solved


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", action="append", required=True, help="path of an engine; may be given again")
    parser.add_argument("--positions", required=True, help="EPD file with bm or am")
    parser.add_argument("--time", type=float, default=1.0, help="seconds for each position")
    parser.add_argument("--hash", type=int, default=64, help="MiB of each engine")
    arguments = parser.parse_args()
    positions = read_positions(arguments.positions)
    with contextlib.ExitStack() as stack:
        contestants = []
        for path in arguments.engine:
            contestant = Contestant(path, arguments.hash)
            stack.callback(contestant.engine.quit)
            contestant.configure()
            contestants.append(contestant)
        for number, (board, operations) in enumerate(positions, 1):
            marks = ["+" if each.try_position(board, operations, arguments.time) else "-" for each in contestants]
            print(f"{number:4} {' '.join(marks)}  {operations.get('id', '')}", file=sys.stderr, flush=True)
    for each in contestants:
        median = statistics.median(each.seconds) if each.seconds else float("nan")
        print(f"{each.name:24} {sum(each.solved)} of {len(positions)} solved, half of these by {median:.2f} s")


if __name__ == "__main__":
    main()
