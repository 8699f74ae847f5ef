"""Clusters on this machine, of processes of their own: what is lost is really lost."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pycompare

ROOT = Path(pycompare.__file__).parents[1]


class Cluster:
    """A scheduler and its workers, each a process."""

    def __init__(self, folder: Path, **more: str) -> None:
        self.folder, self.more = folder, more
        self.file = folder / "scheduler.json"
        self.processes: list[subprocess.Popen[bytes]] = []
        options = ("--host", "127.0.0.1", "--port", "0", "--no-show")
        self.scheduler = self._start("scheduler", *options)
        while not (self.file.exists() and self.file.stat().st_size):
            assert self.scheduler.poll() is None
            time.sleep(0.05)
        self.address = json.loads(self.file.read_text())["address"]

    def add(self, *, threads: int = 1, root: Path = ROOT, cwd: Path | None = None):
        """Start a worker, with the code below a folder, which works in a folder."""
        options = ["--nthreads", str(threads), "--no-nanny"]
        if cwd is not None:
            script = self.folder / f"{cwd.name}.py"
            script.write_text(f"import os\ndef dask_setup(_): os.chdir({str(cwd)!r})")
            options += ["--preload", str(script)]
        return self._start("worker", *options, root=root)

    def _start(
        self, program: str, *options: str, root: Path = ROOT
    ) -> subprocess.Popen[bytes]:
        shared = ("--scheduler-file", str(self.file), "--no-dashboard")
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                f"distributed.cli.dask_{program}",
                *shared,
                *options,
            ],
            cwd=self.folder,
            env={**os.environ, **self.more, "PYTHONPATH": f"{root}:{ROOT}"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.processes.append(process)
        return process

    def end(self) -> None:
        """Kill all processes."""
        for process in reversed(self.processes):
            process.kill()
            process.wait()


def other_code(folder: Path, change: dict[str, tuple[str, str]]) -> Path:
    """Copy pycompare with other words in some files; return the copy's folder."""
    shutil.copytree(
        ROOT / "pycompare",
        folder / "pycompare",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    for name, (before, after) in change.items():
        path = folder / "pycompare" / name
        text = path.read_text(encoding="utf-8")
        assert before in text
        path.write_text(text.replace(before, after), encoding="utf-8")
    return folder


def temporary() -> Path:
    """Return a new folder for a cluster."""
    return Path(tempfile.mkdtemp(prefix="cluster"))
