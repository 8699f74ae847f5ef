"""Reports over folds: every sentence, table and letter says the same."""

import json
import math
import re
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.text import Text

import pycompare as pc
from pycompare.reporting.analyses import blocked_anova
from pycompare.reporting.analyses import multivariate as vectors
from pycompare.reporting.comparison_report import report_of
from pycompare.reporting.content import fold_words, words
from tests.conftest import wide
from tests.shown import marked_pairs

SIZES = {"n_train": 216, "n_test": 24}
ODD = ["<script>alert(1)</script>", '=1+1"', "{{7*7}} é", "$x_1$ %s"]


def values(n=10, a=4, seed=1, spread=0.5):
    rng = np.random.default_rng(seed)
    blocks = rng.normal(size=(n, 1))
    return rng.normal(size=(n, a)) + blocks + spread * np.arange(a)


@pytest.fixture(scope="module")
def comparison():
    return pc.compare(pc.example("folds"), pc.Plan(**SIZES))


@pytest.fixture(scope="module")
def folder(comparison, tmp_path_factory):
    return pc.report(comparison, tmp_path_factory.mktemp("report") / "out")


@settings(max_examples=40)
@given(
    seed=st.integers(0, 10_000),
    a=st.integers(3, 6),
    spread=st.sampled_from([0.0, 0.4, 1.0, 3.0]),
    adjust=st.sampled_from(["tukey", "scheffe", "holm", "bergmann-hommel", "BH"]),
    alpha=st.sampled_from([0.001, 0.05, 0.2]),
    better=st.sampled_from(["higher", "lower"]),
    gap=st.booleans(),
)
def test_table_letters_cliques_and_sentences_agree(
    seed, a, spread, adjust, alpha, better, gap
):
    x = values(9, a, seed, spread)
    if gap:
        x[2, 1] = np.nan
    scores = wide(x, better, missing="model" if gap else "error")
    plan = pc.Plan(blocks="folds", alpha=alpha, adjust=(adjust,), n_train=9, n_test=1)
    comparison = pc.compare(scores, plan)
    [analysis] = comparison.analyses
    rejected = {
        frozenset((r.algorithm_1, r.algorithm_2))
        for r in analysis.decisive.table.itertuples()
        if r.p_adjusted <= alpha
    }
    stated = report_of(comparison).statements(analysis)
    outcome = stated.outcome
    assert {fact.pair for fact in outcome.significant} == rejected
    means = analysis.omnibus.means
    square = analysis.decisive.matrix("estimate")
    for fact in outcome.significant:
        winner, loser = fact.subject, fact.object
        assert fact.estimate == square.loc[winner, loser]
        assert (fact.estimate > 0) == (better == "higher")
        if not (gap and analysis.corrected_decides):
            assert (means[winner] > means[loser]) == (better == "higher")
    matrix = analysis.decisive.matrix()
    assert all(matrix.loc[tuple(sorted(pair))] <= alpha for pair in rejected)
    shared = {
        frozenset((i, j))
        for i in means.index
        for j in means.index
        if i < j and set(analysis.letters[i]) & set(analysis.letters[j])
    }
    joined = {
        frozenset((i, j))
        for clique in analysis.cliques
        for i in clique
        for j in clique
        if i != j
    }
    assert joined == shared
    assert not joined & rejected
    assert len(joined) + len(rejected) == a * (a - 1) // 2
    assert analysis.corrected_decides == (adjust not in ("tukey", "scheffe"))
    primary, _ = blocked_anova.pairs(comparison.only, analysis, alpha)
    assert marked_pairs(primary) == rejected
    *others, ranks = stated.alternatives
    differ = {fact.pair for fact in ranks.differs_on(outcome)}
    assert differ == {d.planned.pair for d in analysis.ranks_disagree} - ranks.hopeless
    with_pairs = [other for other in others if other.significant is not None]
    [other] = [
        one
        for one in with_pairs
        if (one.assumes == blocked_anova.CORRECTED) != analysis.corrected_decides
    ] or [None]
    assert other is not None
    differ = {fact.pair for fact in other.differs_on(outcome)}
    assert differ == {d.planned.pair for d in analysis.other_disagrees}


@settings(max_examples=40)
@given(
    seed=st.integers(0, 10_000),
    spread=st.sampled_from([0.0, 0.5, 1.5]),
    alpha=st.sampled_from([0.001, 0.05, 0.2]),
    better=st.sampled_from(["higher", "lower"]),
    corrected=st.booleans(),
)
def test_two_algorithms_sentence_and_tables_agree(
    seed, spread, alpha, better, corrected
):
    sizes = {"n_train": 9, "n_test": 1} if corrected else {"protocol": "held-out"}
    plan = pc.Plan(blocks="folds", alpha=alpha, **sizes)
    comparison = pc.compare(wide(values(9, 2, seed, spread), better), plan)
    [analysis] = comparison.analyses
    outcome = report_of(comparison).statements(analysis).outcome
    said = [(fact.subject,) for fact in outcome.significant]
    assert len(said) == (analysis.test.p_value <= alpha)
    x = comparison.compared.column()
    for (winner,) in said:
        ahead = x[:, int(winner[1]) - 1].mean() > x[:, 2 - int(winner[1])].mean()
        assert ahead == (better == "higher")
    assert outcome.method.startswith("Corrected resampled" if corrected else "Paired t")


def test_the_page_says_what_folds_can_and_cannot_say(folder):
    page = (folder / "report.html").read_text()
    for text in (
        "new training and test sets drawn from this one data set",
        "If all training sets share one test set",
        "Folds share training data",
        "Nadeau and Bengio 2003",
        "8.50 times the variance",
        "Greenhouse-Geisser",
        "Mauchly&#39;s test",
        "Shapiro-Wilk",
        "Brown-Forsythe",
        "dditivity",
        "Scheffé",
        "share a letter",
        "Rank analysis (sensitivity)",
        "the data set column holds no other",
    ):
        assert text in page, text
    assert "gives no sizes of training and test sets" not in page


def test_without_the_sizes_the_page_asks_for_them():
    told = pc.compare(pc.example("folds")).summary()
    assert fold_words.TO_TEST in told and "no claim" in told


def test_the_r_script_holds_every_result(folder, comparison):
    script = (folder / "reproduce.R").read_text()
    for name in (
        "anova_reference(",
        "mean_pairs_reference(",
        "corrected_pairs_reference(",
        "residuals_reference(",
        "friedman_reference(",
        "rank_pairs_reference(",
    ):
        assert f", {name}" in script, name
    calls = sum(len(a.results()) for a in comparison.analyses)
    assert script.count("\nresult_") >= calls


def test_files_hold_full_precision(folder, comparison):
    held = json.loads((folder / "results.json").read_text())
    for analysis, read in zip(comparison.analyses, held["analyses"], strict=True):
        assert read["kind"] == "means"
        assert read["omnibus"]["p_value"] == analysis.omnibus.p_value
        by_name = {p.adjust: p.table["p_adjusted"].tolist() for p in analysis.pairs}
        assert [row["p_tukey"] for row in read["pairs"]] == by_name["tukey"]
        assert read["decisions"][0]["p_adjusted"] == analysis.decisions[0].p_adjusted
        assert read["ranks"]["omnibus"]["p_value"] == analysis.ranks.omnibus.p_value
    assert held["blocks_asked"] == "by-columns"
    assert held["provenance"]["seed"] == 0
    names = {path.name for path in (folder / "tables").iterdir()}
    for name in ("anova", "pairs", "means", "checks", "sphericity", "corrected"):
        assert {f"metric1_{name}.csv", f"metric2_{name}.csv"} <= names
    assert "metric1_ranks_pairs.csv" in names


def test_every_picture_is_sound_xml_with_a_text_for_the_blind(comparison):
    first = comparison.analyses[0]
    made = list(report_of(comparison.only).figures(first))
    assert [f.name for f in made] == [
        "mean_differences",
        "rank_intervals",
        "distributions",
        "residuals",
        "normal_quantiles",
        "ranks_critical_difference",
    ]
    for figure in made:
        assert ET.fromstring(figure.svg).tag.endswith("svg")
        assert len(figure.alt) > 20 and figure.caption


@pytest.mark.parametrize("a", [2, 4])
def test_odd_names_are_escaped_on_both_analyses(a, tmp_path):
    frame = pd.DataFrame(values(9, a), columns=ODD[:a])
    scores = pc.Scores.from_wide(frame, metric="<b>m</b>", better="lower")
    options = {"margin": 1.0, "hypothesis": "equivalence"} if a == 2 else {}
    plan = pc.Plan(blocks="folds", **SIZES, **options)
    out = pc.report(pc.compare(scores, plan), tmp_path / "out")
    page = (out / "report.html").read_text()
    assert page.count("<script") == 0 and "<b>" not in page
    assert "&lt;script&gt;" in page
    for path in (out / "tables").iterdir():
        text = path.read_text()
        assert "\n=1+1" not in text and ",=1+1" not in text


def test_two_algorithms_on_a_page(tmp_path):
    scores = pc.example("folds").select(algorithms=["QDA", "LDA"])
    plan = pc.Plan(metrics=("error",), margin=0.02, hypothesis="equivalence", **SIZES)
    out = pc.report(pc.compare(scores, plan), tmp_path / "out")
    page = (out / "report.html").read_text().replace("\xa0", " ")
    for text in (
        "Do QDA and LDA differ in error (lower is better), on 30 folds",
        "Corrected resampled t test, QDA minus LDA",
        "Cohen&#39;s d_z",
        "Wilcoxon",
        "sign test",
        "Equivalence of QDA and LDA is not shown within [−0.02, 0.02]",
        "Paired t test (p &lt; 0.001)",
        "The decision changes",
    ):
        assert text in page, text
    names = {path.name for path in (out / "tables").iterdir()}
    assert names == {
        "tests.csv", "equivalence.csv", "firmness.csv", "firmness_margin.csv",
    }  # fmt: skip


def test_missing_cells_are_named(tmp_path):
    x = values(10, 3)
    x[4, 2] = np.nan
    plan = pc.Plan(blocks="folds", **SIZES)
    out = pc.report(pc.compare(wide(x, missing="model"), plan), tmp_path / "out")
    page = (out / "report.html").read_text()
    assert "1 of 30 cells are missing." in page
    assert "1 cell was missing: 5 / A3 / score" in page
    assert "exact general linear model" in page
    assert "Tukey-Kramer" in page
    assert not (out / "tables" / "sphericity.csv").exists()


@pytest.mark.parametrize("control, first", [("9-NN", "QDA"), ("QDA", "9-NN")])
def test_the_ellipse_has_the_control_second(control, first):
    frame = pc.example("folds").to_frame()
    two = frame[frame["algorithm"].isin(["QDA", "9-NN"])]
    scores = pc.Scores.from_frame(
        two,
        algorithm="algorithm",
        block="block",
        metrics={"error": "lower", "auc": "higher"},
    )
    found = pc.compare(
        scores, pc.Plan(blocks="folds", protocol="held-out", control=control)
    )
    figures = {f.name: f for f in vectors.figures_of(found, found.together)}
    axes = figures["difference_ellipse"].draw()
    told = " ".join(t.get_text() for t in axes.figure.findobj(Text))
    assert f"{first} (first) minus {control} (second)" in told


@pytest.mark.parametrize("blocks", ["folds", "datasets"])
def test_dropped_blocks_stand_beside_the_verdict(blocks):
    x = values(10, 3)
    x[4, 2] = np.nan
    told = pc.compare(wide(x, missing="drop-block"), pc.Plan(blocks=blocks)).summary()
    assert "1 of 10 blocks are dropped because cells are missing." in told
    assert "concern the other 9," in told
    assert "are dropped" not in pc.compare(wide(values(10, 3))).summary()


def test_scores_that_do_not_differ_are_said_not_decided(tmp_path):
    for a in (2, 3):
        x = np.arange(6.0)[:, None] + np.zeros(a)
        comparison = pc.compare(wide(x), pc.Plan(blocks="folds", **SIZES))
        text = comparison.summary()
        assert "No difference can be tested" in text and "Reason: " in text
        assert "better than" not in text and "nan" not in text.lower()
        assert pc.report(comparison, tmp_path / f"out{a}").exists()


def test_a_perfect_fit_is_said_on_the_page(tmp_path):
    x = np.arange(6.0)[:, None] + np.array([0.0, 1.0, 2.0])
    comparison = pc.compare(
        wide(x, "lower"), pc.Plan(blocks="folds", protocol="held-out")
    )
    assert math.isinf(comparison.analyses[0].omnibus.statistic)
    assert "Beware of a perfect fit" in comparison.summary()
    assert pc.report(comparison, tmp_path / "out").exists()


def test_endless_disagreements_are_cut_and_counted():
    plan = pc.Plan(blocks="folds", adjust=("tukey", "BH"), n_train=1, n_test=1)
    comparison = pc.compare(wide(values(12, 20, 3, 0.3)), plan)
    assert len(comparison.analyses[0].other_disagrees) > 50
    told = comparison.summary()
    [verdict] = [line for line in told.splitlines() if "decisions hold" in line]
    assert " more change" in verdict and len(re.findall(" – ", verdict)) <= 8


def test_many_algorithms_still_make_a_page(tmp_path):
    comparison = pc.compare(
        wide(values(8, 40, 3, 0.1)),
        pc.Plan(blocks="folds", protocol="held-out", adjust=("tukey", "holm")),
    )
    out = pc.report(comparison, tmp_path / "out")
    assert "in score on eight folds" in (out / "report.html").read_text(
        encoding="utf-8"
    )


def several(*tables, missing="error"):
    frames = []
    for k, x in enumerate(tables):
        long = pd.DataFrame(x).rename_axis("fold").reset_index()
        frames.append(long.melt("fold", var_name="name", value_name=f"m{k}"))
    frame = frames[0]
    for other in frames[1:]:
        frame = frame.merge(other, on=["fold", "name"])
    frame = frame.assign(name="A" + frame["name"].astype(str))
    return pc.Scores.from_frame(
        frame,
        algorithm="name",
        block="fold",
        metrics={f"m{k}": "higher" for k in range(len(tables))},
        missing=missing,
    )


def told(scores, **plan):
    plan = plan or {"protocol": "held-out"}
    return pc.compare(scores, pc.Plan(blocks="folds", **plan)).summary()


def test_an_estimate_outside_its_interval_is_not_given_as_its_centre():
    scores = wide(values(5, 20, 0, 0.0))
    test = pc.anova(scores)
    assert test.partial_eta2.estimate > test.partial_eta2.conf_high
    omega2 = test.omega2.estimate
    assert omega2 < 0
    assert "explain no visible share of the within-fold" in told(scores)


def test_two_folds_have_one_correction_for_sphericity():
    [part] = pc.compare(
        wide(values(2, 3)), pc.Plan(blocks="folds", protocol="held-out")
    ).parts
    others = report_of(part).statements(part.analyses[0]).alternatives
    names = [one.name for one in others]
    assert "ANOVA, Greenhouse-Geisser" in names and "ANOVA, Huynh-Feldt" not in names


@pytest.mark.parametrize("a", [2, 3])
def test_nothing_is_called_corrected_that_is_not(a):
    x = values(8, a, 2)
    x[:, 1] = x[:, 0] + 0.25
    text = told(wide(x), **SIZES)
    if a == 2:
        assert "estimate without a test" in text
    else:
        assert "1 of 3 pairs has the same difference in all folds" in text


def test_an_omnibus_rejection_is_not_laid_upon_the_control():
    noise = np.random.default_rng(2).normal(size=(12, 4))
    scores = wide(noise + np.array([1.0, -1.0, 0.0, 0.0]))
    plan = pc.Plan(blocks="folds", protocol="held-out", control="A3", alpha=0.01)
    [analysis] = pc.compare(scores, plan).analyses
    [text] = words.at_odds(analysis, analysis.omnibus, 0.01)
    assert "no comparison with the control" in text


def test_metrics_together_say_what_is_left_out_and_never_lose_the_caveat():
    gap = values(8, 3, 2)
    gap[0, 0] = np.nan
    text = told(several(values(8, 3), gap, missing="model"))
    assert "1 of 24 cells lack one of the metrics" in text
    perfect = np.zeros((8, 1)) + np.arange(3.0)
    text = told(several(values(8, 3), perfect))
    assert "Not computed: Multivariate analysis" in text
    assert vectors.INDEPENDENT in text
    text = told(several(values(8, 3), np.full((8, 3), 0.5)))
    assert "m1 = 0.5" in text


def test_r_has_the_means_in_the_order_of_the_page():
    x, y = values(8, 4), values(8, 4, 2)
    x[0, 0] = np.nan
    test = pc.manova(several(x, y, missing="model"))
    assert list(test.r_call().arguments["algorithms"]) == list(test.means.index)
    assert test.r_call().arguments["algorithm"][0] != test.means.index[0]


def test_rounding_before_ranking_is_told():
    scores = wide(values(8, 3))
    for decimals, told_how in ((None, "64 units"), (1, "rounded to 1 decimals")):
        plan = pc.Plan(blocks="folds", protocol="held-out", decimals=decimals)
        sentences = " ".join(report_of(pc.compare(scores, plan).only).plan())
        assert told_how in sentences
        assert ("Only ranks are of rounded scores" in sentences) == (decimals == 1)
