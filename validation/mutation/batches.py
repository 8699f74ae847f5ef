"""Batches of test files and of mutants, each in a new process, on any worker."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..cells import finish_cells
from ..chunk_lines import append_line, read_lines
from . import runs
from .mutants import Mutant

FILES, MUTANTS = 10, 60
"""Test files, and mutants, of one batch: its process collects the tests first."""
_OPTIONS = ("-p", "no:cacheprovider", "-qq", "-s")
_THREADS = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
Lines = list[dict[str, Any]]


@dataclass(frozen=True)
class Project:
    """What is mutated, and the tests that are run.

    Attributes
    ----------
    root, folder : Path
        Of the project, and of what is kept between runs.
    files : sequence of str
        The files to mutate.
    tests : sequence of str
        Files and folders of tests, below the root.
    far : sequence of str
        Those that are not run.
    options : sequence of str
        Of pytest.
    free : float
        CPU seconds that every test has.
    """

    root: Path
    folder: Path
    files: Sequence[str]
    tests: Sequence[str] = ("tests",)
    far: Sequence[str] = ()
    options: Sequence[str] = ()
    free: float = runs.FREE_SECONDS

    def test_files(self) -> Iterator[str]:
        """Yield the files of all tests."""
        for name in self.tests:
            place = self.root / name
            found = [place] if place.is_file() else sorted(place.rglob("test_*.py"))
            for path in found:
                name = path.relative_to(self.root).as_posix()
                if not any(f"{name}/".startswith(f"{far}/") for far in self.far):
                    yield name


def try_all(project: Project, mutants: Sequence[Mutant]) -> None:
    """Try the mutants that have no verdict yet; each is a line as soon as it has."""
    executed = executed_by_tests(project)
    path, state = project.folder / "mutants.jsonl", state_of_tests(project, executed)
    known = {line["key"]: line for line in read_lines(path)}
    left = [
        mutant
        for mutant in mutants
        if mutant.key not in known or not runs.settled(known[mutant.key], state)
    ]
    # Earlier survivors first: what an ended run leaves is a sample all the same.
    left.sort(key=lambda mutant: mutant.key not in known)

    def tried(batch: list[Mutant]) -> Lines:
        return in_process(project, project.tests, batch, executed)

    def keep(batch: list[Mutant], lines: Lines) -> None:
        for mutant, line in zip(batch, lines, strict=True):
            append_line(path, {"key": mutant.key, "state": state} | line)

    finish_cells(tried, batches(left, MUTANTS), "mutants", keep)


def executed_by_tests(project: Project) -> Lines:
    """Return which lines each test runs; run the test files that have changed."""
    path = project.folder / "executed.jsonl"
    known = {line["file"]: line for line in read_lines(path)}
    files = list(project.test_files())
    digests = {file: runs.digest(project.root / file) for file in files}
    stale = [f for f in files if known.get(f, {}).get("digest") != digests[f]]

    def followed(batch: list[str]) -> Lines:
        return in_process(project, batch, [], [])

    def keep(batch: list[str], lines: Lines) -> None:
        of_file = {line["file"]: line for line in lines}
        for file in batch:
            line = of_file.get(file, {"file": file, "sources": {}, "tests": []})
            known[file] = line | {"digest": digests[file]}
            append_line(path, known[file])

    finish_cells(followed, batches(stale, FILES), "test files", keep)
    return [known[file] for file in files]


def state_of_tests(project: Project, executed: Lines) -> str:
    """Return a digest of all test files."""
    states = [line["digest"] for line in executed if line["tests"]]
    return hashlib.sha256("".join(states).encode()).hexdigest()[:16]


def batches(jobs: Sequence[Any], size: int) -> list[list[Any]]:
    """Return jobs in batches."""
    return [list(jobs[at : at + size]) for at in range(0, len(jobs), size)]


def in_process(
    project: Project,
    tests: Sequence[str],
    mutants: Sequence[Mutant],
    executed: Sequence[Mapping[str, Any]],
) -> Lines:
    """Do a batch in a new process; return its lines.

    Raises
    ------
    RuntimeError
        If the process fails.
    """
    root = project.root
    work = {
        "root": str(root),
        "files": list(project.files),
        "tests": [str(root / name) for name in tests],
        "options": [
            *_OPTIONS,
            *project.options,
            *(f"--ignore={root / far}" for far in project.far),
        ],
        "mutants": [asdict(mutant) for mutant in mutants],
        "executed": list(executed),
        "free": project.free,
    }
    here = str(Path(__file__).parents[2])
    paths = os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH"))))
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "work.json").write_text(json.dumps(work))
        ended = subprocess.run(
            [sys.executable, "-m", "validation.mutation.batch", name],
            cwd=root,
            env={**os.environ, **_THREADS, "PYTHONPATH": paths},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if ended.returncode:
            raise RuntimeError(f"a batch failed: {ended.stdout[-2000:]}")
        lines: Lines = json.loads((folder / "lines.json").read_text())
    return lines
