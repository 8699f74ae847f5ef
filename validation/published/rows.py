"""The published comparisons: what was printed, and what the procedure finds here.

Each function returns a `Row`. Printed numbers are text; ours are rounded to the same
digits. A number that is drawn at random has its Monte Carlo error.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

import pycompare as pc
from pycompare.base.metric import Direction
from pycompare.kernels import student

HERE = Path(__file__).parent
GOLDEN = Path(__file__).parents[2] / "r_reference" / "golden"


@dataclass(frozen=True)
class Number:
    """A printed number and ours.

    Attributes
    ----------
    what, printed : str
    ours : float or str
        Text is compared as it is.
    error : float
        Monte Carlo standard error of both together; 0: none.
    """

    what: str
    printed: str
    ours: float | str
    error: float = 0.0

    @property
    def found(self) -> str:
        """Ours, with the digits of the printed one."""
        if isinstance(self.ours, str):
            return self.ours
        mantissa, e, _ = self.printed.partition("e")
        decimals = len(mantissa.partition(".")[2])
        if not e:
            return f"{self.ours:.{decimals}f}"
        text, _, power = f"{self.ours:.{decimals}e}".partition("e")
        return f"{text}e{int(power)}"

    @property
    def agrees(self) -> bool:
        """Whether all printed digits agree, or three Monte Carlo errors hold both."""
        if self.error and not isinstance(self.ours, str):
            return abs(float(self.printed) - self.ours) <= 3 * self.error
        return self.found == self.printed


@dataclass(frozen=True)
class Row:
    """A published comparison.

    Attributes
    ----------
    source, table : str
    procedure : str
        The call that repeats it.
    numbers : tuple of Number
    published : str
        The conclusion that was printed.
    default : str
        The conclusion of pycompare's default for these data.
    why : str
        Reason of a difference, or what is noted.
    """

    source: str
    table: str
    procedure: str
    numbers: tuple[Number, ...]
    published: str
    default: str
    why: str = ""

    @property
    def agrees(self) -> bool:
        """Whether all numbers do."""
        return all(n.agrees for n in self.numbers)


def read(name: str, metric: str, better: Direction = "higher") -> pc.Scores:
    """Read a file of this folder, blocks in its first column if that is text."""
    frame = pd.read_csv(HERE / f"{name}.csv")
    if frame.columns[0] in ("dataset", "item"):
        frame = frame.set_index(frame.columns[0])
    frame.index = frame.index.map(str)
    return pc.Scores.from_wide(frame, metric=metric, better=better)


def demsar() -> pc.Scores:
    """Return AUCs of Demšar (2006), Table 6, with the ranks that he prints."""
    path = GOLDEN / "ranks_demsar2006_c45_published_ranks.json"
    table = json.loads(path.read_text(encoding="utf-8"))["input"]["X"]
    frame = pd.DataFrame(table["matrix"], table["rows"], table["cols"])
    return pc.Scores.from_wide(frame, metric="AUC", better="higher")


def default_of(
    scores: pc.Scores, blocks: Literal["datasets", "cases"] = "datasets"
) -> str:
    """Return the pairs that the default finds significant, better algorithm first."""
    plan = pc.Plan(blocks=blocks)
    pairs = pc.compare(scores, plan).pairs
    better = np.sign(pairs["estimate"]) * (1 if _higher(scores) else -1)
    told = []
    for first, second, side, p in zip(
        pairs["algorithm_1"],
        pairs["algorithm_2"],
        better,
        pairs["p_adjusted"],
        strict=True,
    ):
        if p <= plan.alpha:
            told.append(f"{first} > {second}" if side > 0 else f"{second} > {first}")
    count = f"{len(told)} of {len(pairs)} pairs significant"
    return f"{count}: {'; '.join(told)}" if 0 < len(told) <= 8 else count


def _higher(scores: pc.Scores) -> bool:
    return scores.metrics[0].better == "higher"


def garcia_herrera_ranks() -> Row:
    """García and Herrera (2008): mean ranks and both tests of all algorithms."""
    scores = pc.example("garcia-herrera-2008")
    test = pc.friedman(scores, ties="uncorrected")
    ranks = pc.rank_pairs(scores).positions
    printed = {"C4.5": "2.100", "1-NN": "3.250", "NaiveBayes": "2.200"}
    printed |= {"Kernel": "4.333", "CN2": "3.117"}
    return Row(
        "García and Herrera (2008)",
        "Table 2, sec. 2.2",
        '`friedman(ties="uncorrected")`',
        (
            *(Number(f"mean rank, {a}", text, ranks[a]) for a, text in printed.items()),
            Number("Friedman", "39.647", test.statistic),
            Number("Iman-Davenport", "14.309", test.iman_davenport.statistic),
        ),
        "the algorithms differ",
        default_of(scores),
        "The default compares typical differences by signed rank tests, adjusted by "
        "Holm; mean ranks depend on which other algorithms are in the table.",
    )


def garcia_herrera_pairs() -> Row:
    """García and Herrera (2008): adjusted p-values of all pairs."""
    scores = pc.example("garcia-herrera-2008")
    printed = {
        ("bonferroni", False): "4.487e-7 0.0288 0.0485 0.0796 0.1276",
        ("holm", False): "4.487e-7 0.0230 0.0339 0.0478 0.0511",
        ("shaffer", False): "4.487e-7 0.0173 0.0291 0.0478 0.0511",
        ("bergmann-hommel", True): "4.487e-7 0.0115 0.0291 0.0319 0.0383",
    }
    pairs = [("C4.5", "Kernel"), ("Kernel", "CN2"), ("C4.5", "1-NN")]
    pairs += [("1-NN", "Kernel"), ("C4.5", "CN2")]
    numbers = []
    for (name, monotone), texts in printed.items():
        tests = pc.rank_pairs(scores, adjust=name, monotone=monotone)
        square = tests.matrix("p_adjusted")
        for (a, b), text in zip(pairs, texts.split(), strict=True):
            numbers.append(Number(f"{name}, {a} – {b}", text, square.loc[a, b]))
    tests = pc.rank_pairs(scores, adjust="bergmann-hommel")
    exact = tests.matrix("p_adjusted").loc["1-NN", "NaiveBayes"]
    return Row(
        "García and Herrera (2008)",
        "Table 5",
        '`rank_pairs(adjust="bergmann-hommel", monotone=True)`',
        tuple(numbers),
        "Bergmann-Hommel rejects eight of ten",
        default_of(scores),
        "The table forces adjusted p-values to rise with the raw ones: 1-NN – "
        f"NaiveBayes has 0.0319 there, and {exact:.4f} by the closed test alone.",
    )


def demsar_ranks() -> Row:
    """Demšar (2006): Friedman's test and Nemenyi's critical differences."""
    scores = demsar()
    test = pc.friedman(scores, ties="uncorrected")
    nemenyi = pc.nemenyi(scores)
    ranks = nemenyi.positions
    printed = {"C4.5": "3.143", "C4.5+m": "2.000", "C4.5+cf": "2.893"}
    printed |= {"C4.5+m+cf": "1.964"}
    return Row(
        "Demšar (2006)",
        "Table 6, sec. 3.2.2",
        '`friedman(ties="uncorrected")`, `nemenyi`',
        (
            *(Number(f"mean rank, {a}", text, ranks[a]) for a, text in printed.items()),
            Number("Friedman", "9.28", test.statistic),
            Number("Iman-Davenport", "3.69", test.iman_davenport.statistic),
            Number("CD at 0.05", "1.25", nemenyi.critical_difference),
            Number(
                "CD at 0.10", "1.12", pc.nemenyi(scores, alpha=0.1).critical_difference
            ),
        ),
        "the algorithms differ; no pair by Nemenyi at 0.05",
        default_of(scores),
        "Signed rank tests of pairs do not depend on the other algorithms and use the "
        "sizes of differences.",
    )


def demsar_signed_ranks() -> Row:
    """Demšar (2006): Wilcoxon's test of C4.5 and C4.5+m."""
    pair = demsar().select(algorithms=["C4.5", "C4.5+m"])
    test = pc.wilcoxon(pair, zeros="pratt")
    d = np.diff(pair.values[..., 0], axis=1)[:, 0]
    zeros = int((d == 0).sum())
    return Row(
        "Demšar (2006)",
        "Table 2, sec. 3.1.3",
        '`wilcoxon(zeros="pratt")`',
        (Number("T", "12", test.statistic + zeros * (zeros + 1) / 4),),
        "C4.5+m is better at 0.05 (T at most 21)",
        default_of(pair),
        f"He divides the ranks of the {zeros} differences of 0 between the two sums; "
        f"exact p without them {pc.wilcoxon(pair).p_value:.4f}.",
    )


def aslan_tables() -> Row:
    """Aslan (2009): decisions of the sign tests in ten tables of wins."""
    held = json.loads((GOLDEN / "aslan_2009_wins.json").read_text(encoding="utf-8"))
    numbers = []
    for table in held["tables"]:
        wins = pc.win_table(
            table["wins"], held["n_datasets"], algorithms=held["algorithms"]
        )
        tests = pc.sign_grid(wins, adjust=held["adjustment"]).matrix("p_adjusted")
        ours = int((tests.to_numpy() <= held["alpha"]).sum()) // 2
        printed = int(np.sum(table["significant"])) // 2
        same = (tests.to_numpy() <= held["alpha"]) == np.array(table["significant"])
        what = f"Table {table['decision_table']}: significant pairs, all ten as printed"
        numbers.append(
            Number(what, str(printed), str(ours) if same.all() else "others")
        )
    return Row(
        "Aslan (2009)",
        "Tables 6.4 to 7.10",
        '`sign_grid(win_table(...), adjust="bonferroni")`',
        tuple(numbers),
        "naive Bayes loses in most tables",
        "the same: a table of wins has no other analysis",
        "The text names a pair of Table 6.6 that the table does not have.",
    )


def gpqa() -> Row:
    """Two language models on GPQA Diamond (a comment on inspect_ai, 2026)."""
    scores = read("gpqa", "accuracy")
    paired = pc.paired_t_pairs(scores).table.iloc[0]
    first, second = scores.values[..., 0].T
    n = len(first)
    error = np.sqrt((first.var(ddof=1) + second.var(ddof=1)) / n)
    estimate = paired["estimate"]
    half = student.isf(0.025, 2 * n - 2) * error
    p = 2 * float(student.sf(abs(estimate / error), 2 * n - 2))
    return Row(
        "UKGovernmentBEIS/inspect_ai, issue 4206 (2026)",
        "comment of 16 June",
        "`paired_t_pairs`; two-sample t by hand",
        (
            Number("difference, points", "5.9", 100 * estimate),
            Number("paired, low", "0.4", 100 * paired["conf_low"]),
            Number("paired, high", "11.3", 100 * paired["conf_high"]),
            Number("paired p", "0.036", paired["p_value"]),
            Number("unpaired, low", "-2.1", 100 * (estimate - half)),
            Number("unpaired, high", "13.8", 100 * (estimate + half)),
            Number("unpaired p", "0.149", p),
        ),
        "significant if items are paired, not if they are not",
        default_of(scores, "cases"),
        "The default pairs the items too.",
    )


def benavoli_sign() -> Row:
    """Benavoli et al. (2017), as in baycomp's README: the Bayesian sign test."""
    scores = read("weka", "accuracy")
    row = pc.bayesian_sign(scores, rope=1.0).table.iloc[0]
    error = float(np.sqrt(0.25 / 50_000))
    return Row(
        "Benavoli et al. (2017), baycomp",
        "README, nbc and j48, sign test",
        "`bayesian_sign(rope=1)`",
        (
            Number("p(nbc)", "0.26508", row["probability_better"], error),
            Number("p(rope)", "0.13274", row["probability_equivalent"], error),
            Number("p(j48)", "0.60218", row["probability_worse"], error),
        ),
        "no probability is high",
        default_of(scores),
        "Theirs are shares of 50,000 draws; ours are integrals.",
    )


def benavoli_signed_rank() -> Row:
    """Benavoli et al. (2017): the Bayesian signed rank test."""
    scores = read("weka", "accuracy")
    row = pc.bayesian_signed_rank(scores, rope=1.0, seed=0).table.iloc[0]
    error = float(np.hypot(row["mc_error"], np.sqrt(0.25 / 50_000)))
    return Row(
        "Benavoli et al. (2017), baycomp",
        "README, nbc and j48, signed rank test",
        "`bayesian_signed_rank(rope=1)`",
        (
            Number("p(nbc)", "0.23124", row["probability_better"], error),
            Number("p(rope)", "0.00666", row["probability_equivalent"], error),
            Number("p(j48)", "0.7621", row["probability_worse"], error),
        ),
        "j48 is more probably better",
        default_of(scores),
        "Both draw at random. The default asks for a difference at 0.05.",
    )


def bakeoff() -> Row:
    """Middlehurst, Schäfer and Bagnall (2024): time series classifiers."""
    scores = read("bakeoff", "accuracy")
    pairs = pc.signed_rank_pairs(scores, adjust="holm")
    cliques = pc.cliques(pairs)
    best = {"HC2", "MR-Hydra"}
    near = best.union(*(c for c in cliques if best & {*c}))
    return Row(
        "Middlehurst, Schäfer and Bagnall (2024)",
        "abstract",
        '`signed_rank_pairs(adjust="holm")`, `cliques`',
        (
            Number(
                "HC2, MR-Hydra and algorithms not separated from them",
                "HC2, MR-Hydra",
                ", ".join(sorted(near)),
            ),
        ),
        "MR-Hydra and HC2 are significantly better than all others",
        default_of(scores),
        "",
    )


def hanley_mcneil() -> Row:
    """Hanley and McNeil (1982): 109 computed tomograms, five ratings."""
    normal, abnormal = [33, 6, 6, 11, 2], [3, 2, 2, 11, 33]
    label = np.repeat([0] * 5 + [1] * 5, normal + abnormal)
    rating = np.repeat([1, 2, 3, 4, 5] * 2, normal + abnormal)
    own = pc.auc_interval(label, rating, positive=1, method="hanley-mcneil")
    z = student.isf(0.025, np.inf)
    return Row(
        "Hanley and McNeil (1982)",
        "Table I, III",
        '`auc_interval(method="hanley-mcneil")`',
        (
            Number("AUC", "0.893", own.estimate),
            Number("standard error", "0.032", (own.conf_high - own.conf_low) / 2 / z),
        ),
        "AUC 0.893",
        "one curve: no pair",
        "",
    )


def rounding() -> Row:
    """Hollander and Wolfe (1973): three methods of rounding first base."""
    scores = read("rounding", "time", "lower")
    test = pc.friedman(scores)
    return Row(
        "Hollander and Wolfe (1973)",
        "p. 140, as in R's help of `friedman.test`",
        "`friedman`",
        (
            Number("Friedman", "11.143", test.statistic),
            Number("p", "0.003805", test.p_value),
        ),
        "the methods differ",
        default_of(scores),
        "",
    )


def quade() -> Row:
    """Conover (1999): sales of five brands in seven stores."""
    sales = [
        [5, 4, 7, 10, 12],
        [1, 3, 1, 0, 2],
        [16, 12, 22, 22, 35],
        [5, 4, 3, 5, 4],
        [10, 9, 7, 13, 10],
        [19, 18, 28, 37, 58],
        [10, 7, 6, 8, 7],
    ]
    stores = [str(i + 1) for i in range(7)]
    frame = pd.DataFrame(sales, stores, list("ABCDE")).astype(float)
    scores = pc.Scores.from_wide(frame, metric="sales", better="higher")
    test = pc.quade(scores)
    return Row(
        "Conover (1999)",
        "p. 375, as in R's help of `quade.test`",
        "`quade`",
        (
            Number("F", "3.8293", test.statistic),
            Number("p", "0.01519", test.p_value),
        ),
        "the brands differ",
        default_of(scores),
        "Seven stores are too few for exact tests of ten pairs.",
    )


ROWS: tuple[Callable[[], Row], ...] = (
    *(garcia_herrera_ranks, garcia_herrera_pairs, demsar_ranks, demsar_signed_ranks),
    *(aslan_tables, gpqa, benavoli_sign, benavoli_signed_rank, bakeoff),
    *(hanley_mcneil, rounding, quade),
)
"""The published comparisons, in the order of the page."""
SLOW = (benavoli_signed_rank, bakeoff, demsar_ranks, garcia_herrera_pairs)
"""Those that the tests leave out."""


def recomputed(rows: tuple[Callable[[], Row], ...] = ROWS) -> Iterator[Row]:
    """Yield the rows."""
    for row in rows:
        yield row()
