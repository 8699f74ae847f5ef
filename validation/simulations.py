"""Run the simulation studies and write their pages.

``python -m validation.simulations [--only NAME] [--pages]``, a part of ``make study``.
Every number of a page is in ``simulation_results/NAME.json`` with its seed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import pycompare as pc
from pycompare import plotting
from pycompare.parallel.progress import on_stderr
from pycompare.plotting import panel
from pycompare.simulation import garcia_herrera as gh
from pycompare.simulation import maloof, yildiz
from pycompare.simulation import reader_tests as tests
from pycompare.simulation.result import SimulationResult
from pycompare.simulation.studies import STUDIES

from .markdown import spaced_table, table

HERE = Path(__file__).parent
RESULTS = HERE / "simulation_results"
SEED = 2002
TRIALS = {"roe-metz": 1_000_000, "yildiz": 10_000}
"""Where the study's own number is not taken."""
BAND = (0.035, 0.06)
"""Wanted of the level of OR with Hillis' df where training sets are readers."""

PAGES = {
    "MALOOF": ("maloof",),
    "GARCIA_HERRERA": ("garcia-herrera",),
    "YILDIZ": ("yildiz",),
    "MULTIREADER": (
        "reader-level",
        "reader-designs",
        "reader-families",
        "component-coverage",
        "roe-metz",
    ),
    "POWER": ("power-formulas",),
}
"""Page -> the studies it is made of."""


def run(folder: Path, workers: int, only: str | None = None) -> str:
    """Run what is not done, store the results, and write all pages."""
    for name, study in STUDIES.items():
        if only in (None, name):
            found = pc.simulate(
                study(),
                trials=TRIALS.get(name),
                seed=SEED,
                workers=workers,
                keep=folder / name,
                progress=on_stderr(name),
            )
            text = json.dumps(found.to_dict(), indent=1) + "\n"
            (RESULTS / f"{name}.json").write_text(text, encoding="utf-8")
    return write_pages()


def stored(name: str) -> SimulationResult:
    """Return the result of the last run of a study."""
    text = (RESULTS / f"{name}.json").read_text(encoding="utf-8")
    return SimulationResult.from_dict(json.loads(text))


def write_pages() -> str:
    """Write the pages of stored results, with their pictures."""
    makers: tuple[Callable[..., list[str]], ...] = (
        maloof_page,
        garcia_herrera_page,
        yildiz_page,
        reader_page,
        power_page,
    )
    done = []
    for (page, names), make in zip(PAGES.items(), makers, strict=True):
        if all((RESULTS / f"{name}.json").exists() for name in names):
            text = "\n".join(make(*map(stored, names))) + "\n"
            (HERE / f"{page}.md").write_text(text, encoding="utf-8")
            done.append(f"{page}.md")
    return f"written: {', '.join(done)}"


def head(title: str, *found: SimulationResult) -> list[str]:
    """Return the title, and how the numbers were made."""
    made = "; ".join(
        f"`pycompare simulate {one.study} --trials {one.trials} --seed {one.seed}`"
        for one in found
    )
    return [f"# {title}", "", f"Written by `python -m validation.simulations`: {made}."]


def picture(name: str, draw: Callable[[], Any]) -> str:
    """Draw axes into the folder of the pages and return the line of the picture."""
    svg = plotting.style.to_svg(draw().figure)
    (HERE / f"{name}.svg").write_text(svg, encoding="utf-8")
    return f"![{name}]({name}.svg)"


def cells(found: SimulationResult) -> Mapping[tuple[str, str], Mapping[str, Any]]:
    """Return the rows of a result by condition and statistic."""
    rows = found.table.to_dict("records")
    return {(row["condition"], row["statistic"]): row for row in rows}


def share(row: Mapping[str, Any]) -> str:
    """Return an estimate with its Monte Carlo error."""
    return f"{row['estimate']:.3f} ({row['std_error']:.3f})"


# ---- Maloof ---------------------------------------------------------------------


def maloof_page(found: SimulationResult) -> list[str]:
    """Return the page of Maloof's study."""
    rows = cells(found)
    ours = {n: [rows[c, n]["estimate"] for c in found.wide().index] for n in SHOWN}
    more = sum(a > b for a, b in zip(ours[tests.TWO_WAY], ours[tests.DBM], strict=True))
    equal = sum(
        a == b for a, b in zip(ours[tests.TWO_WAY], ours[tests.DBM], strict=True)
    )
    far = mismatches(found)
    n = len(found.wide())
    return [
        *head("Maloof (2002): analysis of variance and multi-reader analysis", found),
        "",
        f"**The direction of Maloof's study is reproduced, its counts are not.** The "
        f"analysis of variance of AUCs rejects more often than DBM in {more} of {n} "
        f"conditions and as often in {equal}. "
        f"{far} of {3 * n} published counts lie more than three standard errors of the "
        "difference from ours. Nothing was tuned towards them.",
        "",
        "Naive Bayes, the nearest neighbour and nine nearest neighbours learn from ten "
        "training sets of two normal classes (nine independent features, distance d', "
        "n cases a class) and rate one test set of n/4 cases a class. The two-way "
        "analysis of variance of their AUCs has training sets as blocks: it "
        "generalises to new training sets tested on these very cases. DBM (Dorfman, "
        "Berbaum and Metz 1992, Maloof's LABMRMC) and OR (Obuchowski and Rockette, "
        "jackknife, Hillis' degrees of freedom) generalise to new cases as well. "
        "The three algorithms truly differ here, so the shares are powers; levels "
        "are on the page [Level of analyses of readers and cases](MULTIREADER.md).",
        "",
        "## Table 1: share of trials in which the test rejects at 0.05",
        "",
        "In brackets: Monte Carlo standard errors.",
        *spaced_table(
            [
                ["condition", *SHOWN, "published: ANOVA", "published: LABMRMC"],
                *(
                    [
                        c,
                        *(share(rows[c, name]) for name in SHOWN),
                        f"{rows[c, tests.TWO_WAY]['published']:.3f}",
                        f"{rows[c, tests.DBM]['published']:.3f}",
                    ]
                    for c in found.wide().index
                ),
            ]
        ),
        "## Table 2: share of trials in which two-way ANOVA and DBM agree",
        *spaced_table(
            [
                ["condition", "agree", "published", "only ANOVA", "only DBM"],
                *(
                    [
                        c,
                        share(rows[c, maloof.AGREE]),
                        f"{rows[c, maloof.AGREE]['published']:.3f}",
                        share(rows[c, maloof.ONLY_ANOVA]),
                        share(rows[c, maloof.ONLY_DBM]),
                    ]
                    for c in found.wide().index
                ),
            ]
        ),
        "## Figures",
        "",
        *spaced(maloof_pictures(found)),
    ]


SHOWN = maloof.SHOWN


def mismatches(found: SimulationResult) -> int:
    """Count published shares more than three standard errors from ours."""
    rows = found.table.dropna(subset="published")
    p = rows["published"].to_numpy()
    error = np.sqrt(rows["std_error"] ** 2 + p * (1 - p) / 1000)
    # A share of 1 has no standard error by its formula.
    least = np.sqrt(0.001 * 0.999 / 1000)
    distance = np.abs(rows["estimate"] - p) / np.maximum(error, least)
    return int((distance > 3).sum())


def maloof_pictures(found: SimulationResult) -> Iterator[str]:
    """Draw Table 1, a picture for each distance of the classes."""
    for i, d in enumerate(dict.fromkeys(found.table["d_prime"]), start=1):
        yield f"d' = {d:g}:"
        draw = partial(
            plotting.simulated,
            found,
            x="n",
            statistics=SHOWN,
            where={"d_prime": d},
            x_label="Training cases of each class",
            label="Share of trials that reject",
        )
        yield picture(f"MALOOF-{i}", draw)


def spaced(lines: Iterator[str]) -> list[str]:
    """Return lines as paragraphs."""
    return [part for line in lines for part in (line, "")]


# ---- Garcia and Herrera -------------------------------------------------------------


def garcia_herrera_page(found: SimulationResult) -> list[str]:
    """Return the page of Garcia and Herrera's study."""
    procedures = [*gh.PROCEDURES, *gh.OURS]
    last = found.wide().index[-1]
    rows = cells(found)

    def at(what: str, name: str, condition: str) -> str:
        return f"{rows[condition, f'{what}, {name}']['estimate']:.3f}"

    best = max(procedures, key=lambda n: rows[last, f"{gh.OF_PAIR}, {n}"]["estimate"])
    return [
        *head("Garcia and Herrera (2008): power of procedures for all pairs", found),
        "",
        f"**{best[0].upper()}{best[1:]} has the most power for the pair** ({last}: "
        f"{at(gh.OF_PAIR, best, last)}; Bergmann-Hommel on z tests, the most powerful "
        f"of the published procedures, {at(gh.OF_PAIR, 'Bergmann-Hommel', last)}). The "
        "order of the published procedures is that of the paper: Bonferroni (which it "
        "calls Nemenyi), Holm, Shaffer, Bergmann-Hommel.",
        "",
        f"Each of {found.trials} experiments for each k draws ten of the thirty data "
        "sets without replacement, with weights 1 / (1 + exp(-k d)), where d is the "
        "accuracy of C4.5 less that of 1-NN on the data set. The five algorithms are "
        "compared by mean ranks, all ten pairs, at 0.05. The paper drew from fifty "
        "data sets and prints curves without numbers, so only the order can be "
        "compared. Sampling repeats the same thirty data sets: the shares say how "
        "procedures compare on such tables, and nothing about their level.",
        "",
        "## Figure 4: C4.5 against 1-NN",
        "",
        *spaced(
            gh_pictures(
                found,
                (gh.OF_PAIR, "Share of trials that reject the pair"),
                (gh.APV_OF_PAIR, "Mean adjusted p-value of the pair"),
                first=1,
            )
        ),
        *gh_table(found, gh.OF_PAIR, procedures),
        "## Figure 5: all pairs",
        "",
        *spaced(
            gh_pictures(
                found,
                (gh.OF_ALL, "Pairs rejected, of 10"),
                (gh.APV_OF_ALL, "Mean adjusted p-value of all pairs"),
                first=3,
            )
        ),
        *gh_table(found, gh.OF_ALL, procedures),
    ]


def gh_pictures(
    found: SimulationResult, *drawn: tuple[str, str], first: int
) -> Iterator[str]:
    """Draw a statistic of all procedures over the bias."""
    for i, (what, label) in enumerate(drawn, start=first):
        shown = by_procedure(found, what)
        draw = partial(
            plotting.simulated, shown, x="k", x_label="Selection bias k", label=label
        )
        yield picture(f"GARCIA_HERRERA-{i}", draw)


def by_procedure(found: SimulationResult, what: str) -> SimulationResult:
    """Return one kind of statistic, named by its procedure."""
    rows = found.table[found.table["statistic"].str.startswith(f"{what}, ")]
    names = rows["statistic"].str.removeprefix(f"{what}, ")
    content = found.to_dict() | {
        "table": rows.assign(statistic=names).to_dict("records")
    }
    return SimulationResult.from_dict(content)


def gh_table(
    found: SimulationResult, what: str, procedures: Sequence[str]
) -> list[str]:
    """Return a statistic by bias and procedure."""
    wide = by_procedure(found, what)
    rows = cells(wide)
    return spaced_table(
        [
            ["", *procedures],
            *([c, *(share(rows[c, p]) for p in procedures)] for c in wide.wide().index),
        ]
    )


# ---- Yildiz, Aslan and Alpaydin -----------------------------------------------------


def yildiz_page(found: SimulationResult) -> list[str]:
    """Return the page of the tests on error and on pairs of rates."""
    exact = yildiz.rates_at(np.linspace(2, 3, 11))
    exact_rows = [
        [f"{value:.3f}" for value in row] for row in exact.itertuples(index=False)
    ]
    return [
        *head("Yildiz et al. (2011): tests on error and on pairs of rates", found),
        "",
        "**Tests on pairs of rates find differences that the error hides.** Two "
        "classifiers with equal errors and other thresholds differ significantly in "
        "(tpr, fpr) and in (precision, recall), not in error. More true negatives "
        "change (tpr, fpr) but not (precision, recall). Another class ratio changes "
        "(precision, recall) but not (tpr, fpr). Both are as in the paper's Figure 4.",
        "",
        "UniErr is the paired t test of errors over ten folds; MultiTF and MultiPR are "
        "Hotelling's paired T2 tests of (tpr, fpr) and (precision, recall). Each fold "
        "has a test set of its own, 50 cases a class. Shares of rejection at 0.05; the "
        "paper's Figure 4 plots their complements, of 100 runs, without saying the "
        "rates of its classifiers. Here both have tpr 0.8 and fpr 0.2, drawn "
        "independently.",
        "",
        "## Figure 1: the threshold",
        "",
        found.notes[0],
        "",
        picture("YILDIZ-4", threshold_picture),
        *spaced_table([list(exact.columns), *exact_rows]),
        "Two classifiers cut the same scores, at 2.5 - gap/2 and 2.5 + gap/2:",
        *yildiz_part(found, yildiz.GAP, 1),
        "## Figure 4a: more true negatives",
        *yildiz_part(found, yildiz.ADDED, 2),
        "## Figure 4b: another class ratio",
        *yildiz_part(found, yildiz.RATIO, 3),
    ]


def threshold_picture() -> Any:
    """Draw Figure 1: the densities of both classes, and the rates of a threshold."""
    at = np.linspace(1, 4, 151)
    means, sd = yildiz.MEANS, yildiz.SD
    lines = {
        f"{name} class": stats.norm.pdf(at, mean, sd) / stats.norm.pdf(0, 0, sd)
        for name, mean in zip(("Negative", "Positive"), means, strict=True)
    }
    rates = yildiz.rates_at(at)
    lines |= {name: rates[name] for name in ("error", "tpr", "fpr", "precision")}
    styles = ["--", "--", "-", "-", "-", "-"]
    marks = panel.marks(list(lines))
    caption = (
        "Dashed: densities of the scores, the largest value set to 1. Lines: exact "
        "rates when scores at or above the threshold are classified as positive."
    )
    with plotting.style.context():
        axes = panel.open_panel(None, "Threshold", "Rate", [caption], marks)
        for values, mark, line in zip(lines.values(), marks, styles, strict=True):
            axes.plot(
                at, values, line, color=mark.color, marker=mark.marker, markevery=15,
                markersize=4.0, linewidth=1.0,
            )  # fmt: skip
    return axes


AXES = {yildiz.GAP: "gap", yildiz.ADDED: "lambda", yildiz.RATIO: "alpha"}


def yildiz_part(found: SimulationResult, kind: str, number: int) -> list[str]:
    """Return the table and the picture of one kind of conditions."""
    rows = cells(found)
    chosen = found.table[found.table["kind"] == kind]
    conditions = list(dict.fromkeys(chosen["condition"]))
    draw = partial(
        plotting.simulated,
        found,
        x="value",
        where={"kind": kind},
        x_label=AXES[kind],
        label="Share of trials that reject",
    )
    return [
        *spaced_table(
            [
                [AXES[kind], *yildiz.TESTS],
                *(
                    [
                        f"{rows[c, 'UniErr']['value']:g}",
                        *(share(rows[c, test]) for test in yildiz.TESTS),
                    ]
                    for c in conditions
                ),
            ]
        ),
        picture(f"YILDIZ-{number}", draw),
        "",
    ]


# ---- readers and cases --------------------------------------------------------------


def reader_page(
    found: SimulationResult,
    designs: SimulationResult,
    families: SimulationResult,
    coverage: SimulationResult,
    many: SimulationResult,
) -> list[str]:
    """Return the page of levels of analyses of readers and cases."""
    wide, runs = found.wide(), found.trials
    few = designs.trials
    return [
        *head(
            "Level of analyses of readers and cases",
            *(found, designs, families, coverage, many),
        ),
        "",
        f"The share of {runs} studies without any difference in which the test rejects "
        f"at 0.05 (Monte Carlo standard error {error(runs):.4f} at 0.05). Pairs: the "
        f"share of studies in which at least one pair is rejected.",
        "",
        "In the first four rows ten training sets of 400 cases a class are the readers "
        "and one test set of 100 cases a class the cases. The two algorithms lack one "
        "feature each, so that their expected AUCs are equal, not their AUCs on these "
        "cases. The two-way analysis of variance of AUCs, with training sets as "
        "blocks, generalises to new training sets tested on these very cases. About "
        "new cases it says nothing, so it rejects far more often than 0.05.",
        "",
        f"**{level_sentence(wide[tests.HILLIS])}**",
        *spaced_table(
            [
                ["study", *wide.columns],
                *(
                    [name, *("" if np.isnan(v) else f"{v:.4f}" for v in row)]
                    for name, row in zip(wide.index, wide.to_numpy(), strict=True)
                ),
            ]
        ),
        "## Other designs",
        "",
        f"Roe and Metz's model, `pc.mrmc` with random readers and cases: the share of "
        f"{few} studies in which a pair is rejected at 0.05 (Holm; Monte Carlo "
        f"standard error {error(few):.4f}).",
        *spaced_table(
            [
                ["design", "share"],
                *(
                    [str(name), f"{value:.4f}"]
                    for name, value in designs.wide().iloc[:, 0].items()
                ),
            ]
        ),
        "## Controls and margins",
        "",
        f"Roe and Metz's model, 4 modalities x 5 readers x 100 cases, random readers "
        f"and cases: the share of {families.trials} studies in which a true hypothesis "
        "is rejected (Holm, alpha = 0.05, one-sided against a margin; Monte Carlo "
        f"standard error {error(families.trials):.4f} at 0.05). A pair on the margin "
        "differs by just the margin.",
        *spaced_table(
            [
                ["hypotheses", "modalities", "family-wise error"],
                *(
                    [name, "4", f"{value:.4f}"]
                    for name, value in families.wide().iloc[:, 0].items()
                ),
            ]
        ),
        "## Intervals of components of variance",
        "",
        f"The share of {coverage.trials} studies of Roe and Metz's model in which the "
        "95% limits hold the expected component of the AUC (Monte Carlo standard error "
        f"{error(coverage.trials):.4f}). The limits are the modified large-sample "
        "limits of Ting et al. (1990) for mean squares of pseudovalues.",
        "",
        "`pc.variance_components` gives them for readers and modality x reader only. "
        "Those of the covariances over cases are shown to say why it does not: "
        "pseudovalues of an AUC are not normal, and the limits are too narrow.",
        *spaced_table(
            [
                ["model", *coverage.wide().columns],
                *(
                    [name, *(f"{v:.4f}" for v in row)]
                    for name, row in zip(
                        coverage.wide().index, coverage.wide().to_numpy(), strict=True
                    )
                ),
            ]
        ),
        "## A million studies",
        "",
        f"Roe and Metz's model, {many.wide().index[0]}, {many.trials} studies: with so "
        f"many the Monte Carlo standard error at 0.05 is {error(many.trials):.5f}.",
        "",
        *table(
            [
                ["analysis", "share", "95% limits"],
                *(
                    [
                        row["statistic"],
                        f"{row['estimate']:.5f}",
                        f"{row['conf_low']:.5f} to {row['conf_high']:.5f}",
                    ]
                    for row in many.table.to_dict("records")
                ),
            ]
        ),
    ]


def error(runs: int) -> float:
    """Return the standard error of a share of 0.05."""
    return float(np.sqrt(0.05 * 0.95 / runs))


def level_sentence(levels: Any) -> str:
    """Say how many levels with training sets as readers lie in the band wanted."""
    low, high = BAND
    rows = levels.iloc[:4]
    inside = int(rows.between(low, high).sum())
    return (
        f"OR with Hillis' degrees of freedom: {inside} of {len(rows)} levels with "
        f"training sets as readers lie within [{low:g}, {high:g}]."
    )


# ---- power --------------------------------------------------------------------------


def power_page(found: SimulationResult) -> list[str]:
    """Return the page of power by formula and by simulation."""
    rows = with_z(found)
    m, squares = len(rows), float((rows["z"] ** 2).mean())
    outside = int((rows["z"].abs() > 2).sum())
    far = rows[rows["z"].abs() > sidak(m)]
    low, high = stats.chi2.ppf([0.025, 0.975], m) / m
    inside = low <= squares <= high
    return [
        *head("Power by formula and by simulation", found),
        "",
        f"**{m - len(far)} of {m} powers by formula agree with {found.trials} "
        f"simulated studies.** z is the simulated power less the formula, in Monte "
        f"Carlo standard errors. If all formulas are exact, the largest of {m} values "
        f"of z is within {sidak(m):.2f} in 95% of studies like this (Sidak).",
        "",
        f"{outside} of {m} values lie outside of 2; {0.0455 * m:.1f} are expected by "
        f"chance. The mean of z squared is {squares:.2f}, "
        f"{'within' if inside else 'outside of'} the 95% range of chance, {low:.2f} to "
        f"{high:.2f}.",
        *[
            line
            for row in far.to_dict("records")
            for line in (
                "",
                f"Not in agreement: `{row['design']}`, n = {row['n']}: formula "
                f"{row['formula']:.3f}, simulated {row['estimate']:.3f} "
                f"(z = {row['z']:+.2f}).",
            )
        ],
        "",
        "The formulas for normal scores and for counts are exact; that of `manova` is "
        "for two algorithms, and for more of them close to exact. Those for AUCs "
        "(`auc`, `delong`) use the mean, the variance and the skewness of what the "
        "test compares, and those for readers and cases (`mrmc`) the first joint "
        "moments of the difference and its estimated error. `auc` with Hanley and "
        "McNeil's variance is simulated with exponential ratings, as they assume; all "
        "other ratings are normal. Designs "
        "without a formula are left out: `wilcoxon`, `friedman`, `rank-pairs`.",
        "",
        "## By design",
        *spaced_table(
            [
                ["design", "settings", "largest z", "mean of z squared"],
                *(
                    [
                        str(name),
                        str(len(z)),
                        f"{z.loc[z.abs().idxmax()]:+.2f}",
                        f"{(z**2).mean():.2f}",
                    ]
                    for name, z in rows.groupby("design", sort=False)["z"]
                ),
            ]
        ),
        "## All settings",
        *spaced_table(
            [
                ["design and truth", "n", "formula", "simulated", "95% CI", "z"],
                *(
                    [
                        row["condition"].rpartition(", n = ")[0],
                        f"{row['n']}",
                        f"{row['formula']:.4f}",
                        f"{row['estimate']:.4f}",
                        f"[{row['conf_low']:.4f}, {row['conf_high']:.4f}]",
                        f"{row['z']:+.2f}",
                    ]
                    for row in rows.to_dict("records")
                ),
            ]
        ),
    ]


def with_z(found: SimulationResult) -> pd.DataFrame:
    """Return the rows with z: simulated less formula, in standard errors."""
    p = found.table["formula"]
    error = np.sqrt(p * (1 - p) / found.trials)
    return found.table.assign(z=(found.table["estimate"] - p) / error)


def sidak(m: int) -> float:
    """Return what the largest of m absolute normal deviates exceeds in 5%."""
    return float(stats.norm.isf((1 - 0.95 ** (1 / m)) / 2))


def main() -> None:
    """Run the studies, or only write the pages anew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("study/simulations"))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", choices=list(STUDIES))
    parser.add_argument("--pages", action="store_true", help="write the pages alone")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    try:
        told = (
            write_pages()
            if given.pages
            else run(given.folder, given.workers, given.only)
        )
    except KeyboardInterrupt:
        sys.exit("Interrupted; the same command resumes.")
    print(told, flush=True)


if __name__ == "__main__":
    main()
