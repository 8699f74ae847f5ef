"""Reports over several data sets: sentences, tables, diagrams and CSV say the same."""

import json
import re
import xml.etree.ElementTree as ET

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pycompare as pc
from pycompare.designs.quantity import QUANTITIES
from pycompare.reporting.analyses import multiple_datasets as tables
from pycompare.reporting.comparison_report import report_of
from pycompare.reporting.content import build, win_tables
from tests.methods.over_datasets.many import counts
from tests.methods.over_datasets.many_folds import folds_of
from tests.shown import marked_pairs, texts

ODD = ["<script>alert(1)</script>", '=1+1"', "{{7*7}} é", "$x_1$ %s"]


@pytest.fixture(scope="module")
def comparison():
    return pc.compare(folds_of([5, 6] * 5, effect=0.5), pc.Plan(protocol="held-out"))


@pytest.fixture(scope="module")
def folder(comparison, tmp_path_factory):
    return pc.report(comparison, tmp_path_factory.mktemp("report") / "out")


def joined(over):
    return {frozenset((i, j)) for c in over.cliques for i in c for j in c if i != j}


@settings(max_examples=40)
@given(
    seed=st.integers(0, 10_000),
    a=st.integers(2, 5),
    effect=st.sampled_from([0.0, 0.4, 1.5]),
    alpha=st.sampled_from([0.001, 0.05, 0.2]),
    better=st.sampled_from(["higher", "lower"]),
    verdict=st.sampled_from(list(QUANTITIES)),
    gate=st.sampled_from(["none", "omnibus"]),
)
def test_sentences_tables_and_cliques_agree(
    seed, a, effect, alpha, better, verdict, gate
):
    scores = folds_of(
        [3, 4, 5, 3, 4, 3], a, seed=seed, effect=effect, metrics={"m": better}
    )
    if a == 2 and verdict == "ranks":
        verdict = "typical-difference"
    if verdict == "typical-difference":
        gate = "none"
    plan = pc.Plan(alpha=alpha, compares=verdict, gate=gate, protocol="held-out")
    comparison = pc.compare(scores, plan)
    [analysis] = comparison.analyses
    over = analysis.planned
    rejected = {
        frozenset((r.algorithm_1, r.algorithm_2))
        for r in over.decisive.table.itertuples()
        if r.p_adjusted <= alpha
    }
    stated = report_of(comparison).statements(analysis)
    outcome = stated.outcome
    assert {fact.pair for fact in outcome.significant} == rejected
    # Shares of wins are higher for the better one, mean ranks lower.
    higher = better == "higher" if over.in_unit else verdict == "wins"
    if verdict == "typical-difference" and a > 2:
        higher = False  # ranks
    sign = -1 if higher else 1
    for fact in outcome.significant:
        values = outcome.values
        if values:
            ahead = sign * (values[fact.object] - values[fact.subject])
            # Ranks by typical differences may be shared, and need not follow a pair.
            assert ahead > 0 or (verdict == "typical-difference" and a > 2)
    assert joined(over) | rejected == {d.pair for d in analysis.decisions}
    assert not joined(over) & rejected
    shown = tables.agreement(analysis, alpha)
    for place, other in enumerate(analysis.over, start=2):
        strong = {
            frozenset(row[0].split(" – "))
            for row in shown.rows
            if not isinstance(row[place], str)
        }
        assert strong == {d.pair for d in other.decisions if d.rejected}
    others = [o for o in analysis.over if o.key != verdict]
    over_others = stated.alternatives[-len(others) :]  # after adjustments and signs
    for other, told in zip(others, over_others, strict=bool(rejected)):
        differ = {fact.pair for fact in told.differs_on(outcome)}
        assert differ == {d.planned.pair for d in analysis.disagree[other.key]}
    assert marked_pairs(build.pairs(over, alpha)) == rejected
    wins = win_tables.wins(analysis.wins)
    counted = sum(n for row in wins.rows for n in row[2:] if n is not None)
    assert counted == sum(d.rejected for on in analysis.each for d in on.decisions)
    listed = texts(tables.summary(analysis, alpha), "significant pairs")
    for text, on in zip(listed, analysis.each, strict=True):
        count = sum(d.rejected for d in on.decisions)
        assert text == f"{count} of {len(on.decisions)}"


def test_the_page_says_what_each_comparison_can_say(folder):
    page = (folder / "report.html").read_text(encoding="utf-8")
    for text in (
        "55 folds of 10 data sets",
        "as the data set column",
        "does not extend to new data sets",
        "as a claim about new data sets needs",
        "the default, whatever the scores",
        "Agreement of the comparisons over data sets",
        "(primary)",
        "Folds share training data",
        "Families of related data sets are not",
        "interaction of algorithm and data set",
        "fold in data set",
    ):
        assert text in page, text
    assert all(f">Data set d{i}</h" in page for i in range(1, 11))
    assert page.count("<script>") == 0


def test_a_verdict_by_the_model_is_about_these_data_sets():
    plan = pc.Plan(compares="model", gate="omnibus", protocol="held-out")
    comparison = pc.compare(folds_of([5] * 6, effect=1.0), plan)
    text = comparison.summary()
    assert tables.NEW_DATASETS in text
    assert "Method: one model of all folds" in text
    told = " ".join(report_of(comparison.only).plan())
    assert "(as specified)" in told and "gate = omnibus" in told


def test_files_hold_full_precision(folder, comparison):
    [analysis] = comparison.analyses
    held = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    [read] = held["analyses"]
    assert read["kind"] == "data sets" and read["compares"] == "typical-difference"
    p = [row["p_adjusted_typical_difference"] for row in read["agreement"]]
    assert p == [d.p_adjusted for d in analysis.decisions]
    pairs = pd.read_csv(folder / "tables" / "data_set_pairs.csv")
    assert len(pairs) == 60
    page = (folder / "report.html").read_text(encoding="utf-8")
    linked = set(re.findall(r'href="tables/([^"]+)" download', page))
    assert linked == {path.name for path in (folder / "tables").iterdir()}


def test_the_r_script_holds_every_result(folder, comparison):
    script = (folder / "reproduce.R").read_text(encoding="utf-8")
    for name in (
        "wins_reference(",
        "sign_grid_reference(",
        "dataset_interaction_reference(",
        "friedman_reference(",
        "anova_reference(",
    ):
        assert f", {name}" in script, name
    calls = len(comparison.analyses[0].results())
    assert script.count("\nresult_") >= calls - 1


OF_SEVERAL = {
    *("typical_differences", "ranks_critical_difference", "means_mean_differences"),
    *("rank_intervals", "win_probabilities", "performance_profiles", "heat_map"),
}


@pytest.mark.parametrize(("a", "named"), [(2, set()), (4, OF_SEVERAL)])
def test_every_picture_is_sound_xml_with_a_text_for_the_blind(a, named):
    comparison = pc.compare(
        folds_of([4] * 9, a, effect=1.5), pc.Plan(alpha=0.2, protocol="held-out")
    )
    made = list(report_of(comparison.only).figures(comparison.analyses[0]))
    assert {"distributions", *named} <= {figure.name for figure in made}
    assert a > 2 or len(made) == 1
    for figure in made:
        assert ET.fromstring(figure.svg).tag.endswith("svg")
        assert len(figure.alt) > 20 and figure.caption


@pytest.mark.parametrize("a", [2, 4])
def test_odd_names_are_escaped(a, tmp_path):
    scores = folds_of([3] * 4, a, metrics={"<b>m</b>": "lower"}, names=ODD[:a])
    out = pc.report(pc.compare(scores, pc.Plan(protocol="held-out")), tmp_path / "out")
    page = (out / "report.html").read_text(encoding="utf-8")
    assert page.count("<script") == 0 and "<b>" not in page
    assert "&lt;script&gt;" in page
    for path in (out / "tables").iterdir():
        text = path.read_text(encoding="utf-8")
        assert "\n=1+1" not in text and ",=1+1" not in text


@pytest.mark.usefixtures("blank_pictures_here")
def test_several_metrics_have_a_section_each_and_one_together(tmp_path):
    scores = folds_of([4] * 8, effect=1.0, metrics={"e": "lower", "auc": "higher"})
    comparison = pc.compare(scores, pc.Plan(protocol="held-out"))
    out = pc.report(comparison, tmp_path / "out")
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "Multivariate analysis of variance, blocked by data sets" in page
    assert "blocked by data sets (rank 2)" in page
    assert len(re.findall(r">Data set d\d</h", page)) == 2 * 8
    assert (out / "tables" / "metric2_agreement.csv").exists()


@pytest.mark.usefixtures("blank_pictures_here")
def test_many_pairs_are_left_to_the_csv_file(tmp_path):
    comparison = pc.compare(
        folds_of([2] * 12, 20, effect=0.3), pc.Plan(protocol="held-out")
    )
    out = pc.report(comparison, tmp_path / "out")
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "The pairs of all data sets are in <a href=" in page
    assert ">tables/data_set_pairs.csv</a>." in page
    assert len(pd.read_csv(out / "tables" / "data_set_pairs.csv")) == 12 * 190


def test_wins_by_total_risk_are_on_the_page(tmp_path):
    plan = pc.Plan(metrics=("fp", "fn"), cost_ratio=1.0, alpha=0.2, protocol="held-out")
    comparison = pc.compare(counts(9, 10, 3, seed=4), plan)
    out = pc.report(comparison, tmp_path / "out")
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "Wins by total risk" in page and "its total risk is lower" in page
    sign = pd.read_csv(out / "tables" / "together_data_sets_sign.csv")
    told = next(
        s for s in comparison.summary().split("\n") if "by total risk" in s.lower()
    )
    won = sign[sign["p_adjusted"] <= 0.2]
    assert all(
        f"{a} than {b}" in told or f"{b} than {a}" in told
        for a, b in zip(won["algorithm_1"], won["algorithm_2"], strict=True)
    )
    assert told.count(" than ") == len(won)
    assert "wins_reference(" in (out / "reproduce.R").read_text(encoding="utf-8")


@pytest.mark.parametrize("blocks", ["datasets", "folds"])
def test_a_gate_is_said_on_every_analysis(blocks):
    scores = pc.dataset_means(folds_of([4] * 12, effect=0.5))
    alone = pc.Scores(scores.values, scores.blocks, scores.algorithms, scores.metrics)
    for gate, text in (("none", "gate = none"), ("omnibus", "gate = omnibus")):
        protocol = "held-out" if blocks == "folds" else None
        compares = "ranks" if blocks == "datasets" else None
        plan = pc.Plan(blocks=blocks, gate=gate, protocol=protocol, compares=compares)
        told = report_of(pc.compare(alone, plan)).plan()
        assert sum(text in sentence for sentence in told) == 1


@pytest.mark.parametrize(
    ("verdict", "of_wins"), [("means", True), ("model", False), ("wins", False)]
)
def test_win_probabilities_are_drawn_where_data_sets_are_a_sample(verdict, of_wins):
    comparison = pc.compare(
        folds_of([4] * 9, 4, effect=1.5), pc.Plan(compares=verdict, protocol="held-out")
    )
    made = [f.name for f in report_of(comparison.only).figures(comparison.analyses[0])]
    assert ("win_probabilities" in made) == of_wins
    assert ("critical_difference" in made) == (verdict == "wins")
