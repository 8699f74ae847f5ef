"""The results as FAMILY_WISE.md for people and family_wise.json for tests."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from pycompare.results.guarantees import CONDITIONS, guarantee
from validation.agreement_study import versions
from validation.markdown import table

from . import designs
from .batch import MASKED
from .conclusions import conclusion_lines
from .defaults import Z, by_design, default_lines, rank_default, valid
from .engine import CHUNKS, RUNS, Counts, added, bound, chunks, label
from .methods import ALPHA, FEWER, FEWEST, MANY, OF_EIGHT, PERMUTED, Method
from .rows import FOLDER, JSON, Row, json_text
from .scenarios import SCENARIOS, Scenario
from .tables import FLIPS
from .truths import EXCHANGEABLE, MEAN, MEAN_RANK, WINS
from .versions import Kept, Key, as_promised, decided, key

PAGE = FOLDER / "FAMILY_WISE.md"


def text(scenarios: Sequence[Scenario], path: Path, kept: Kept) -> str:
    """Return the rows of some scenarios, one a line, and the summary."""
    rows = list(results(scenarios, added(scenarios, path), kept))
    lines = [
        f"{r.truth}; {r.design}; {named(r)}; {r.hypothesis}: "
        f"{error_and_power(r)} ({r.runs} runs)"
        for r in rows
    ]
    return "\n".join([*lines, summary(rows)])


def write(scenarios: Sequence[Scenario], path: Path, kept: Kept) -> str:
    """Write page and JSON from the finished chunks; return the summary."""
    rows = list(results(scenarios, added(scenarios, path), kept))
    JSON.write_text(json_text(rows), encoding="utf-8")
    PAGE.write_text("\n".join(page(rows)) + "\n", encoding="utf-8")
    return f"{summary(rows)}; see {PAGE}"


def results(
    scenarios: Sequence[Scenario], counts: dict[str, dict[str, Counts]], kept: Kept
) -> Iterator[Row]:
    """Yield the rows of what has been run, and those that are kept."""
    for scenario in scenarios:
        hashes: dict[Key, str] = {}
        for method in scenario.methods:
            for hypothesis in scenario.hypotheses(method):
                own = key(scenario, method, hypothesis)
                found = counts[scenario.name].get(label(method, hypothesis))
                if own in kept:
                    yield as_promised(kept[own], scenario, method)
                elif found:
                    hashes = hashes or decided(scenario)
                    yield row(scenario, method, hypothesis, found, hashes[own])


def row(
    scenario: Scenario, method: Method, hypothesis: str, found: Counts, decisions: str
) -> Row:
    """Return one row."""
    expected = scenario.expected(method, hypothesis)
    broken = scenario.broken(method, hypothesis)
    claim = guarantee(method.guarantee)
    runs = int(found["runs"])
    differs = (np.abs(expected) == 1).any()
    return Row(
        guarantee=method.guarantee,
        method=method.title,
        truth=scenario.truth,
        design=scenario.design,
        hypothesis=hypothesis,
        blocks=scenario.n,
        algorithms=scenario.a,
        runs=runs,
        true_pairs=int((expected == 0).sum()),
        error=round(found["errors"] / runs, 6),
        bound=round(bound(runs), 6),
        promised=claim.promises(broken),
        violates=broken,
        power=round(found["found"] / runs, 6) if differs else None,
        wrong=round(found["wrong"] / runs, 6),
        decisions=decisions,
    )


def summary(rows: Sequence[Row]) -> str:
    """Return in one line how many promised errors are within the bound."""
    held = [r for r in rows if r.promised and r.true_pairs]
    failed = [r for r in held if r.above]
    start = f"{len(held) - len(failed)} of {len(held)} promised family-wise errors are "
    made = f"{start}within their bounds"
    for r in failed:
        made += f"; above: {r.method}, {r.truth}, {r.design}: {r.error:.4f}"
    return made


# ---- the page -----------------------------------------------------------------------


def page(rows: Sequence[Row]) -> list[str]:
    """Return the lines of the page."""
    runs = sorted({r.runs for r in rows})
    return [
        "# Family-wise error and power on known truth",
        "",
        f"**{summary(rows)}.**",
        "",
        f"Alpha is {ALPHA:g}. The bound of a row is alpha plus three Monte Carlo "
        f"standard errors: {bound(runs[-1]):.4f} for {runs[-1]} runs. Rows have "
        f"{runs[0]} to {runs[-1]} runs. `python -m validation.family_wise --again` "
        "computes every number; without `--again`, as in `make study`, it runs the "
        "rows whose decisions by the current code differ from the stored ones (by "
        "the decisions in 20 seeded runs of each). `family_wise.json` has all rows. "
        f"{completeness(rows)}",
        "",
        *conclusion_lines(rows),
        *default_lines(rows),
        "",
        "## How to read the tables of errors",
        "",
        "The family-wise error is the share of runs in which at least one true "
        "hypothesis is rejected. A cell shows the largest error over all numbers of "
        "blocks and algorithms. A number without brackets is promised. A number in "
        "brackets is not: the scores violate a condition of the method, named below "
        "the table. Bold numbers are above the bound.",
        "",
        *error_sections(rows),
        "## Power",
        "",
        "The mean share of true differences that are found, over all truths of a "
        "design. In brackets: methods that promise the error only if no algorithm "
        "differs or variances are equal. Bold: the greatest of the others.",
        "",
        *power_sections(rows),
        *less_lines(rows),
        "",
        "## Folds, several data sets, several metrics, cases, margins",
        "",
        "Each table has one kind of scores, in the designs and with the truths named "
        "above it. Errors are the largest over them, power is the mean over them. "
        "`family_wise.json` has each design and truth.",
        "",
        *other_lines(rows),
        "",
        "## How the study is run",
        "",
        *how_lines(),
    ]


def completeness(rows: Sequence[Row]) -> str:
    """Say how many rows have all the runs that the study plans for them."""
    planned = planned_runs()
    short = [r for r in rows if r.runs < planned[r.truth, r.design, named(r)]]
    if not short:
        return "All rows have all their runs."
    fewest = min(r.runs for r in short)
    return (
        f"{len(rows) - len(short)} of {len(rows)} rows have all their runs, which the "
        f"last section states. The other {len(short)} have the runs that were finished "
        f"when the page was written, {fewest} at least. Their bounds are wider. The "
        "same command resumes."
    )


def planned_runs() -> dict[tuple[str, str, str], int]:
    """Return the planned number of runs of a truth, a design and a method."""
    return {
        (s.truth, s.design, titled(m)): RUNS // CHUNKS * chunks(m, s.a)
        for s in SCENARIOS
        for m in s.methods
    }


SECTIONS = (
    (
        EXCHANGEABLE,
        False,
        "Exchangeable algorithms, all pairs",
        "Swapping two exchangeable algorithms leaves the law of the scores as it is.",
    ),
    (EXCHANGEABLE, True, "Exchangeable algorithms, comparisons with a control", ""),
    (
        MEAN_RANK,
        False,
        "Equal mean ranks, all pairs",
        "Algorithms with equal mean ranks need not be exchangeable. The exact methods "
        "promise an error for exchangeable algorithms only; for the others the table "
        "shows what happens.",
    ),
    (MEAN_RANK, True, "Equal mean ranks, comparisons with a control", ""),
    (MEAN, False, "Equal means, all pairs", ""),
    (MEAN, True, "Equal means, comparisons with a control", ""),
    (
        WINS,
        False,
        "Equal win probabilities, all pairs",
        "These hypotheses are not transitive. Bergmann-Hommel is refused for them; its "
        "row shows why.",
    ),
    (WINS, True, "Equal win probabilities, comparisons with a control", ""),
)
ON_TABLES = ("ranks/", "scores/", "means/", "superiority/", "two/wilcoxon/")


def on_tables(rows: Iterable[Row]) -> list[Row]:
    """Return the rows of blocks times algorithms without another axis."""
    return [row for row in rows if is_on_table(row)]


def is_on_table(row: Row) -> bool:
    """Return whether a row is of blocks times algorithms without another axis."""
    plain = row.design == f"{row.blocks} x {row.algorithms}"
    return plain and row.guarantee.startswith(ON_TABLES)


def error_sections(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a table of errors for each kind of hypothesis."""
    for hypothesis, control, title, text in SECTIONS:
        chosen = [
            r
            for r in on_tables(rows)
            if (r.hypothesis, r.control) == (hypothesis, control) and r.true_pairs
        ]
        if not chosen:
            continue
        yield from (f"### {title}", "")
        if text:
            yield from (text, "")
        yield from crossed(chosen)
        yield ""
        yield from conditions(chosen)
        yield ""


def crossed(rows: Sequence[Row]) -> list[str]:
    """Return a table of the largest errors, truths by methods."""
    methods = list(dict.fromkeys(r.method for r in rows))
    cells: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for r in rows:
        cells[r.truth, r.method].append(r)
    lines: list[tuple[str, ...]] = [("truth", *methods)]
    for truth in dict.fromkeys(r.truth for r in rows):
        lines.append((truth, *(largest(cells[truth, m]) for m in methods)))
    return table(lines)


def largest(rows: Sequence[Row]) -> str:
    """Return the largest promised error, and the largest one that is not, bracketed."""
    made = []
    for promised in (True, False):
        some = [r for r in rows if r.promised == promised]
        if some:
            worst = max(some, key=lambda r: (r.above, r.error))
            text = f"{worst.error:.3f}"
            text = f"**{text}**" if worst.above else text
            made.append(text if promised else f"({text})")
    return " ".join(made)


def conditions(rows: Sequence[Row]) -> Iterator[str]:
    """Yield what promises rest on, where a truth violates it, and of which methods."""
    reasons: dict[str, set[str]] = defaultdict(set)
    for r in rows:
        reasons[named(r)].update(r.missing)
    methods: dict[str, list[str]] = defaultdict(list)
    for method, found in reasons.items():
        methods["; ".join(CONDITIONS[slug] for slug in sorted(found))].append(method)
    methods.pop("", None)
    for words, some in methods.items():
        yield f"- Promised if {words}: {'; '.join(some)}."


# ---- power --------------------------------------------------------------------------

FAMILIES = {
    "Ranks, all pairs": (("ranks/", "superiority/"), False),
    "Ranks, comparisons with a control": (("ranks/", "superiority/"), True),
    "Means, all pairs": (("means/", "scores/", "two/wilcoxon/"), False),
    "Means, comparisons with a control": (
        ("means/", "scores/", "two/wilcoxon/"),
        True,
    ),
}


def family_rows(rows: Sequence[Row], title: str) -> list[Row]:
    """Return the rows of a family of methods, each scenario and method once."""
    starts, control = FAMILIES[title]
    seen = set()
    made = []
    for r in on_tables(rows):
        at = r.truth, r.design, r.method
        fits = r.guarantee.startswith(starts) and r.control == control
        # There the hypotheses of the methods are about different pairs.
        if fits and at not in seen and "even with each" not in r.truth:
            seen.add(at)
            made.append(r)
    return made


def power_sections(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a table of mean power for each family of methods."""
    for title in FAMILIES:
        chosen = family_rows(rows, title)
        if chosen:
            yield from (f"### {title}", "", *power_table(chosen), "")


def power_table(rows: Sequence[Row]) -> list[str]:
    """Return mean power over truths, designs by methods."""
    methods = list(dict.fromkeys(r.method for r in rows))
    good = valid(rows)
    lines: list[tuple[str, ...]] = [("blocks x algorithms", *methods)]
    for design, means in by_design(rows).items():
        best = max((p for m, p in means.items() if m in good), default=None)
        cells = []
        for method in methods:
            text = f"{means[method]:.3f}" if method in means else ""
            if text and method not in good:
                text = f"({text})"
            elif text and means[method] == best:
                text = f"**{text}**"
            cells.append(text)
        lines.append((design, *cells))
    return table(lines)


def less_lines(rows: Sequence[Row]) -> Iterator[str]:
    """Yield where the default finds less than z with Bergmann-Hommel, and why."""
    yield "### Where the default finds less than z with Bergmann-Hommel"
    yield ""
    by: dict[tuple[str, str], dict[str, Row]] = defaultdict(dict)
    for r in family_rows(rows, "Ranks, all pairs"):
        if r.power is not None:
            by[r.truth, r.design][r.guarantee] = r
    lines: list[tuple[str, ...]] = []
    compared = 0
    for (truth, design), found in by.items():
        z = found.get(Z)
        own = z and found.get(rank_default(z.blocks, z.algorithms))
        if not z or not own:
            continue
        compared += 1
        less = (z.power or 0.0) - (own.power or 0.0)
        if less > 0.01:
            cells = (f"{z.power:.3f}", f"{own.power:.3f}", f"{less:.3f}")
            lines.append((truth, design, *cells, largest_z(rows, truth, design)))
    lines.sort(key=lambda cells: -float(cells[4]))
    yield (
        f"The default finds less by more than 0.01 in {len(lines)} of {compared} rows. "
        "There are two reasons. (1) The standard error of z assumes that all "
        "algorithms are alike, so z borrows precision from the other algorithms. That "
        "gains power where most are alike and blocks are few. Where they are not alike "
        "the same assumption breaks the error of z (last column; brackets: not "
        "promised). (2) With n blocks no exact test of one pair has a p-value below "
        "2/2^n, so 5 blocks cannot show any pair at 0.05, and 6 hardly can. Scores "
        "of 0 or 1 tie in many blocks, which an exact test of a pair cannot use."
    )
    yield ""
    yield f"The largest differences ({min(MOST, len(lines))} of {len(lines)}):"
    yield ""
    head = ("truth", "blocks x algorithms", "z", "default", "less", "error of z")
    yield from table([head, *lines[:MOST]])


def largest_z(rows: Sequence[Row], truth: str, design: str) -> str:
    """Return the error of z at the same truth and design."""
    at = (truth, design, Z)
    return largest([r for r in rows if (r.truth, r.design, r.guarantee) == at])


MOST = 25
"""Rows of a table that shows the largest."""


# ---- what is no table ---------------------------------------------------------------


def other_lines(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a table of methods for each kind of scores."""
    kinds: dict[str, list[Row]] = defaultdict(list)
    for r in rows:
        if not is_on_table(r) and r.guarantee not in ON_ALL:
            kinds[re.sub(NUMBER, "n", r.design)].append(r)
    for some in kinds.values():
        designs = dict.fromkeys(r.design for r in some)
        truths = dict.fromkeys(r.truth for r in some)
        yield from (f"**{'; '.join(designs)}**", "")
        yield from (f"Truths: {'; '.join(truths)}.", "")
        yield from (*method_table(some), "")
        yield from conditions(some)
        yield ""


NUMBER = r"\d+(\.\d+)?"


def method_table(rows: Sequence[Row]) -> list[str]:
    """Return largest errors and mean power, one method a line."""
    lines: list[tuple[str, ...]] = [("method", "error", "power", "above the bound at")]
    by: dict[str, list[Row]] = defaultdict(list)
    for r in rows:
        by[named(r)].append(r)
    for method, some in by.items():
        powers = [r.power for r in some if r.power is not None]
        power = f"{np.mean(powers):.3f}" if powers else ""
        worst = max(some, key=lambda r: (r.above, r.error))
        where = f"{worst.truth}; {worst.design}" if worst.above else ""
        errors = largest([r for r in some if r.true_pairs])
        lines.append((method, errors, power, where))
    return table(lines)


ON_ALL = ("omnibus/friedman", "omnibus/anova")


def named(r: Row) -> str:
    """Return the method, and that it is against a control."""
    return f"{r.method} (control)" if r.control else r.method


def titled(m: Method) -> str:
    """Return the same of a method of the study."""
    return f"{m.title} (control)" if m.control else m.title


def error_and_power(r: Row) -> str:
    """Return error and power of one row, as far as there is one."""
    made = []
    if r.true_pairs:
        made.append(largest([r]))
    if r.power is not None:
        made.append(f"power {r.power:.3f}")
    return "; ".join(made)


def error(share: float) -> str:
    """Return the Monte Carlo standard error at alpha of a share of the runs."""
    return f"{(ALPHA * (1 - ALPHA) / (RUNS * share)) ** 0.5:.3f}"


def how_lines() -> list[str]:
    """Return how the study is run."""
    return [
        "- Scores of many runs are made and decided together. "
        "`tests/test_family_wise.py` holds these decisions against the public "
        "functions, run by run.",
        "- A chunk of a scenario is seeded by the scenario's name and its number: "
        "neither the number of workers nor an interruption changes a count.",
        f"- Permutation tests use {FLIPS} random permutations or changes of sign, or "
        "all changes of sign where there are hardly more.",
        "- The number of runs follows from method and size, never from a result. "
        f"Formulas have {RUNS} runs; exact sums, max-T and more than {MANY} algorithms "
        f"{RUNS * FEWER:.0f} (Monte Carlo standard error {error(FEWER)}); closed "
        f"permutation tests and calls run by run {RUNS * PERMUTED:.0f} "
        f"({error(PERMUTED)}); resampled areas, changes of sign of differences of one "
        f"size, closed tests of scores with a control and Bergmann-Hommel of more than "
        f"{MASKED} algorithms {RUNS * FEWEST:.0f} ({error(FEWEST)}); closed tests of 8 "
        f"algorithms {RUNS * OF_EIGHT:.0f} ({error(OF_EIGHT)}).",
        "- True differences shrink with the number of blocks n: 4 / sqrt(n) standard "
        "deviations of one score between neighbours.",
        "- The last algorithm is the control.",
        f"- Folds that overlap have correlation 1/10: n_train {designs.TRAIN}, n_test "
        f"{designs.TEST}.",
        f"- Learners are nearest centroids with {designs.FEATURES} features each of "
        f"their own, {designs.CASES} cases, two classes {designs.APART:g} apart.",
        "- Unstable algorithms vary three times as much as the others spread. The "
        "noisy algorithm has five times the standard deviation of the others.",
        *(f"- {line}" for line in versions()),
    ]
