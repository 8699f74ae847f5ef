"""Error test, AUC test and AUC-PR test on real data: do they decide alike.

``python -m validation.agreement_study [--folder DIR]``, the last part of
``make study``. ASL sec. 3.3 and 3.6 with other data sets: five learners, 30 training
sets of each data set, one test third. Writes ``validation/AGREEMENT.md``. It needs R
once, for the data sets, and Java with Weka; a killed run goes on where it was.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

import pycompare as pc
from pycompare import plotting
from pycompare.base.formatting.numbers import number, p_text
from pycompare.methods.over_datasets.agreement import Agreement
from validation.cells import at_work

from . import agreement_wins, real_data
from .markdown import table

PAGE = Path(__file__).parent / "AGREEMENT.md"
SEEDS: tuple[int, ...] = (2009,)
"""Of the divisions. The first is the study; others tell how far its counts hang on it:
each takes half an hour, most of it Java's."""
ALGORITHMS = ("k-NN", "C4.5", "Ripper", "LP", "NB")
ALPHA = 0.05
THRESHOLDS = (0.1, 0.5, 0.9)
METRICS = ("error", "auc", "auc_pr")
WORDS = {"error": "error", "auc": "AUC", "auc_pr": "AUC-PR"}
PROTOCOL = pc.HeldOut()
# ASL sec. 3.3 and 3.6, in the order of its four cases: both accept, only the second
# rejects, only the first rejects, both reject.
PUBLISHED = {("error", "auc"): (1, 10, 9, 130), ("error", "auc_pr"): (1, 10, 10, 129)}
PUBLISHED_DIFFERENT = 11
"""Decisions of AUC and AUC-PR test that differ, ASL sec. 3.6."""


def learners() -> dict[str, Any]:
    """Return the five learners, each after imputing by the training set's medians."""
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline

    from pycompare.apps.experiments.learners import asl_learners, weka

    own = asl_learners()
    own |= {"C4.5": weka("trees.J48"), "Ripper": weka("rules.JRip")}
    return {
        name: make_pipeline(SimpleImputer(strategy="median"), own[name])
        for name in ALGORITHMS
    }


def run(folder: Path) -> str:
    """Run what is not done yet, write the page, and return its table in one line."""
    datasets = real_data.load(folder / "data")
    studied = predicted(datasets, folder / f"predictions-{SEEDS[0]}", SEEDS[0])
    scores = [studied.measure(METRICS)]
    for seed in SEEDS[1:]:
        other = predicted(datasets, folder / f"predictions-{seed}", seed)
        scores.append(other.measure(METRICS))
    found = [pc.agreement(each, metrics=METRICS, alpha=ALPHA) for each in scores]
    ratio = PROTOCOL.overlap
    corrected = pc.agreement(
        scores[0],
        metrics=METRICS,
        alpha=ALPHA,
        n_train=ratio.denominator,
        n_test=ratio.numerator,
    )
    draw_examples(found[0], studied)
    wins = agreement_wins.lines(scores[0], studied)
    lines = page(datasets, scores[0], found, corrected, wins)
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    told = "/".join(map(str, four(found[0], "error", "auc")))
    return f"{told} of {len(found[0].table)} comparisons, error x AUC; see {PAGE}"


def predicted(
    datasets: Mapping[str, pc.DataSet], folder: Path, seed: int
) -> pc.Predictions:
    """Run the learners on every data set."""
    with at_work("agreement"):
        return pc.experiment(
            datasets, learners(), protocol=PROTOCOL, folder=folder, seed=seed
        )


def picture_file(case: int) -> Path:
    """Return where the picture of a case stands."""
    return PAGE.with_name(f"AGREEMENT-{case}.svg")


def draw_examples(found: Agreement, predictions: pc.Predictions) -> None:
    """Draw the example of each case of error and AUC test that occurred."""
    occurred = set(found.examples("error", "auc")["case"])
    for case in range(1, 5):
        picture_file(case).unlink(missing_ok=True)
        if case in occurred:
            ax: Any = plotting.agreement_example(
                found,
                predictions,
                case=case,
                first="error",
                second="auc",
                thresholds=THRESHOLDS,
            )
            svg = plotting.style.to_svg(ax.figure)
            picture_file(case).write_text(svg, encoding="utf-8")


def picture_lines(found: Agreement) -> list[str]:
    """Return the pictures of the cases that occurred, with texts."""
    lines = []
    for _, row in found.examples("error", "auc").iterrows():
        pair = f"{row['algorithm_1']} and {row['algorithm_2']}"
        text = f"Case {row['case']}: {row['dataset']}, {pair}"
        lines += [f"![{text}]({picture_file(row['case']).name})", ""]
    return lines


def four(found: Agreement, first: str, second: str) -> tuple[int, ...]:
    """Return the counts in the order of ASL's four cases."""
    return tuple(found.counts(first, second).to_numpy().ravel().tolist())


def page(
    datasets: Mapping[str, pc.DataSet],
    scores: pc.Scores,
    divisions: Sequence[Agreement],
    corrected: Agreement,
    wins: Sequence[str],
) -> list[str]:
    """Return the lines of the page; the first division is the study."""
    found = divisions[0]
    n = len(found.table)
    return [
        "# Error test, AUC test and AUC-PR test on real data",
        "",
        "Written by `python -m validation.agreement_study`, the last part of "
        "`make study`; every number is computed. It repeats ASL (Aslan 2009, "
        "M.Sc. thesis) sec. 3.3 and 3.6 on data sets that anybody has.",
        "",
        f"Each of {scores.n_algorithms} learners is trained on 30 training sets of "
        f"each of {len(datasets)} data sets and tested on one held-out third (ASL sec. "
        "3.2.3, stratified). For each data set and pair of learners a paired t test "
        f"over the 30 folds decides at {ALPHA} whether the mean errors differ (the "
        "error test), the mean areas under the ROC curve (the AUC test) and under the "
        "precision-recall curve, by trapezoids (the AUC-PR test): "
        f"{n} comparisons for each test, not adjusted, as in ASL.",
        "",
        "## Counts",
        "",
        *count_lines(divisions, corrected),
        "",
        *agreement_words(found, corrected),
        "",
        "## Examples",
        "",
        "The clearest example of each case: the one whose two p-values lie farthest "
        "from alpha (`pc.agreement(...).examples()`). Differences are the first "
        "learner minus the second.",
        "",
        *example_lines(found, "error", "auc"),
        "",
        "Errors, AUCs and ROC curves of the 30 folds of each (ASL Fig. 3.1-3.4), the "
        "cases in the order of the table:",
        "",
        *picture_lines(found),
        *example_lines(found, "error", "auc_pr"),
        "",
        *example_lines(found, "auc", "auc_pr"),
        "",
        "## Wins and dimensions (ASL chapters 6 and 7)",
        "",
        *wins,
        "",
        "## Means over the folds",
        "",
        "Error / AUC / AUC-PR.",
        "",
        *mean_lines(scores),
        "",
        "## Data sets",
        "",
        *data_lines(datasets),
        "",
        *data_notes(datasets),
        "",
        "## Learners",
        "",
        "The five of ASL. C4.5 and Ripper: Weka's trees.J48 and rules.JRip, with their "
        "defaults. LP: linear perceptron with softmax (logistic regression without a "
        "penalty). k-NN: k among 1, 3, 5, 7, 11, 21 by validation error. NB: Gaussian "
        "naive Bayes. `pycompare/apps/experiments/learners.py` says all choices. A "
        "case is called positive if its probability >= 0.5. Probabilities of Weka "
        "have three decimals.",
        "",
        "## How it was run",
        "",
        *(f"- {note}" for note in (*scores.notes, *found.notes, *versions())),
    ]


def versions() -> Iterator[str]:
    """Name what computed it."""
    packages = ("numpy", "scipy", "scikit-learn")
    yield ", ".join(f"{name} {version(name)}" for name in packages)


def count_lines(divisions: Sequence[Agreement], corrected: Agreement) -> list[str]:
    """Return the table of the four cases beside ASL's."""
    found, many = divisions[0], f"here, all {len(divisions)} divisions"
    head = ("", "both accept", "only the second rejects", "only error rejects")
    rows: list[tuple[str, ...]] = [(*head, "both reject")]
    n = len(found.table)
    for (first, second), published in PUBLISHED.items():
        pair = f"{WORDS[first]} x {WORDS[second]}"
        section = "3.3" if second == "auc" else "3.6"
        for made, name in (
            (published, f"ASL sec. {section}, 150 comparisons"),
            (four(found, first, second), f"here, {n} comparisons"),
            (four(corrected, first, second), "here, corrected t"),
        ):
            rows.append((f"{pair}: {name}", *map(str, made)))
        spread = [four(each, first, second) for each in divisions]
        if len(divisions) > 1:
            rows.append((f"{pair}: {many}", *map(span, zip(*spread, strict=True))))
    made = four(found, "auc", "auc_pr")
    rows.append((f"AUC x AUC-PR: here, {n} comparisons", *map(str, made)))
    return table(rows)


def span(counts: Sequence[int]) -> str:
    """Return the least and the largest count, or the only one."""
    low, high = min(counts), max(counts)
    return str(low) if low == high else f"{low}-{high}"


def agreement_words(found: Agreement, corrected: Agreement) -> list[str]:
    """Say how often the tests agree, and what the numbers can carry."""
    n = len(found.table)
    shares = []
    for (first, second), published in PUBLISHED.items():
        ours = four(found, first, second)
        shares.append(
            f"{WORDS[first]} and {WORDS[second]} test agree in "
            f"{100 * (ours[0] + ours[3]) / n:.0f} % of the comparisons here, in "
            f"{100 * (published[0] + published[3]) / 150:.0f} % in ASL"
        )
    _, only_pr, only_auc, _ = four(found, "auc", "auc_pr")
    rejected = [int(a.table["rejects_error"].sum()) for a in (found, corrected)]
    ratio = PROTOCOL.overlap
    return [
        f"{'; '.join(shares)}. AUC and AUC-PR test differ in {only_pr + only_auc} "
        f"decisions here, in {PUBLISHED_DIFFERENT} in ASL.",
        "",
        f"Data sets of ASL's are {', '.join(real_data.OF_ASLAN)} "
        f"({len(real_data.OF_ASLAN)}), the others mostly smaller: ASL took sets "
        "of about 3000 cases or more, and its divisions are not known, so agreement "
        "with its counts is not to be expected to the "
        "digit. What can be compared is the pattern: both tests tell most pairs apart, "
        "and where they disagree, each finds differences that the other does not.",
        "",
        "That so many tests reject is a property of the protocol. Any two of the 30 "
        "training sets share 28 of their 29 parts, and the test set is the same, so "
        "the folds vary less than new data would, and the test speaks of these data "
        "only. "
        "The corrected t test (Nadeau and Bengio 2003) multiplies the variance of the "
        f"mean by 1 + 30 n_test / n_train, here with n_test / n_train = {ratio} = "
        f"{number(float(ratio), 3)}: the error test then rejects {rejected[1]} of {n} "
        f"instead of {rejected[0]}. It was derived for test sets drawn anew for each "
        "training set, and stands here as a measure of how far the verdicts hang on "
        "the overlap.",
    ]


def example_lines(found: Agreement, first: str, second: str) -> list[str]:
    """Return the table of examples."""
    names = (first, second)
    rows: list[tuple[str, ...]] = [
        (
            f"{WORDS[first]} x {WORDS[second]}",
            "data set",
            "pair",
            *(f"{WORDS[m]} difference" for m in names),
            *(f"p, {WORDS[m]}" for m in names),
        )
    ]
    only = (f"only {WORDS[second]} rejects", f"only {WORDS[first]} rejects")
    cases = ("both accept", *only, "both reject")
    chosen = {row["case"]: row for _, row in found.examples(first, second).iterrows()}
    for k, case in enumerate(cases, start=1):
        if k not in chosen:
            rows.append((case, "did not occur", *[""] * 5))
            continue
        row = chosen[k]
        differences = (number(row[f"estimate_{m}"], 3) for m in names)
        p_values = (p_text(row[f"p_{m}"], ALPHA) for m in names)
        pair = f"{row['algorithm_1']}, {row['algorithm_2']}"
        rows.append((case, row["dataset"], pair, *differences, *p_values))
    return table(rows)


def mean_lines(scores: pc.Scores) -> list[str]:
    """Return mean error, AUC and AUC-PR by data set and learner."""
    mean = scores.to_frame().groupby(["dataset", "algorithm"], sort=False)
    means = mean[list(METRICS)].mean()
    rows: list[tuple[str, ...]] = [("", *scores.algorithms)]
    for dataset in dict.fromkeys(scores.datasets or ()):
        cells = (
            " / ".join(f"{means.loc[(dataset, a), m]:.3f}" for m in METRICS)
            for a in scores.algorithms
        )
        rows.append((dataset, *cells))
    return table(rows)


def data_lines(datasets: Mapping[str, pc.DataSet]) -> list[str]:
    """Return the table of data sets."""
    rows: list[tuple[str, ...]] = [
        ("data set", "from", "cases", "features", "positive", "negative", "share")
    ]
    for source in real_data.SOURCES:
        data = datasets[source.name]
        size = (str(data.n), str(data.features.shape[1]))
        share = f"{np.mean(data.is_positive):.3f}"
        origin = f"{source.package}, `{source.file}`"
        rows.append((source.name, origin, *size, data.positive, data.negative, share))
    return table(rows)


def data_notes(datasets: Mapping[str, pc.DataSet]) -> list[str]:
    """Say what was chosen, coded, filled and left out."""
    pairs = ", ".join(s.name for s in real_data.SOURCES if s.positive is None)
    gaps = {name: np.isnan(data.features) for name, data in datasets.items()}
    missing = ", ".join(
        f"{name} ({gap.sum()} values in {gap.any(axis=1).sum()} cases)"
        for name, gap in gaps.items()
        if gap.any()
    )
    full = ", ".join(name for name, d in datasets.items() if d.n == real_data.LARGEST)
    return [
        f"- Of more than two classes ({pairs}) the two that 1-nearest neighbour "
        "confuses most are taken (ASL sec. 3.2.1; 5-fold, standardised features), the "
        "rarer one as positive.",
        f"- Missing values: {missing}. Each training set's medians fill them in "
        "training and test set, for all learners alike; no case is dropped.",
        "- mushroom (complete cases) and nursery: an indicator for each value of the "
        "nominal features. chess: eleven and twelve are the two classes whose sizes "
        "add up to ASL's 6451; files and ranks of the board are numbers. wave: 5000 "
        "cases drawn by the definition of Breiman et al. (1984).",
        "- votes: yes is 1, no is 0. breast cancer, original: the nine scores 1 to 10 "
        "are taken as numbers; the case's identifier is left out.",
        f"- A set of more than {real_data.LARGEST} cases keeps those of the rarer "
        "class, half of all at most, and as many of the other, drawn at random, as "
        "there is room for: "
        f"{full}.",
    ]


def main() -> None:
    """Run the study and say where the page is."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--folder", type=Path, default=Path("study"))
    given = parser.parse_args()
    given.folder.mkdir(exist_ok=True)
    print(run(given.folder), file=sys.stdout, flush=True)


if __name__ == "__main__":
    main()
