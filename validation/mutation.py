"""Which small faults the tests would catch: mutation testing of named files.

``python -m validation.mutation [FILE ...] [--sample N] [--workers N] [--folder DIR]``,
the last part of ``make study``. A mutant is one file with one operator, boundary,
constant or word changed. The tests nearest to the file are run on it in a copy of the
repository; a mutant that none of them fails has survived. A finished mutant is a line
in the folder, and a killed run goes on where it was.
"""

from __future__ import annotations

import argparse
import ast
import copy
import hashlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from typing import Any

from .agreement_study import table
from .chunk_lines import append_line, read_lines

ROOT = Path(__file__).parents[1]
PAGE = Path(__file__).parent / "MUTATION.md"
COPIED = ("pycompare", "tests", "validation", "r_reference", "pyproject.toml")
SECONDS = 300.0
NEAREST: Mapping[str, tuple[str, ...]] = {
    "pycompare/kernels/binomial.py": (
        "tests/pairs/test_sign.py",
        "tests/pairs/test_superiority.py",
        "tests/reporting/test_few_blocks_and_gaps.py",
    ),
    "pycompare/kernels/signed_rank.py": (
        "tests/pairs/test_wilcoxon.py",
        "tests/pairs/test_hodges_lehmann.py",
    ),
    "pycompare/multiplicity/stepwise.py": ("tests/multiplicity",),
    "pycompare/analyses/decisions.py": (
        "tests/analyses/test_compare.py",
        "tests/reporting/test_few_blocks_and_gaps.py",
    ),
    "pycompare/pairs/hodges_lehmann.py": (
        "tests/pairs/test_hodges_lehmann.py",
        "tests/reporting/test_effects_of_ranks.py",
    ),
    "pycompare/reporting/rank_tests/rank_words.py": (
        "tests/reporting/test_few_blocks_and_gaps.py",
        "tests/reporting/test_effects_of_ranks.py",
        "tests/analyses/test_rank_errors.py",
        "tests/reporting/test_report.py",
    ),
    "pycompare/reporting/common/margin_report.py": (
        "tests/analyses/test_margins.py",
        "tests/analyses/test_margin_alpha.py",
        "tests/reporting/test_margins_and_few_blocks.py",
        "tests/reporting/test_names_of_tests.py",
    ),
    "pycompare/curves/mean_curve.py": ("tests/curves/test_mean_curve.py",),
    "pycompare/over_datasets/wins.py": ("tests/over_datasets/test_wins.py",),
    "pycompare/reporting/multivariate/together_report.py": (
        "tests/analyses/test_together.py",
        "tests/reporting/test_fold_reports.py",
    ),
}
"""The files that are mutated by default, with the tests nearest to each."""
ALIKE: Mapping[tuple[str, str], str] = {}
"""Survivors that no test can catch, by file and change, with the reason."""

# ---- mutants ------------------------------------------------------------------------

SWAPPED: Mapping[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
}


@dataclass(frozen=True)
class Mutant:
    """One file with one change."""

    file: str
    line: int
    change: str
    source: str

    @property
    def key(self) -> str:
        """What tells it from every other mutant, whatever else changes."""
        content = f"{self.file}\n{self.source}"
        return hashlib.sha256(content.encode()).hexdigest()[:16]


def mutants(file: str, source: str) -> Iterator[Mutant]:
    """Yield every mutant of a file."""
    tree = ast.parse(source)
    quiet = documentation(tree)
    for number, node in enumerate(ast.walk(tree)):
        if id(node) in quiet:
            continue
        for choice, _ in enumerate(list(changes(node))):
            other = copy.deepcopy(tree)
            place = next(n for i, n in enumerate(ast.walk(other)) if i == number)
            before = ast.unparse(place)
            list(changes(place))[choice](place)
            change = f"`{shown(before)}` → `{shown(ast.unparse(place))}`"
            yield Mutant(file, getattr(node, "lineno", 0), change, ast.unparse(other))


def shown(code: str) -> str:
    """Return code as a cell of a table has it."""
    flat = " ".join(code.split()).replace("|", "\\|").replace("`", "'")
    return flat if len(flat) <= 70 else f"{flat[:67]}..."


def documentation(tree: ast.AST) -> set[int]:
    """Return the nodes that no program runs: docstrings and annotations."""
    quiet = set()
    for node in ast.walk(tree):
        skipped: list[Any] = [getattr(node, "annotation", None)]
        skipped.append(getattr(node, "returns", None))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.append(node.value)
        if isinstance(node, ast.ImportFrom | ast.Import):
            skipped.append(node)
        for one in filter(None, skipped):
            quiet |= {id(inner) for inner in ast.walk(one)}
    return quiet


def changes(node: ast.AST) -> Iterator[Any]:
    """Yield functions, each of which changes the node into a mutant in place."""
    if isinstance(node, ast.Compare):
        for at, operator in enumerate(node.ops):
            for other in SWAPPED.get(type(operator), ()):
                yield lambda n, at=at, other=other: n.ops.__setitem__(at, other())
    elif isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign):
        for other in SWAPPED.get(type(node.op), ()):
            yield lambda n, other=other: setattr(n, "op", other())
    elif isinstance(node, ast.If | ast.IfExp):
        yield lambda n: setattr(n, "test", ast.UnaryOp(ast.Not(), n.test))
    elif isinstance(node, ast.Return) and node.value is not None:
        yield lambda n: setattr(n, "value", ast.Constant(None))
    elif isinstance(node, ast.Constant):
        if (other := another(node.value)) is not None:
            yield lambda n, other=other: setattr(n, "value", other)


def another(value: Any) -> Any:
    """Return another constant of the same type; None if there is no use in one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str) and value.strip():
        return f"XX{value}"
    return None


# ---- running ------------------------------------------------------------------------


def copied(folder: Path) -> Path:
    """Return a copy of what the tests need."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "*.unfinished")
            shutil.copytree(source, folder / name, ignore=ignored)
        else:
            shutil.copy(source, folder / name)
    return folder


def passes(folder: Path, tests: Sequence[str], seconds: float) -> bool | None:
    """Tell whether the tests pass in a copy; None if the time is over."""
    there = [test for test in tests if (folder / test).exists()]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    environment = os.environ | {
        "PYTHONPATH": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    try:
        done = subprocess.run(
            [*command, *there],
            cwd=folder,
            env=environment,
            timeout=seconds,
            capture_output=True,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    return done.returncode == 0


def verdict(mutant: Mutant, folder: Path, seconds: float) -> str:
    """Return whether the tests caught a mutant."""
    path = folder / mutant.file
    original = path.read_text(encoding="utf-8")
    path.write_text(mutant.source, encoding="utf-8")
    try:
        found = passes(folder, NEAREST[mutant.file], seconds)
    finally:
        path.write_text(original, encoding="utf-8")
    return {True: "survived", False: "caught", None: "time"}[found]


def chosen(files: Sequence[str], sample: int | None, seed: int) -> list[Mutant]:
    """Return mutants of the files, at most ``sample`` of each, by seed and file."""
    made: list[Mutant] = []
    for file in files:
        found = list(mutants(file, (ROOT / file).read_text(encoding="utf-8")))
        random.Random(f"{seed} {file}").shuffle(found)
        made += found[:sample]
    return made


def run(
    files: Sequence[str], folder: Path, *, sample: int | None, seed: int, workers: int
) -> str:
    """Run what is not done yet, write the page, and return the conclusion."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "mutants.jsonl"
    wanted = chosen(files, sample, seed)
    done = {line["key"]: line for line in read_lines(path)}
    left = [one for one in wanted if one.key not in done]
    print(f"{len(wanted) - len(left)} of {len(wanted)} mutants done", flush=True)
    with tempfile.TemporaryDirectory() as place:
        copies: Queue[Path] = Queue()
        for number in range(workers if left else 0):
            copies.put(copied(Path(place) / str(number)))
        if left:
            check_unmutated(copies, sorted({one.file for one in left}))
        start = time.monotonic()
        with ThreadPoolExecutor(workers) as pool:
            jobs = [pool.submit(one_verdict, one, copies) for one in left]
            for count, job in enumerate(as_completed(jobs), start=1):
                line = job.result()
                append_line(path, line)
                done[line["key"]] = line
                rest = (time.monotonic() - start) / count * (len(left) - count)
                print(
                    f"{count} of {len(left)}: {line['verdict']}, {line['file']}:"
                    f"{line['line']}; about {rest / 60:.0f} minutes left",
                    flush=True,
                )
    lines = [done[one.key] for one in wanted]
    PAGE.write_text(page(lines, sample, seed), encoding="utf-8")
    caught = sum(line["verdict"] != "survived" for line in lines)
    return f"{caught} of {len(lines)} mutants caught"


def check_unmutated(copies: Queue[Path], files: Sequence[str]) -> None:
    """Refuse to start where the tests fail as they are."""
    folder = copies.get()
    for file in files:
        if not passes(folder, NEAREST[file], SECONDS):
            raise SystemExit(f"the tests nearest to {file} fail without a mutant")
    copies.put(folder)


def one_verdict(mutant: Mutant, copies: Queue[Path]) -> dict[str, Any]:
    """Return the line of one mutant, tried in a copy that is free."""
    folder = copies.get()
    try:
        found = verdict(mutant, folder, SECONDS)
    finally:
        copies.put(folder)
    told = {"file": mutant.file, "line": mutant.line, "change": mutant.change}
    return {"key": mutant.key, **told, "verdict": found}


# ---- the page -----------------------------------------------------------------------


def page(lines: Sequence[Mapping[str, Any]], sample: int | None, seed: int) -> str:
    """Return the page of all mutants by file, and of the survivors one by one."""
    rows: list[tuple[str, ...]] = [
        ("file", "mutants", "caught", "survived", "share caught")
    ]
    for file in dict.fromkeys(line["file"] for line in lines):
        found = [line["verdict"] for line in lines if line["file"] == file]
        lost = found.count("survived")
        share = f"{100 * (len(found) - lost) / len(found):.0f} %"
        rows.append((file, str(len(found)), str(len(found) - lost), str(lost), share))
    survivors: list[tuple[str, ...]] = [("where", "change", "reason")]
    survivors += [
        (
            f"{line['file']}:{line['line']}",
            line["change"],
            ALIKE.get((line["file"], line["change"]), ""),
        )
        for line in lines
        if line["verdict"] == "survived"
    ]
    size = "All mutants" if sample is None else f"At most {sample} mutants"
    return "\n".join(
        [
            "# Mutation testing",
            "",
            f"{size} of each file (seed {seed}); a mutant has one operator, boundary,",
            "constant or word changed. It is caught if the tests nearest to the file",
            f"fail, or take longer than {SECONDS:.0f} seconds. `make study` repeats",
            "it; `python -m validation.mutation FILE` takes every mutant of a file.",
            "",
            *table(rows),
            "",
            "## Survivors",
            "",
            *(table(survivors) if len(survivors) > 1 else ["None."]),
            "",
        ]
    )


def main() -> None:
    """Run mutation testing and print how many mutants were caught."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", choices=[[], *NEAREST], default=[])
    parser.add_argument("--sample", type=int, default=None)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=Path("study/mutation"))
    asked = parser.parse_args()
    files = asked.files or list(NEAREST)
    print(
        run(
            files,
            asked.folder,
            sample=asked.sample,
            seed=asked.seed,
            workers=asked.workers,
        )
    )


if __name__ == "__main__":
    main()
