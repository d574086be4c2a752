"""What clients that are lists of checks have in common: every check is a function, every failure a line."""

import argparse
import contextlib
import faulthandler
import logging
import subprocess
import sys
import traceback

import chess.engine

from complaints import Complaints

FAILURES = (AssertionError, OSError, chess.engine.EngineError, subprocess.SubprocessError)


def engine_path(description, longest_run_seconds):
    """The engine of the command line. The client ends with a trace of all threads if it takes longer than that."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True, help="path of the engine")
    path = parser.parse_args().engine
    faulthandler.dump_traceback_later(longest_run_seconds, exit=True)
    return path


@contextlib.contextmanager
def complaints_of_python_chess():
    """What python-chess logs meanwhile, instead of its printing it."""
    complaints = Complaints()
    logger = logging.getLogger("chess.engine")
    logger.propagate = False
    logger.addHandler(complaints)
    yield complaints
    logger.removeHandler(complaints)


def run_check(check, *arguments, complaints=None):
    """Whether the check passes, with nothing complained of meanwhile."""
    heard = complaints.texts if complaints else []
    heard.clear()
    try:
        check(*arguments)
        problem = "; ".join(heard)
    except FAILURES:
        problem = traceback.format_exc()
    print(f"{'failed' if problem else 'passed'}: {check.__name__.replace('_', ' ')}")
    if problem:
        print(problem)
    return not problem


def end(passed):
    """Ends the client with what the checks have come to."""
    print(f"{sum(passed)} of {len(passed)} checks passed")
    sys.exit(0 if all(passed) else 1)
