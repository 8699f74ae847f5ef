"""The results as FAMILY_WISE.md for people and family_wise.json for tests."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from validation.agreement_study import table, versions

from . import designs
from .engine import Counts, added, bound, label
from .methods import ALPHA, Method
from .scenarios import Scenario
from .tables import FLIPS
from .truths import (
    AUC,
    EXCHANGEABLE,
    INTERACTION,
    MARGIN,
    MEAN,
    MEAN_RANK,
    VECTOR,
    WINS,
)

FOLDER = Path(__file__).parent.parent
PAGE = FOLDER / "FAMILY_WISE.md"
JSON = FOLDER / "family_wise.json"
Z = "ranks/normal/bergmann-hommel"


@dataclass(frozen=True, kw_only=True)
class Row:
    """Error and power of a method in one scenario, under one hypothesis.

    Attributes
    ----------
    guarantee : str
        Key of the ledger of claims.
    method, truth, design, hypothesis : str
    blocks, algorithms, runs : int
    error : float or None
        Family-wise error; None where no hypothesis is true.
    bound : float
        Alpha and three Monte Carlo standard errors.
    promised : bool
        Whether the error is to be within the bound.
    violates : list of str
        Assumptions that do not hold.
    reason : str
        Where it is not promised: the conditions that do not hold.
    power : float or None
        Mean share of true differences that are found; None where there is none.
    wrong : float
        Share of runs in which some pair is rejected in favour of the worse.
    """

    guarantee: str
    method: str
    truth: str
    design: str
    hypothesis: str
    blocks: int
    algorithms: int
    runs: int
    error: float | None
    bound: float
    promised: bool
    violates: list[str]
    reason: str
    power: float | None
    wrong: float

    @property
    def above(self) -> bool:
        """Whether the error is above the bound."""
        return self.error is not None and self.error > self.bound

    @property
    def control(self) -> bool:
        """Whether the family is each algorithm with a control."""
        return self.guarantee.endswith("/control")


def write(scenarios: Sequence[Scenario], path: Path, runs: int) -> str:
    """Write page and JSON from the finished chunks; return the summary."""
    rows = list(results(scenarios, added(scenarios, path)))
    JSON.write_text(json_text(rows), encoding="utf-8")
    PAGE.write_text("\n".join(page(rows)) + "\n", encoding="utf-8")
    return f"{summary(rows)}; see {PAGE}"


def json_text(rows: Sequence[Row]) -> str:
    """Return the rows as JSON, one a line."""
    lines = ",\n".join(json.dumps(asdict(row)) for row in rows)
    return f"[\n{lines}\n]\n"


def results(
    scenarios: Sequence[Scenario], counts: dict[str, dict[str, Counts]]
) -> Iterator[Row]:
    """Yield the rows of what has been run."""
    for scenario in scenarios:
        for method in scenario.methods:
            for hypothesis in scenario.hypotheses(method):
                found = counts[scenario.name].get(label(method, hypothesis))
                if found:
                    yield row(scenario, method, hypothesis, found)


def row(scenario: Scenario, method: Method, hypothesis: str, found: Counts) -> Row:
    """Return one row."""
    expected = scenario.expected(method, hypothesis)
    broken = scenario.broken(method, hypothesis)
    missing = sorted(method.conditions & set(broken))
    runs = int(found["runs"])
    differs = (np.abs(expected) == 1).any()
    true = (expected == 0).any()
    return Row(
        guarantee=method.guarantee,
        method=method.title,
        truth=scenario.truth,
        design=scenario.design,
        hypothesis=hypothesis,
        blocks=scenario.n,
        algorithms=scenario.a,
        runs=runs,
        error=round(found["errors"] / runs, 6) if true else None,
        bound=round(bound(runs), 6),
        promised=bool(true and not missing),
        violates=broken,
        reason=", ".join(missing),
        power=round(found["found"] / runs, 6) if differs else None,
        wrong=round(found["wrong"] / runs, 6),
    )


def summary(rows: Sequence[Row]) -> str:
    """Return in one line how many promised errors are within the bound."""
    held = [r for r in rows if r.promised]
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
        f"Alpha is {ALPHA:g}. The bound of a row is alpha plus three Monte Carlo standard "
        f"errors: {bound(runs[-1]):.4f} for {runs[-1]} runs. Rows have {runs[0]} to "
        f"{runs[-1]} runs. `python -m validation.family_wise`, a part of `make study`, "
        "computes every number; `family_wise.json` has all rows.",
        "",
        *choice_lines(rows),
        "",
        "## How to read the tables of errors",
        "",
        "The family-wise error is the share of runs in which at least one true "
        "hypothesis is rejected. A cell shows the largest error over all numbers of "
        "blocks and algorithms. A number without brackets is promised. A number in "
        "brackets is not: the scores violate a condition of the method, named below the "
        "table. Bold numbers are above the bound.",
        "",
        *error_sections(rows),
        "## Power",
        "",
        "The mean share of true differences that are found, over all truths on tables. "
        "Methods that fail the bound in some row are in brackets.",
        "",
        *power_sections(rows),
        *less_lines(rows),
        "",
        "## Folds, several data sets, several metrics, cases, margins",
        "",
        "One row a scenario and method. Where A1 is the winner, power is the mean share "
        "of its pairs that are rejected in its favour.",
        "",
        *other_lines(rows),
        "",
        "## How the study is run",
        "",
        *how_lines(),
    ]


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
    plain = [r for r in rows if r.design == f"{r.blocks} x {r.algorithms}"]
    return [r for r in plain if r.guarantee.startswith(ON_TABLES)]


def error_sections(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a table of errors for each kind of hypothesis."""
    for hypothesis, control, title, text in SECTIONS:
        chosen = [
            r
            for r in on_tables(rows)
            if (r.hypothesis, r.control) == (hypothesis, control)
            and r.error is not None
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
    """Yield what each method's promise rests on, where a truth violates it."""
    reasons: dict[str, set[str]] = defaultdict(set)
    for r in rows:
        reasons[r.method].update(filter(None, r.reason.split(", ")))
    for method, found in reasons.items():
        if found:
            words = "; ".join(WORDS[slug] for slug in sorted(found))
            yield f"- {method} needs: {words}."


WORDS = {
    "complete-null": "no two algorithms differ",
    "independent-blocks": "independent blocks",
    "normal": "normal differences",
    "equal-variances": "differences of equal variance",
    "exchangeable": "exchangeable algorithms",
    "symmetric": "differences symmetric about 0",
    "jointly-symmetric": "differences of all pairs jointly symmetric about 0",
    "overlap-as-assumed": "folds correlated as assumed",
    "new-test-sets": "new test sets",
    "these-data-sets": "a claim about these data sets only",
    "large-sample": "many cases",
    "transitive": "transitive hypotheses",
}

# ---- power --------------------------------------------------------------------------

FAMILIES = {
    "Ranks, all pairs": (("ranks/", "superiority/", "two/wilcoxon/"), False, Z),
    "Ranks, comparisons with a control": (
        ("ranks/", "superiority/", "two/wilcoxon/"),
        True,
        "ranks/normal/holm/control",
    ),
    "Means, all pairs": (("means/", "scores/"), False, "means/pooled/tukey"),
    "Means, comparisons with a control": (
        ("means/", "scores/"),
        True,
        "means/pooled/dunnett/control",
    ),
}


def family_rows(rows: Sequence[Row], title: str) -> list[Row]:
    """Return the rows of a family of methods, each scenario and method once."""
    starts, control, _ = FAMILIES[title]
    seen = set()
    made = []
    for r in on_tables(rows):
        at = r.truth, r.design, r.method
        if r.guarantee.startswith(starts) and r.control == control and at not in seen:
            seen.add(at)
            made.append(r)
    return [r for r in made if "refused" not in r.method]


def power_sections(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a table of mean power for each family of methods."""
    for title in FAMILIES:
        yield from (f"### {title}", "")
        yield from power_table(family_rows(rows, title), failing(rows))
        yield ""


def failing(rows: Sequence[Row]) -> set[tuple[str, bool]]:
    """Return the methods above the bound under their first hypothesis in some row."""
    return {
        (r.method, r.control)
        for r in on_tables(rows)
        if r.above and first_hypothesis(r)
    }


def first_hypothesis(r: Row) -> bool:
    """Tell whether a row is about the hypothesis that the method is made for."""
    return (r.hypothesis == MEAN_RANK) == r.guarantee.startswith(
        ("ranks/normal", "ranks/exact")
    ) and (r.hypothesis != MEAN or r.guarantee.startswith("means/"))


def power_table(rows: Sequence[Row], failed: set[tuple[str, bool]]) -> list[str]:
    """Return mean power over truths, designs by methods; truths that all share."""
    methods = list(dict.fromkeys(r.method for r in rows))
    lines: list[tuple[str, ...]] = [("blocks x algorithms", *methods)]
    control = rows[0].control
    for design in dict.fromkeys(r.design for r in rows):
        some = [r for r in rows if r.design == design and r.power is not None]
        means = mean_power(some)
        cells = []
        for method in methods:
            text = f"{means[method]:.3f}" if method in means else ""
            cells.append(f"({text})" if text and (method, control) in failed else text)
        if any(cells):
            lines.append((design, *cells))
    return table(lines)


def mean_power(rows: Sequence[Row]) -> dict[str, float]:
    """Return each method's mean power over the truths of one design."""
    made: dict[str, list[float]] = defaultdict(list)
    truths = {r.truth for r in rows}
    for r in rows:
        made[r.method].append(r.power or 0.0)
    # A method that was left out of some truths cannot be compared by a mean.
    return {
        m: float(np.mean(p)) for m, p in made.items() if len(p) == len(truths)
    }


def choice_lines(rows: Sequence[Row]) -> Iterator[str]:
    """Yield for each family the most powerful methods within the bound, by size."""
    yield "## The most powerful methods within the bound"
    yield ""
    yield (
        "Of the methods whose error is within the bound in every row of their own "
        "hypothesis, promised or not, the one with the greatest mean power:"
    )
    yield ""
    failed = failing(rows)
    lines: list[tuple[str, ...]] = [
        ("family", "blocks x algorithms", "method", "power", "next", "power")
    ]
    for title in FAMILIES:
        some = family_rows(rows, title)
        for design in dict.fromkeys(r.design for r in some):
            means = mean_power(
                [r for r in some if r.design == design and r.power is not None]
            )
            control = FAMILIES[title][1]
            good = {m: p for m, p in means.items() if (m, control) not in failed}
            ranked = sorted(good.items(), key=lambda item: -item[1])[:2]
            if len(ranked) == 2:
                (one, p), (two, q) = ranked
                lines.append((title, design, one, f"{p:.3f}", two, f"{q:.3f}"))
    yield from table(lines)


def less_lines(rows: Sequence[Row]) -> Iterator[str]:
    """Yield where the exact methods find less than z with Bergmann-Hommel."""
    yield "### Where the exact methods of ranks find less than z with Bergmann-Hommel"
    yield ""
    by: dict[tuple[str, str], dict[str, Row]] = defaultdict(dict)
    for r in family_rows(rows, "Ranks, all pairs"):
        if r.power is not None:
            by[r.truth, r.design][r.guarantee] = r
    ours = ("ranks/closed-permutation", "ranks/sign-flips/bergmann-hommel")
    lines: list[tuple[str, ...]] = [
        ("truth", "blocks x algorithms", "z", "best exact", "difference")
    ]
    for (truth, design), found in by.items():
        if Z not in found:
            continue
        best = max((found[k].power or 0.0 for k in ours if k in found), default=None)
        if best is not None and best < (found[Z].power or 0.0) - 0.01:
            z = found[Z].power or 0.0
            lines.append((truth, design, f"{z:.3f}", f"{best:.3f}", f"{best - z:.3f}"))
    lines[1:] = sorted(lines[1:], key=lambda x: float(x[-1]))
    yield (
        "Best exact: the better one of the closed permutation test and sign flips with "
        "Bergmann-Hommel. The z test uses that all algorithms are alike when it "
        "computes the standard error, so it borrows precision from the other "
        "algorithms: that helps where they are alike (one winner, few blocks) and "
        "breaks the error where they are not. With 5 or 6 blocks no exact test of a "
        "pair rejects at 0.05 after adjustment: the smallest p-value is 2 / 2^n."
    )
    yield ""
    yield from table(lines)


# ---- what is no table ---------------------------------------------------------------

OTHER = (MEAN, MEAN_RANK, WINS, VECTOR, AUC, MARGIN, INTERACTION, EXCHANGEABLE)


def other_lines(rows: Sequence[Row]) -> list[str]:
    """Return the scenarios that are no tables, one row a method."""
    shown = {id(r) for r in on_tables(rows)}
    lines: list[tuple[str, ...]] = [
        ("scores", "truth", "method", "hypothesis", "error", "power", "not promised: needs")
    ]
    for r in rows:
        if id(r) in shown or r.guarantee in ("omnibus/friedman", "omnibus/anova"):
            continue
        error = "" if r.error is None else f"{r.error:.4f}"
        error = f"**{error}**" if r.above else error
        error = f"({error})" if error and not r.promised else error
        power = "" if r.power is None else f"{r.power:.3f}"
        why = "; ".join(WORDS[x] for x in r.reason.split(", ") if x)
        name = f"{r.method} (control)" if r.control else r.method
        lines.append((r.design, r.truth, name, r.hypothesis, error, power, why))
    return table(lines)


def how_lines() -> list[str]:
    """Return how the study is run."""
    return [
        "- Scores of many runs are made and decided together. "
        "`tests/test_family_wise.py` holds these decisions against the public "
        "functions, run by run.",
        "- A chunk of a scenario is seeded by the scenario's name and its number: "
        "neither the number of workers nor an interruption changes a count.",
        f"- Permutation tests use {FLIPS} random changes or permutations, or all changes "
        "of sign where there are fewer.",
        "- True differences shrink with the number of blocks n: 4 / sqrt(n) standard "
        "deviations of one score between neighbours.",
        "- The last algorithm is the control.",
        f"- Folds that overlap have correlation 1/10: n_train {designs.TRAIN}, n_test "
        f"{designs.TEST}.",
        f"- Learners are nearest centroids with {designs.FEATURES} features each of "
        f"their own, {designs.CASES} cases, two classes {designs.APART:g} apart.",
        "- Unstable algorithms vary three times as much as the others spread. The noisy "
        "algorithm has five times the standard deviation of the others.",
        *(f"- {line}" for line in versions()),
    ]


