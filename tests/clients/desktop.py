"""Luft in programs for a desktop, driven for real on a display that nobody sees: polyglot solves positions, XBoard plays a
game of two Lufts through polyglot, PyChess analyses a game. Exit status 1 if any check fails.

Needs polyglot, xboard, pychess, Xvfb and xdotool.
"""

import functools
import hashlib
import json
import os
import shlex
import subprocess
import tempfile
import time

import chess
import chess.pgn

from checks import end, engine_path, run_check

# Waits guard against hanging only; they are long because machines that test are busy.
HANG_SECONDS = 240.0
LONGEST_RUN_SECONDS = 900.0
POLYGLOT = "/usr/games/polyglot"
XBOARD = "/usr/games/xboard"
PYCHESS = "/usr/games/pychess"

POSITIONS = """6k1/5ppp/8/8/8/8/8/K3R3 w - - bm Re8#; id "a mate in one";
kbK5/pp6/1P6/8/8/8/8/R7 w - - bm Ra6; id "a mate in two";
3q3k/8/8/8/8/8/8/3R3K w - - bm Rxd8+; id "a queen";
8/P1k5/8/8/8/8/8/K7 w - - bm a8=Q; id "a promotion";
"""
GAME = """[Event "?"]
[Site "?"]
[Date "2026.01.01"]
[Round "?"]
[White "White"]
[Black "Black"]
[Result "*"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 *
"""
GAME_IN_UCI = "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1"
# Where the only game stands in the list of games that PyChess shows, from the corner of its window.
FIRST_ROW = ("80", "148")


class Display:
    """An X server without a screen, gone at the end."""

    def __enter__(self):
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x900x24", "-nolisten", "tcp"],
            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as number:
            self.name = ":" + number.readline().strip()
        return self

    def __exit__(self, *_):
        end_process(self.server)


def end_process(process):
    """Ends a child of ours, if it has not ended itself."""
    process.terminate()
    try:
        process.wait(10.0)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def wait_until(happened, process, what, between=0.5):
    """Waits until something has happened while the process runs."""
    limit = time.monotonic() + HANG_SECONDS
    while not happened():
        assert process.poll() is None, f"ended with status {process.returncode} before {what}"
        assert time.monotonic() < limit, f"no {what}"
        time.sleep(between)


def text_of(path):
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def start(command, folder, display, path):
    """Starts a program with a home of its own, so that nothing of the user's is read or changed, and with this path."""
    environment = dict(os.environ, HOME=folder, XDG_CONFIG_HOME=os.path.join(folder, ".config"), DISPLAY=display.name)
    environment["PATH"] = path
    with open(os.path.join(folder, "output"), "w", encoding="utf-8") as output:
        return subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output)


def listening(engine, folder):
    """A program that is the engine and keeps what it is told and says in files beside it."""
    path = os.path.join(folder, "luft-listening")
    heard, said = os.path.join(folder, "heard"), os.path.join(folder, "said")
    line = f"tee -a {shlex.quote(heard)} | {shlex.quote(engine)} | tee -a {shlex.quote(said)}"
    with open(path, "w", encoding="utf-8") as script:
        script.write(f"#!/bin/sh\n{line}\n")
    os.chmod(path, 0o755)
    return path, heard, said


# Where XBoard takes endgame tables to be, unless told otherwise: an engine that finds none there says so.
XBOARD_TABLES = "option SyzygyPath: cannot read the folder '/EGT/"


def check_said(text):
    """Nothing was refused, and every line about a search is one."""
    errors = [line for line in text.splitlines() if line.startswith("info string error") and XBOARD_TABLES not in line]
    assert not errors, errors[:5]
    assert "info depth" in text, "no search"


def polyglot_solves_positions(engine, folder, _display):
    path = os.path.join(folder, "positions.epd")
    with open(path, "w", encoding="utf-8") as file:
        file.write(POSITIONS)
    command = [POLYGLOT, "-noini", "-ec", engine, "-uci", "Hash=8", "epd-test", "-epd", path, "-min-depth", "1", "-max-time", "2"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=HANG_SECONDS, check=False)
    count = POSITIONS.count("bm ")
    assert f"score={count}/{count} " in done.stdout, done.stdout + done.stderr


def xboard_plays_a_game_through_polyglot(engine, folder, display):
    path, heard, said = listening(engine, folder)
    games, log = os.path.join(folder, "games.pgn"), os.path.join(folder, "xboard.debug")
    # With UCI engines XBoard starts polyglot itself.
    command = [XBOARD, "-fcp", path, "-fUCI", "-scp", path, "-sUCI", "-mm", "-mg", "1", "-tc", "0:04", "-inc", "0.05",
               "-sgf", games, "-debug", "-nameOfDebugFile", log, "-soundProgram", "true"]
    process = start(command, folder, display, os.environ["PATH"] + os.pathsep + os.path.dirname(POLYGLOT))
    try:
        wait_until(lambda: "GameEnds" in text_of(log) and " 1. " in text_of(games).replace("\n", " "), process, "end of the game")
    finally:
        end_process(process)
    with open(games, encoding="utf-8") as file:
        game = chess.pgn.read_game(file)
    assert game is not None and not game.errors, game and game.errors
    plies = game.end().ply()
    assert plies > 10 and game.headers["Result"] in ("1-0", "0-1", "1/2-1/2"), game
    assert "Luft" in game.headers["White"] and "Luft" in game.headers["Black"], game.headers
    remarks = text_of(log).lower()
    found = [word for word in ("illegal move", "forfeits on time", "exited unexpectedly") if word in remarks]
    assert not found, found
    assert "ponderhit" in text_of(heard), "no move was pondered"
    check_said(text_of(said))
    print(f"  {plies} plies, {game.headers['Result']}")


def pychess_analyses_a_game(engine, folder, display):
    path, heard, said = listening(engine, folder)
    settings = os.path.join(folder, ".config", "pychess")
    os.makedirs(settings)
    with open(path, "rb") as file:
        digest = hashlib.md5(file.read()).hexdigest()
    known = [{"name": "Luft", "protocol": "uci", "command": path, "md5": digest, "recheck": True, "country": "unknown"}]
    with open(os.path.join(settings, "engines.json"), "w", encoding="utf-8") as file:
        json.dump(known, file)
    lines = ["[General]", f"ana_combobox = {digest}", "analyzer_check = True", "infinite_analysis = True",
             "dont_show_externals_at_startup = True", "show_tip_at_startup = False", "autosave = False"]
    with open(os.path.join(settings, "config"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    game = os.path.join(folder, "game.pgn")
    with open(game, "w", encoding="utf-8") as file:
        file.write(GAME)
    for patience in (8.0, 20.0, 40.0):
        for path in (heard, said):
            if os.path.exists(path):
                os.remove(path)
        # PyChess waits for all engines on its path, and Luft is to be the only one.
        process = start([PYCHESS, "--no-version-check", game], folder, display, "/usr/bin:/bin")
        try:
            open_the_game(process, display, heard, patience)
            wait_until(lambda: " pv " in text_of(said), process, "line")
            time.sleep(3.0)
        finally:
            end_process(process)
        if GAME_IN_UCI in text_of(heard):
            break
    assert GAME_IN_UCI in text_of(heard), text_of(heard)
    check_said(text_of(said))
    depths = [line.split()[2] for line in text_of(said).splitlines() if line.startswith("info depth")]
    print(f"  analysed to depth {depths[-1]}")


def open_the_game(process, display, heard, patience):
    """Opens the only game of the list, which is then analysed. There is no sign of the list being there: a click that comes too
    soon opens an empty game.
    """
    environment = dict(os.environ, DISPLAY=display.name)
    wait_until(lambda: "uci" in text_of(heard), process, "look at the engine")
    time.sleep(patience)
    pointer = ["xdotool", "search", "--onlyvisible", "--name", "PyChess", "mousemove", "--window", "%1", *FIRST_ROW]

    def tried():
        for command in (pointer + ["click", "--repeat", "2", "--delay", "100", "1"], ["xdotool", "key", "Return"]):
            subprocess.run(command, env=environment, capture_output=True, timeout=HANG_SECONDS, check=False)
            time.sleep(patience / 2)
        return "go infinite" in text_of(heard)

    wait_until(tried, process, "analysis", between=patience / 2)


CHECKS = [polyglot_solves_positions, xboard_plays_a_game_through_polyglot, pychess_analyses_a_game]


def in_a_folder(check):
    """The check in a folder of its own."""

    @functools.wraps(check)
    def checked(engine, display):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            check(engine, folder, display)

    return checked


def main():
    engine = os.path.abspath(engine_path(__doc__, LONGEST_RUN_SECONDS))
    with Display() as display:
        passed = [run_check(in_a_folder(check), engine, display) for check in CHECKS]
    end(passed)


if __name__ == "__main__":
    main()
