"""Trying mutants in forked copies of a process that has collected all tests.

A pytest session collects the tests and then, instead of running them, does two
things. First it runs each test file once, unchanged, in a child of its own, and
writes down the lines of the mutated files that each test runs (``Executed``); where a
file has changed since, the functions that they were in have to do. Then each
mutant has a child: the changed function takes the place of the old one, and the tests
that run its lines follow, nearest and fastest first, until one fails. Code that an
import runs (constants, default arguments, decorators) cannot be exchanged like that;
there the child forgets all modules of the project and imports them again, one of them
changed. A test that fails a mutant must pass without it, run alone in the same way.
"""

from __future__ import annotations

import ast
import gc
import hashlib
import os
import re
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import CodeType, MappingProxyType
from typing import Any

import pytest

from .children import answer, in_child
from .imports import Changed, forget
from .lines import Executed, functions_in, live_functions, users, written
from .mutants import Mutant, changed

FREE_SECONDS = 3.0
"""CPU seconds that every test has."""
SLOWEST = 3.0
"""Tests that take more CPU seconds, followed line by line, are left out."""
MOST_SECONDS = 30.0
"""Tests of one mutant take no longer than this without it."""
MOST_CASES = 5
"""Cases of one parametrised test that are run, spread over all of them."""
DIFFERENT_CASES = ("test_a_page_is_as_it_was_reviewed",)
"""Tests of which every case is run: each runs code of its own."""
MOST_FILES = 10
"""Test files that are imported again for code that an import runs."""


@dataclass(frozen=True)
class Test:
    """What is known of one test: CPU seconds, and what it runs of each mutated file.

    ``lines`` are of the files that have not changed since, ``functions`` of all.
    """

    name: str
    seconds: float
    lines: Mapping[str, frozenset[int]]
    functions: Mapping[str, frozenset[str]]

    @property
    def file(self) -> str:
        """The test file."""
        return self.name.partition("::")[0]


def digest(path: Path) -> str:
    """Return a digest of a file; empty if there is none."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.exists() else ""


@dataclass
class Session:
    """The pytest plugin that tries mutants in the place of running tests.

    Attributes
    ----------
    root : Path
        Of the project.
    files : sequence of str
        The files to mutate.
    mutants : sequence of Mutant
        Without any the tests are run once, and followed.
    executed : sequence of mapping
        The lines that tests run, by test file.
    free : float
        CPU seconds that every test has; more in proportion to its own time.
    lines : list of dict
        What was found: of each mutant its verdict, or of each test file its lines.
    """

    root: Path
    files: Sequence[str]
    mutants: Sequence[Mutant]
    executed: Sequence[Mapping[str, Any]]
    free: float
    lines: list[dict[str, Any]] = field(default_factory=list)
    tests: list[Test] = field(default_factory=list)
    alone: dict[tuple[tuple[str, ...], bool], bool] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Read the sources that are mutated, and follow the imports from now on."""
        self.sources = {
            one.file: (self.root / one.file).read_text("utf-8") for one in self.mutants
        }
        self.imports = Executed(self.root, self.files)
        self.imports.__enter__()

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Let every run of a property test draw the same examples, and none shrink."""
        same_examples()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Find out which tests run which lines, then try the mutants."""
        self.imports.__exit__()
        self.session = session
        self.items = {item.nodeid: item for item in session.items}
        self.functions = live_functions(self.root, self.files)
        gc.freeze()
        if self.mutants:
            for line in self.executed:
                self.tests += self.tests_of(line)
            self.lines += [self.of_mutant(mutant) for mutant in self.mutants]
        else:
            self.measure()
        return True

    # -- tests --

    def measure(self) -> None:
        """Run each test file once."""
        by_file: dict[str, list[Any]] = {}
        for item in some_cases(self.session.items):
            by_file.setdefault(item.nodeid.partition("::")[0], []).append(item)
        for file, items in by_file.items():
            said, _ = in_child(partial(self.lines_of, items))
            line = said if said and "tests" in said else {"sources": {}, "tests": []}
            self.lines.append({"file": file} | line)

    def tests_of(self, line: Mapping[str, Any]) -> list[Test]:
        """Return the tests of one file that there are still."""
        same = {
            file: digest(self.root / file) == source["digest"]
            for file, source in line["sources"].items()
        }
        spans = {file: one["functions"] for file, one in line["sources"].items()}
        return [
            Test(
                name,
                seconds,
                {file: frozenset(at) for file, at in lines.items() if same[file]},
                {
                    file: frozenset(
                        name
                        for name, (first, last) in spans[file].items()
                        if any(first <= one <= last for one in at)
                    )
                    for file, at in lines.items()
                },
            )
            for name, seconds, lines in line["tests"]
            if name in self.items
        ]

    def lines_of(self, items: Sequence[Any]) -> dict[str, Any]:
        """Return what each test of a file runs; the slow and the failing have none."""
        followed, failed = Executed(self.root, self.files), Failed()
        self.session.config.pluginmanager.register(failed)
        signal.signal(signal.SIGPROF, too_slow)
        found = []
        for item, following in zip(items, [*items[1:], None], strict=True):
            start, failed.name = time.process_time(), None
            signal.setitimer(signal.ITIMER_PROF, SLOWEST)
            with followed:
                protocol(item, following)
            signal.setitimer(signal.ITIMER_PROF, 0)
            if failed.name is None:
                lines = {file: sorted(at) for file, at in followed.lines.items()}
                seconds = round(time.process_time() - start, 3)
                found.append((item.nodeid, seconds, lines))
        touched = {file for _, _, lines in found for file in lines}
        sources = {
            file: {
                "digest": digest(self.root / file),
                "functions": functions_in((self.root / file).read_text("utf-8")),
            }
            for file in touched
        }
        return {"sources": sources, "tests": found}

    def nearest(self, mutant: Mutant) -> list[Test]:
        """Return the tests that run the changed lines, fastest first.

        Those of files that name the changed module come first, then some whole pages.
        Behind them the other tests of the same files, which may look at what a shared
        fixture made.
        """
        lines = self.lines_that_use(mutant)
        stem = re.compile(rf"\b{Path(mutant.file).stem}\b")

        near = [test for test in self.tests if runs(test, mutant, lines)]
        pages = sorted(filter(different, near), key=lambda test: test.seconds)
        early = {test.name for test in pages[:MOST_CASES]}

        def place(test: Test) -> tuple[int, float]:
            named = stem.search(self.text_of(test.file)) is not None
            return 0 if named else 1 if test.name in early else 2, test.seconds

        if not near and not any(mutant.file in test.lines for test in self.tests):
            # The function had another name when the tests were run.
            near = [test for test in self.tests if mutant.file in test.functions]
        beside = {test.file for test in near}
        chosen = {test.name for test in near}
        more = [t for t in self.tests if t.file in beside and t.name not in chosen]
        found: list[Test] = []
        total = 0.0
        for tests in (near, more):
            for test in sorted(tests, key=place):
                if found and total + test.seconds > MOST_SECONDS:
                    break
                found.append(test)
                total += test.seconds
        return found

    def text_of(self, file: str) -> str:
        """Return the text of a test file."""
        if file not in self.texts:
            self.texts[file] = (self.root / file).read_text("utf-8")
        return self.texts[file]

    def lines_that_use(self, mutant: Mutant) -> set[int] | None:
        """Return the lines that run what is changed; None for any of the file."""
        if mutant.function is not None:
            return set(range(mutant.lines[0], mutant.lines[1] + 1))
        tree = ast.parse(self.sources[mutant.file])
        for node in tree.body:
            if node.lineno <= mutant.lines[0] <= (node.end_lineno or 0):
                if isinstance(node, ast.Assign | ast.AnnAssign):
                    return users(tree, node)
                if isinstance(node, ast.FunctionDef):
                    return set(range(node.body[0].lineno, (node.end_lineno or 0) + 1))
        return None

    # -- mutants --

    def of_mutant(self, mutant: Mutant) -> dict[str, Any]:
        """Try a mutant; return its line."""
        return self.verdict(mutant, *in_child(lambda: self.tried(mutant)))

    def tried(self, mutant: Mutant) -> dict[str, Any]:
        """Change the code and run the tests nearest to it; say which one failed."""
        tests = self.nearest(mutant)
        source = self.sources[mutant.file]
        tree, change = changed(source, mutant.number, mutant.choice)
        said = {"change": change, "tests": len(tests), "again": False, "failed": None}
        said |= {"ended": False}
        if not tests:
            return said
        code = compile(tree, str(self.root / mutant.file), "exec", dont_inherit=True)
        exchanged = self.exchanged(mutant, code)
        said |= {"again": not exchanged}
        answer(Path(tempfile.gettempdir()), said | {"ended": True})
        if exchanged:
            failed = self.first_failure([test.name for test in tests])
        else:
            names = [test.name for test in tests]
            failed = self.imported_again(names, {mutant.file: code})
        return said | {"failed": failed}

    def exchanged(self, mutant: Mutant, code: CodeType) -> bool:
        """Put the new code into the function; False if an import has run it."""
        if mutant.function is None:
            return False
        key = (mutant.file, mutant.function, mutant.start)
        inner = f"{mutant.function}.<locals>."
        ran = any(
            file == mutant.file and (name == mutant.function or name.startswith(inner))
            for file, name, _ in self.imports.called
        )
        new = written(code, mutant.function, mutant.start)
        if ran or new is None or key not in self.functions:
            return False
        try:
            for function in self.functions[key]:
                function.__code__ = new
        except ValueError:  # other free variables than before
            return False
        return True

    def first_failure(self, names: Sequence[str]) -> list[str] | None:
        """Run collected tests until one fails; return its name, alone."""
        failed = Failed()
        self.session.config.pluginmanager.register(failed)
        items = [self.items[name] for name in names]
        seconds = {test.name: test.seconds for test in self.tests}
        for item, following in zip(items, [*items[1:], None], strict=True):
            limit(self.free, seconds[item.nodeid])
            protocol(item, following)
            if failed.name is not None:
                return [failed.name]
        return None

    def imported_again(
        self, names: Sequence[str], codes: Mapping[str, CodeType] = MappingProxyType({})
    ) -> list[str] | None:
        """Import the project again, some modules changed; run tests until one fails.

        Returns
        -------
        list of str or None
            The test that failed; one test of each file where none can be imported.
        """
        files = some_files([name.partition("::")[0] for name in names])
        kept = [n for n in names if n.partition("::")[0] in files]
        forget(self.root)
        sys.meta_path.insert(0, Changed(self.root, codes))
        seconds = {test.name: test.seconds for test in self.tests}
        limit(self.free, MOST_SECONDS + sum(seconds[name] for name in kept))
        failed = Failed()
        options = ["-p", "no:cacheprovider", "-x", "-qq", "-s", "--rootdir"]
        again = [failed, Ordered(kept)]
        status = pytest.main([*options, str(self.root), *files], again)
        if failed.name in self.items:
            return [failed.name]
        if failed.name is None and status in (0, 5):
            return None
        return list({name.partition("::")[0]: name for name in kept}.values())

    def verdict(self, mutant: Mutant, said: Any, status: int) -> dict[str, Any]:
        """Return what became of a mutant."""
        line = {
            "file": mutant.file,
            "line": mutant.lines[0],
            "function": mutant.function or "",
        } | (said or {"error": f"no answer, status {status}"})
        if "error" in line:
            raise RuntimeError(f"{mutant}: {line['error']}")
        failed, again = line["failed"], line["again"]
        if failed and not self.passes_alone(tuple(failed), again=again):
            self.tests = [test for test in self.tests if test.name not in failed]
            return self.of_mutant(mutant)
        if line["ended"]:
            verdict = "time" if os.WIFSIGNALED(status) else "caught"
        else:
            verdict = "survived" if failed is None else "caught"
        return line | {"verdict": verdict}

    def passes_alone(self, names: tuple[str, ...], *, again: bool) -> bool:
        """Tell whether tests pass without any mutant, run in the same way."""
        if (names, again) not in self.alone:

            def job() -> dict[str, Any]:
                run = self.imported_again if again else self.first_failure
                return {"failed": run(names)}

            said, _ = in_child(job)
            self.alone[names, again] = said == {"failed": None}
        return self.alone[names, again]


def some_cases(items: Sequence[Any]) -> list[Any]:
    """Return all tests, but no more than some cases of most with parameters."""
    cases: dict[str, list[Any]] = {}
    for item in items:
        cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    kept = set()
    for name, several in cases.items():
        most = len(several) if of_different_cases(name) else MOST_CASES
        step = max(1.0, (len(several) - 1) / max(1, most - 1))
        spread = [round(i * step) for i in range(min(most, len(several)))]
        kept |= {several[i].nodeid for i in spread}
    return [item for item in items if item.nodeid in kept]


def of_different_cases(name: str) -> bool:
    """Tell whether a test, its case or not, has cases that run code of their own."""
    return name.partition("[")[0].rpartition("::")[2] in DIFFERENT_CASES


def different(test: Test) -> bool:
    """Tell whether a test is one of several that run code of their own."""
    return of_different_cases(test.name)


def some_files(of_tests: Sequence[str]) -> list[str]:
    """Return some of the files of tests: half the first, half those of most tests."""
    counts = Counter(of_tests)  # in the order of the tests
    most = [file for file, _ in counts.most_common()]
    first = list(counts)[: MOST_FILES // 2]
    return list(dict.fromkeys([*first, *most]))[:MOST_FILES]


def settled(line: Mapping[str, Any], state: str) -> bool:
    """Tell whether a verdict stands: a survivor is tried again with other tests."""
    return line["verdict"] != "survived" or line["state"] == state


def runs(test: Test, mutant: Mutant, lines: set[int] | None) -> bool:
    """Tell whether a test runs some lines, or the function of lines that moved."""
    if mutant.file not in test.functions:
        return False
    if lines is None:
        return True
    if mutant.file in test.lines:
        return not lines.isdisjoint(test.lines[mutant.file])
    functions = test.functions[mutant.file]
    return mutant.function is None or mutant.function in functions


def protocol(item: Any, following: Any) -> None:
    """Run one test, with its fixtures."""
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


def too_slow(*_: object) -> None:
    """End a test that takes too long to be run for every mutant."""
    raise TimeoutError("too slow for mutation testing")


def limit(free: float, seconds: float) -> None:
    """End this process after so much more CPU time, and as much again and again."""
    signal.setitimer(signal.ITIMER_PROF, free + 5 * seconds)


class Failed:
    """Keeps the name of the test that failed last."""

    name: str | None = None

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Remember a failure."""
        if report.failed:
            self.name = report.nodeid


class Ordered:
    """Keeps some tests, in a given order."""

    def __init__(self, names: Sequence[str]) -> None:
        self.places = {name: i for i, name in enumerate(names)}

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Let every run of a property test draw the same examples."""
        same_examples()

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Sort the tests and leave the others out."""
        kept = [item for item in items if item.nodeid in self.places]
        items[:] = sorted(kept, key=lambda item: self.places[item.nodeid])


def same_examples() -> None:
    """Draw the same examples in property tests every time, and shrink none."""
    from hypothesis import Phase, settings

    settings.register_profile(
        "mutants",
        parent=settings.default,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
    )
    settings.load_profile("mutants")
