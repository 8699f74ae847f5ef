"""The command as a process: without a network, with little memory, with any umask."""

from __future__ import annotations

import os
import resource
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import ROOT, process

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="network namespaces and limits are those of Linux"
)
CELLS = "data,A,B,C\n" + "".join(
    f"d{i},0.{i}1,0.{i}2,0.{9 - i}4\n" for i in range(1, 9)
)
WATCHED = """
import sys
def told(event, _):
    if event.startswith("socket."):
        open({asked!r}, "a").write(event + "\\n")
sys.addaudithook(told)
"""
"""Read by every Python before the program: it notes each use of sockets, also one
whose failure the program hides."""
OFFLINE = ("unshare", "--map-root-user", "--net")
"""A network namespace of its own, in which there is not even a loopback."""
AT_THE_END = """
import atexit, gc, os, sys
def told():
    found = bool(gc.get_freeze_count()), [os.environ.get(name) for name in {threads}]
    heavy = {heavy} & set(sys.modules)
    open({ended!r}, "w").write(repr((*found, heavy)))
atexit.register(told)
"""
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
HEAVY = {"pandas", "statsmodels", "sklearn", "pyarrow", "rpy2"}
ENDED = """
import os, sys
def told(event, given):
    if event == "os.mkdir" and str(given[0]).startswith({aside!r}):
        os.path.basename(given[0]) == "new" and os.kill(os.getpid(), {number})
sys.addaudithook(told)
"""
"""It sends the signal while the unfinished folder is filled, however busy we are."""
REACH = """
import socket
try:
    socket.create_connection(("192.0.2.1", 9), 1)
except OSError as error:
    print(error.errno == __import__("errno").ENETUNREACH)
"""


def compare(folder: Path, **options):
    """Run compare in a process."""
    (folder / "scores.csv").write_text(CELLS, encoding="utf-8")
    return process(
        *("compare", "scores.csv", "--wide", "--block", "data", "--metric"),
        *("accuracy:higher", "--blocks", "datasets", "--out", "report"),
        cwd=folder,
        text=True,
        **options,
    )


def test_a_report_needs_no_network_and_has_the_modes_of_the_umask(tmp_path):
    [reached] = subprocess.run(
        (*OFFLINE, sys.executable, "-c", REACH), capture_output=True, text=True
    ).stdout.split()
    assert reached == "True"
    asked, first = tmp_path / "asked", tmp_path / "first"
    first.mkdir()
    hook = WATCHED.format(asked=str(asked))
    (first / "sitecustomize.py").write_text(hook, encoding="utf-8")
    watched = {"PYTHONPATH": f"{first}:{ROOT}"}
    subprocess.run((sys.executable, "-c", REACH), env=watched, check=True)
    assert "socket.connect" in asked.read_text(encoding="utf-8")
    asked.unlink()
    done = compare(tmp_path, before=OFFLINE, umask=0o027, env=watched)
    assert done.returncode == 0, done.stderr
    assert not asked.exists(), asked.read_text(encoding="utf-8")
    assert (tmp_path / "report" / "report.html").exists()
    written = [tmp_path / "report", *(tmp_path / "report").rglob("*")]
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in written}
    assert {mode for path, mode in modes.items() if path.is_dir()} == {0o750}
    assert {mode for path, mode in modes.items() if path.is_file()} == {0o640}


@pytest.mark.parametrize(
    ("own", "used"),
    [({}, ["1", "1", "1"]), ({THREADS[0]: "4"}, ["4", None, None])],
)
def test_no_cpu_goes_to_waiting_threads_garbage_at_the_end_and_large_libraries(
    tmp_path, monkeypatch, own, used
):
    for name in THREADS:
        monkeypatch.delenv(name, raising=False)
    ended, first = tmp_path / "ended", tmp_path / "first"
    first.mkdir()
    hook = AT_THE_END.format(ended=str(ended), threads=THREADS, heavy=HEAVY)
    (first / "sitecustomize.py").write_text(hook, encoding="utf-8")
    assert not compare(tmp_path, env=own | {"PYTHONPATH": f"{first}:{ROOT}"}).returncode
    assert ended.read_text(encoding="utf-8") == repr((True, used, set()))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_an_ended_command_leaves_nothing_behind(tmp_path, number):
    (tmp_path / "scores.csv").write_text(CELLS, encoding="utf-8")
    command = ["compare", "scores.csv", "--wide", "--block", "data", "--metric"]
    command += ["accuracy:higher", "--blocks", "datasets", "--out", "report", "--blind"]
    first = tmp_path / "first"
    first.mkdir()
    hook = ENDED.format(aside=str(tmp_path / ".report."), number=int(number))
    (first / "sitecustomize.py").write_text(hook, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pycompare.apps.cli", *command],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{first}:{ROOT}"},
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # nohup ignores it
    )
    assert done.returncode == 128 + number, done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first", "scores.csv"]


ODD_DATES = ["", "abc", "1e9", "9" * 18, "9" * 5000]


@pytest.mark.parametrize("date", ODD_DATES)
def test_a_date_of_the_environment_that_is_none_is_one_line(tmp_path, date):
    done = compare(tmp_path, env={"SOURCE_DATE_EPOCH": date})
    assert done.returncode == 2 and not (tmp_path / "report").exists()
    [line] = done.stderr.splitlines()
    assert "SOURCE_DATE_EPOCH" in line and "no number of seconds" in line
    assert len(line) < 300
    load = "import pycompare as pc\ntry: pc.compare\nexcept pc.InputError: print(1)"
    found = subprocess.run(
        [sys.executable, "-c", load],
        env={**os.environ, "PYTHONPATH": str(ROOT), "SOURCE_DATE_EPOCH": date},
        capture_output=True,
        text=True,
    )
    assert found.stdout == "1\n", found.stderr


def test_a_command_needs_no_display(tmp_path):
    done = compare(tmp_path, env={"MPLBACKEND": "nonexistent"})
    assert done.returncode == 0, done.stderr
    assert list((tmp_path / "report" / "figures").glob("*.svg"))


@pytest.mark.parametrize("mebibytes", [200, 400, 700])
def test_too_little_memory_is_one_line(tmp_path, mebibytes):
    def limit():
        size = mebibytes * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (size, size))

    done = compare(tmp_path, preexec_fn=limit)
    assert done.returncode == 2
    assert done.stderr == (
        f"pycompare: not enough memory: this process may use {mebibytes} MB "
        "(ulimit -v), and NumPy, SciPy and matplotlib need at least 1024 MB\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["scores.csv"]
