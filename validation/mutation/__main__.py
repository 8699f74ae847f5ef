"""Which small faults the tests would catch: mutation testing.

``python -m validation.mutation [PART ...] [--sample N] [--seed S]``, the
last part of ``make study``. A mutant is one file with one operator, boundary, constant,
order or word changed (``mutants``). It has survived if none of the tests that run the
changed lines fails (``runs``). A finished mutant is a line in the folder, and an
interrupted run goes on where it stopped.
"""

from __future__ import annotations

import argparse
import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pycompare.kernels.binomial import wilson

from ..chunk_lines import read_lines
from ..markdown import table
from .batches import Project, try_all
from .mutants import Mutant, mutants

ROOT = Path(__file__).parents[2]
PAGE = Path(__file__).parents[1] / "MUTATION.md"
GROUPS: Mapping[str, tuple[str, ...]] = {
    "kernels": ("pycompare/kernels/*.py",),
    "multiplicity": ("pycompare/results/*.py",),
    "decisions": (
        "pycompare/designs/*.py",
        "pycompare/base/hypotheses.py",
        "pycompare/results/result.py",
    ),
    "pairs and ranks": ("pycompare/methods/pairs/*.py", "pycompare/methods/ranks/*.py"),
    "sentences": (
        "pycompare/reporting/content/**/*.py",
        "pycompare/reporting/analyses/**/*.py",
        "pycompare/reporting/submission_words.py",
    ),
}
"""The files that are mutated."""
FAR = (
    *("tests/data", "tests/apps/experiments", "tests/base/interop", "tests/plotting"),
    *(
        "tests/sizes/simulation",
        "tests/apps/streaming/test_dask.py",
        "tests/test_wheel.py",
    ),
    *("tests/test_validation.py", "tests/test_mutation.py"),
    *("tests/test_agreement_study.py", "tests/base/parallel"),
)
"""Tests of other things, which are not run."""
OF_A_GROUP = 100
"""A sample has at least so many mutants of each group."""
_KERNELS = "pycompare/kernels"
_DIMENSIONS = "`max(dimensions, 1)` → `max(dimensions, 0)`"
_THINNED = "`at.size <= most` → `at.size < most`"
_NO_WIDTH = (
    "`np.where(width > 0, (y[..., 1:] - y[..., :-1]) / width, 0.0)` → "
    "`np.where(width > 0, (y[..., 1:] - y[..., :-1]) / width, 1.0)`"
)
_TIMES_1 = "`(part > down[..., None, :]) * 1.0` → `(part > down[..., None, :]) / 1.0`"
_GREED = (
    "`if bounds.open(t)[e]: bounds.learn(bounds.graph(t).keeping(bounds.pair(e))"
    ".greedy())` → `if not bounds.open(t)[e]: bounds.learn(bounds.graph(t).keeping("
    "bounds.pair(e)).greedy())`"
)
_WIDER = "`8 / math.sqrt(df)` → `8 * math.sqrt(df)`"
_FIRST_TERM = "`p < 1e-100` → `p <= 1e-100`"
EQUIVALENT: Mapping[tuple[str, str, str], str] = {
    (f"{_KERNELS}/many_to_one.py", "log_scales", "`40 / df` → `41 / df`"): (
        "The integrand is below exp(-40) of its peak there already."
    ),
    (f"{_KERNELS}/many_to_one.py", "log_scales", "`count + 1.0` → `count + 0.0`"): (
        "The last node lies where the integrand is below exp(-40) of its peak."
    ),
    (f"{_KERNELS}/exhaustive_any.py", "_raise_by_greed", _GREED): (
        "Any partition bounds the adjusted p-values from below; the search closes them."
    ),
    (f"{_KERNELS}/exhaustive_line.py", "", "`1 << 28` → `1 << 29`"): (
        "Both are less than any number of pairs can make up for."
    ),
    (
        f"{_KERNELS}/normal_order.py",
        "simultaneous_limits",
        "`away < 0` → `away <= 0`",
    ): ("0 divided by the reach of either side is 0."),
    (f"{_KERNELS}/studentized_range.py", "_peak", "`k + 1` → `k + 2`"): (
        "The nodes lie about another middle; the sum is the same to 14 digits."
    ),
    (f"{_KERNELS}/multivariate_t.py", "uniform_cube", _DIMENSIONS): (
        "Callers ask for one dimension or more."
    ),
    (f"{_KERNELS}/permutation.py", "shares", "`-1` → `1`"): (
        "The matrices are square, so both axes have one length."
    ),
    (f"{_KERNELS}/polylines.py", "common_axis", _THINNED): (
        "Thinned to as many numbers as there are, all of them are kept."
    ),
    (f"{_KERNELS}/student.py", "_over_scale", _WIDER): (
        "Integrates further than the integrand reaches."
    ),
    (
        f"{_KERNELS}/studentized_range.py",
        "_range_sf",
        "`2 * np.log(k)` → `3 * np.log(k)`",
    ): ("A finer step of the trapezoid rule gives the same digits."),
    (f"{_KERNELS}/studentized_range.py", "_density_at_0", "`df < 30` → `df <= 30`"): (
        "Both formulas have the same digits at df = 30."
    ),
    (f"{_KERNELS}/reml.py", "_minimised", "`slope < 0` → `slope <= 0`"): (
        "A ratio whose slope is 0 may move, but the minimum is the same."
    ),
    (
        f"{_KERNELS}/noncentral_f.py",
        "_roots",
        "`np.abs(value) > 1e-13` → `np.abs(value) >= 1e-13`",
    ): ("One more step from an excess of 1e-13 gives the same digits."),
    (f"{_KERNELS}/largest_t.py", "_on_circle", "`-1` → `-2`"): (
        "Any negative length stands for what is left."
    ),
    (f"{_KERNELS}/max_t.py", "critical_value", "`z.shape[1]` → `z.shape[0]`"): (
        "It says how much is worked on at once."
    ),
    (
        "pycompare/methods/pairs/wilcoxon.py",
        "signed_ranks",
        "`d[kept] > 0` → `d[kept] >= 0`",
    ): ("No difference is kept there, or none that is 0."),
    (f"{_KERNELS}/power.py", "equivalence", "`last <= first` → `last < first`"): (
        "The integral from a number to itself is 0."
    ),
    ("pycompare/designs/blocked_anova.py", "", "`'means'` → `'XXmeans'`"): (
        "A key that no other module reads."
    ),
    (f"{_KERNELS}/placements.py", "_before", "`:1` → `:2`"): (
        "The second number is set in the next line."
    ),
    (
        f"{_KERNELS}/curve_lines.py",
        "pr_davis_goadrich",
        "`np.where(called > 0, called, 1)` → `np.where(called > 0, called, 2)`",
    ): ("Nothing is read where no case is called positive."),
    (f"{_KERNELS}/polylines.py", "partial_area", _NO_WIDTH): (
        "A step without width adds no area, whatever its slope."
    ),
    (f"{_KERNELS}/pseudovalues.py", "_products_of_pairs", _TIMES_1): (
        "Dividing by 1 is multiplying by 1."
    ),
    (
        "pycompare/methods/pairs/five_by_two.py",
        "five_by_two_cv",
        "`(0, 0)` → `(0, 1)`",
    ): ("Without a variance the two differences of a replication are equal."),
    ("pycompare/methods/ranks/pairs.py", "_joined_ties", "`-1.0` → `1.0`"): (
        "The first number begins a group whatever stands before it."
    ),
    ("pycompare/kernels/rom.py", "_smallest_levels", _FIRST_TERM): (
        "The level of p = 1e-100 is computed again two lines later."
    ),
}
"""Survivors that no test can catch: file, function and change, with the reason."""


def files_of(parts: Sequence[str], root: Path = ROOT) -> dict[str, list[str]]:
    """Return the files of groups, or single files, by group."""
    found: dict[str, list[str]] = {}
    for group, patterns in GROUPS.items():
        every = [path for pattern in patterns for path in root.glob(pattern)]
        names = {str(path.relative_to(root)) for path in every}
        wanted = [n for n in sorted(names) if not parts or {group, n} & set(parts)]
        if wanted:
            found[group] = wanted
    return found


def chosen(
    groups: Mapping[str, Sequence[str]], sample: int | None, seed: int
) -> tuple[list[Mutant], dict[str, int]]:
    """Return a sample of mutants, and how many there are of each file.

    Each file has at least ``sample`` mutants, and each group ``OF_A_GROUP``, shared out
    by the number of mutants; None: every mutant.
    """
    picked: list[Mutant] = []
    sizes: dict[str, int] = {}
    for files in groups.values():
        made = {f: list(mutants(f, (ROOT / f).read_text("utf-8"))) for f in files}
        sizes |= {file: len(found) for file, found in made.items()}
        total = sum(map(len, made.values()))
        for file, found in made.items():
            random.Random(f"{seed} {file}").shuffle(found)
            share = math.ceil(OF_A_GROUP * len(found) / max(total, 1))
            picked += found[: None if sample is None else max(sample, share)]
    return picked, sizes


def run(
    parts: Sequence[str],
    folder: Path,
    *,
    tests: Sequence[str] = ("tests",),
    sample: int | None,
    seed: int,
) -> str:
    """Try the mutants that were not tried yet, write the page and return the result."""
    folder.mkdir(parents=True, exist_ok=True)
    every = [file for files in files_of(()).values() for file in files]
    groups = files_of(parts)
    picked, sizes = chosen(groups, sample, seed)
    # In any order, so that a run that is stopped leaves a sample of all of them.
    mixed = random.Random(seed).sample(picked, len(picked))
    marked = ("-m", "not r and not browser")
    try_all(Project(ROOT, folder, every, tests, FAR, marked), mixed)
    lines = {line["key"]: line for line in read_lines(folder / "mutants.jsonl")}
    tried = [lines[mutant.key] for mutant in picked if mutant.key in lines]
    if tried:
        chosen_as = sample_size(len(picked), sample, seed, len(tried))
        PAGE.write_text(page(tried, groups, sizes, chosen_as), encoding="utf-8")
    return summary(tried)


def summary(lines: Sequence[Mapping[str, Any]]) -> str:
    """Return the counts in one line."""
    lost = [line for line in lines if survived(line)]
    alike = sum(reason(line) != "" for line in lost)
    return (
        f"{len(lines) - len(lost)} of {len(lines)} mutants caught; {alike} of the "
        f"{len(lost)} survivors are equivalent to the original"
    )


# ---- the page -----------------------------------------------------------------------


def survived(line: Mapping[str, Any]) -> bool:
    """Tell whether no test caught a mutant."""
    return line["verdict"] == "survived"


def reason(line: Mapping[str, Any]) -> str:
    """Return why no test can catch a mutant; empty where one could."""
    key = (line["file"], line["function"], line["change"])
    return EQUIVALENT.get(key, "")


def counted(name: str, total: int, lines: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the cells of one group or file."""
    lost = [line for line in lines if survived(line)]
    alike = sum(reason(line) != "" for line in lost)
    caught, n = len(lines) - len(lost), len(lines) - alike
    cells = [name, str(total), str(len(lines)), str(caught), str(alike)]
    if not n:
        return [*cells, "", ""]
    low, high = (f"{100 * limit:.1f}" for limit in wilson(caught / n, n, 0.95))
    return [*cells, f"{100 * caught / n:.1f}%", f"[{low}, {high}]"]


FEW = 10
"""Mutants of a file below which its share caught says little."""

HEAD = ("mutants", "tried", "caught", "equivalent", "share caught", "95% CI (%)")


def page(
    lines: Sequence[Mapping[str, Any]],
    groups: Mapping[str, Sequence[str]],
    sizes: Mapping[str, int],
    chosen_as: str,
) -> str:
    """Return the page: shares by group and by file, and the survivors one by one."""
    by_group = [["group", *HEAD]]
    for group, files in groups.items():
        found = [line for line in lines if line["file"] in files]
        by_group.append(counted(group, sum(sizes[file] for file in files), found))
    lost = sorted((x for x in lines if survived(x)), key=lambda x: reason(x) == "")
    survivors = [["where", "change", "why no test can catch it"]]
    survivors += [
        [
            f"{x['file']}:{x['line']} {x['function']}",
            x["change"],
            reason(x) or "A test could, and is missing.",
        ]
        for x in lost
    ]
    return "\n".join(
        [
            "# Mutation testing",
            "",
            f"{summary(lines)}. {chosen_as}.",
            "",
            "A mutant is one file with one change: a comparison, an arithmetic or",
            "logical operator, a constant, a bound of a slice, a sign, a sorted order,",
            "a condition, a returned value, or a word or number of a sentence. The",
            "tests that run the changed lines follow, those of files that name the",
            "changed module first, then some whole pages, then the fastest, for up to",
            "30 CPU seconds. The mutant is caught if one fails or does not end.",
            "Docstrings, annotations, decorators, error messages, citations, the size",
            "of pieces that are worked on at once, the methods that tell R what to",
            "repeat, and words that do not change the meaning of a sentence are not",
            "mutated. Tests that need R or a browser are not run.",
            "",
            "The share caught is that of the mutants that are not equivalent to the",
            "original; the interval is Wilson's. `make study` repeats the sample;",
            "`python -m validation.mutation FILE` tries every mutant of a file.",
            "",
            *table(by_group),
            "",
            "## Files",
            "",
            f"Files with fewer than {FEW} mutants tried share the last row.",
            "",
            *table([["file", *HEAD], *by_file(lines, sizes)]),
            "",
            "## Survivors",
            "",
            *(table(survivors) if lost else ["None."]),
            "",
        ]
    )


def by_file(
    lines: Sequence[Mapping[str, Any]], sizes: Mapping[str, int]
) -> list[list[str]]:
    """Return the cells of each file with many mutants tried, and of all the others."""
    tried = Counter(line["file"] for line in lines)
    many = [file for file in sizes if tried[file] >= FEW]
    few = [file for file in sizes if 0 < tried[file] < FEW]
    rows = [
        counted(file, sizes[file], [x for x in lines if x["file"] == file])
        for file in many
    ]
    if few:
        found = [line for line in lines if line["file"] in few]
        total = sum(sizes[file] for file in few)
        rows.append(counted(f"{len(few)} other files", total, found))
    return rows


def sample_size(number: int, sample: int | None, seed: int, tried: int) -> str:
    """Return how the mutants were chosen, and how many were tried."""
    ended = "" if tried == number else f"; the run was ended after {tried} of them"
    if sample is None:
        return f"All {number} mutants were chosen{ended}"
    return (
        f"The {number} chosen are a random sample (seed {seed}), stratified by file: "
        f"at least {sample} mutants of each file and {OF_A_GROUP} of each group, or "
        f"all there are, tried in random order{ended}"
    )


def main() -> None:
    """Run mutation testing and print how many mutants were caught."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help="groups or files; all by default")
    parser.add_argument("--sample", type=int, help="mutants of a file; all by default")
    parser.add_argument("--tests", nargs="+", default=["tests"], help="where they are")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, default=Path("study/mutation"))
    asked = parser.parse_args()
    unknown = set(asked.parts) - set(GROUPS)
    unknown -= {file for files in files_of(()).values() for file in files}
    if unknown:
        parser.error(f"no group or file of them: {', '.join(sorted(unknown))}")
    told = run(
        asked.parts,
        asked.folder,
        tests=asked.tests,
        sample=asked.sample,
        seed=asked.seed,
    )
    print(told)


if __name__ == "__main__":
    main()
