"""Zero has no sign, and what rounding leaves is zero: page, terminal and CSV files."""

import re

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.formatting.numbers import number
from pycompare.base.formatting.rounding import fixed, rounded, significant
from pycompare.designs.readers_left_out import readers_left_out
from pycompare.reporting.analyses.curves import curves_report
from pycompare.reporting.analyses.models import model_report
from pycompare.reporting.analyses.multireader.report import mrmc_report
from pycompare.reporting.comparison_report import ComparisonReport
from pycompare.reporting.document import plain
from pycompare.reporting.evidence.csv_text import columns_csv, to_csv
from pycompare.reporting.model_report import fitted_report
from pycompare.results.result import plain as for_json
from tests.reporting.printed import blocks
from tests.reporting.whole_pages import ORIGIN

ROTATED = np.array([[0.1, 0.2, 0.3], [0.2, 0.3, 0.1], [0.3, 0.1, 0.2]] * 4)
BASE = np.array([31, 84, 7, 55, 62, 93, 11, 48, 29, 77, 36, 68])[:, None] / 100
TABLES = {
    "symmetric": ROTATED,
    "zero": np.zeros((12, 3)),
    "constant": BASE + np.array([0, 0.1, 0.1]),
}
HASHES = ("scores_sha256", "ratings_sha256", "predictions_sha256")
STUDIED = dict(ORIGIN) | dict.fromkeys(HASHES, "0") | {"randomness": {}}
SIZES = {"n_train": 90, "n_test": 10}
RANKS = {"blocks": "datasets", "compares": "ranks"}
KINDS = {
    "cases": ({}, {"blocks": "cases"}),
    "two on cases": ({"two": True}, {"blocks": "cases"}),
    "cases, control": ({}, {"blocks": "cases", "control": "A"}),
    "cases in clusters": ({"clusters": True}, {"blocks": "cases"}),
    "cases, one family": ({"metrics": 2}, {"blocks": "cases", "family": "all"}),
    "data sets": ({}, {"blocks": "datasets"}),
    "data sets, control": ({}, {"blocks": "datasets", "control": "B"}),
    "data sets, means": ({}, {"blocks": "datasets", "compares": "means"}),
    "ranks": ({}, RANKS),
    "ranks, control": ({}, RANKS | {"control": "B"}),
    "aligned ranks": ({}, RANKS | {"omnibus": "aligned-ranks"}),
    "quade": ({}, RANKS | {"omnibus": "quade", "adjust": ("holm",)}),
    "permuted": ({}, RANKS | {"adjust": ("max-t", "sign-flips")}),
    "two": ({"two": True}, {"blocks": "datasets"}),
    "two, control": ({"two": True}, {"blocks": "datasets", "control": "A"}),
    "two, margin": (
        {"two": True},
        {"blocks": "datasets", "margin": 0.5, "hypothesis": "equivalence"},
    ),
    "two on folds": ({"two": True}, {"blocks": "folds", **SIZES}),
    "folds": ({}, {"blocks": "folds"}),
    "folds, corrected": ({}, {"blocks": "folds", **SIZES}),
    "folds, held out": ({}, {"blocks": "folds", "protocol": "held-out"}),
    "folds, control": ({}, {"blocks": "folds", "control": "C"}),
    "folds, together": ({"metrics": 2}, {"blocks": "folds", **SIZES}),
    "many": ({"many": True}, {}),
    "many, ranks": ({"many": True}, {"compares": "ranks"}),
    "many, wins": ({"many": True}, {"compares": "wins"}),
    "many, means": ({"many": True}, {"compares": "means"}),
    "many, two": ({"many": True, "two": True}, {"compares": "means"}),
}
SIGNED = re.compile(r"(?<![\w.])[-−]0(?:\.0*)?(?![\d.\w])")
NOISE = re.compile(r"\de[-−](?:1[3-9]|[2-9]\d|\d{3})\b")


def scores(x, two=False, many=False, metrics=1, clusters=False):
    """Return a table as scores; two algorithms of a symmetric one change places."""
    if two:
        x = x[:, :2]
        swapped = np.arange(12) % 2 == 1
        if np.ptp(np.round(x[:, 0] - x[:, 1], 9)):
            x = np.where(swapped[:, None], np.roll(x, 1, axis=0)[:, ::-1], x)
    values = np.stack([x, x[::-1]][:metrics], axis=2)
    return pc.Scores(
        values,
        tuple(f"b{i}" for i in range(12)),
        tuple("ABC"[: x.shape[1]]),
        (pc.Metric("score", "higher"), pc.Metric("loss", "lower"))[:metrics],
        tuple(f"d{i // 3}" for i in range(12)) if many else None,
        clusters=tuple("uvwx" * 3) if clusters else None,
    )


def texts_of(comparison):
    """Yield name and text of everything that a comparison shows."""
    told = ComparisonReport(comparison)
    origin = dict(ORIGIN) | {"scores_sha256": "0", "randomness": told.randomness()}
    report = told.report(origin)
    yield "page", "\n".join([plain(report.subtitle), *blocks(report.document().blocks)])
    yield "terminal", comparison.summary()
    for result in report.results:
        for name, table in result.tables.items():
            yield f"{result.prefix}{name}.csv", to_csv(table)


@pytest.mark.parametrize("kind", KINDS)
def test_no_report_has_a_signed_zero_or_what_rounding_left(kind):
    form, plan = KINDS[kind]
    for table, x in TABLES.items():
        found = dict(texts_of(pc.compare(scores(x, **form), pc.Plan(**plan))))
        assert any(name.endswith(".csv") for name in found)
        for name, text in found.items():
            assert not SIGNED.search(text), (table, name, SIGNED.search(text))
            assert not NOISE.search(text), (table, name, NOISE.search(text))


def shown(report, result):
    """Yield name and text of everything that a report of another kind shows."""
    yield "page", "\n".join([plain(report.subtitle), *blocks(report.document().blocks)])
    yield "terminal", result.summary() if hasattr(result, "summary") else ""
    for one in report.results:
        for name, table in one.tables.items():
            yield f"{one.prefix}{name}.csv", to_csv(table)


def models(x):
    """Yield models of a table, with a page each."""
    rows = [(f"b{i}", "ABC"[j], x[i, j], x[-1 - i, j]) for i, j in np.ndindex(x.shape)]
    frame = pd.DataFrame(rows, columns=["block", "alg", "y", "z"])
    for formula, within in [
        ("y ~ alg", "block"),
        ("y ~ block + alg", None),
        ("cbind(y, z) ~ alg", "block"),
        ("y ~ 0 + alg", None),
    ]:
        model = pc.linear_model(frame, formula, within=within)
        yield model_report(fitted_report(model), STUDIED), model


def readings(x):
    """Yield analyses of three readers of twelve cases, with a page each."""
    columns = ["reader", "case", "modality", "truth", "rating"]
    rows = [
        (f"r{r}", f"c{c}", "ABC"[j], c % 2, x[c, (r + j) % 3])
        for c, r, j in np.ndindex(12, 3, 3)
    ]
    names = {name: name for name in columns}
    ratings = pc.Ratings.from_frame(pd.DataFrame(rows, columns=columns), **names)
    for options in (
        {},
        {"margin": 0.1, "hypothesis": "equivalence"},
        {"method": "dbm"},
    ):
        found = pc.mrmc(ratings, **options)
        yield mrmc_report(found, None, 0.05, STUDIED, readers_left_out(found)), found


def curves(x):
    """Yield a comparison of curves of one test set, with its page."""
    columns = ["algorithm", "block", "case", "label", "score"]
    rows = [("ABC"[j], "t", f"c{i}", i % 2, x[i, j]) for i, j in np.ndindex(x.shape)]
    names = {name: name for name in columns}
    frame = pd.DataFrame(rows, columns=columns)
    found = pc.compare_curves(pc.Predictions.from_frame(frame, positive=1, **names))
    yield curves_report(found, STUDIED), found


@pytest.mark.parametrize("made", [models, readings, curves])
def test_nor_has_a_report_of_another_kind(made):
    for table, x in TABLES.items():
        for report, result in made(x):
            for name, text in shown(report, result):
                assert not SIGNED.search(text), (table, name, SIGNED.search(text))
                assert not NOISE.search(text), (table, name, NOISE.search(text))


def test_symmetric_differences_of_six_data_sets_are_zero():
    x = [[0.95, 0.94], [0.97, 0.98], [0.7, 0.76], [0.84, 0.83], [0.83, 0.82]]
    x = np.array([*x, [0.95, 0.96]])
    names = tuple("abcdef"), ("A", "B"), (pc.Metric("accuracy", "higher"),)
    found = pc.compare(pc.Scores(x[:, :, None], *names), pc.Plan(blocks="datasets"))
    text = found.summary()
    assert "(Hodges-Lehmann difference 0.000, 95% CI [" in text
    assert not SIGNED.search(text)


def test_numbers_that_round_to_zero_have_no_sign():
    for rule in ("half-even", "half-away"):
        with rounded(rule):
            assert fixed(-0.0, 2) == fixed(-1e-9, 2) == "0.00"
            assert significant(-0.0, 3) == "0" and number(-0.0) == "0"
            assert fixed(-0.06, 1) == "-0.1"


def test_files_have_no_signed_zero():
    assert columns_csv([("x", [-0.0, 1.0, float("nan")])]) == 'x\n0.0\n1.0\n""\n'
    assert columns_csv([("x", [-0.0, "a"])]) == "x\n0.0\na\n"
    for value in (-0.0, np.float64(-0.0), np.array([-0.0]), [-0.0]):
        assert "-" not in str(for_json(value))


def test_a_share_below_zero_is_no_share():
    text = pc.compare(scores(ROTATED), pc.Plan(blocks="folds", **SIZES)).summary()
    assert "no visible share of the within-fold variance" in text
    assert "-18%" not in text and "−0.1" not in text.split("omega squared")[-1][:40]


@pytest.mark.parametrize("seed", range(10))
def test_means_and_medians_of_mirrored_differences_are_zero(seed):
    rng = np.random.default_rng(seed)
    x = np.round(rng.random((6, 2)), 2)
    both = scores_of(np.concatenate([x, x[:, ::-1]]) * 10.0 ** rng.integers(-3, 4))
    assert pc.paired_t(both).estimate == pc.paired_t(both).statistic == 0
    assert pc.wilcoxon(both).estimate == 0
    assert (pc.hodges_lehmann(both).table["estimate"] == 0).all()
    assert (pc.superiority(both).table["median_difference"] == 0).all()


def scores_of(x):
    names = tuple(map(str, range(len(x)))), ("A", "B"), (pc.Metric("y", "lower"),)
    return pc.Scores(x[:, :, None], *names)
