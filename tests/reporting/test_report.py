import json
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pycompare as pc
from pycompare.reporting.analyses import rank_tests
from pycompare.reporting.comparison_report import report_of
from pycompare.reporting.content import build, wording, words
from pycompare.reporting.document import plain
from pycompare.reporting.evidence.csv_text import to_csv
from tests.conftest import wide
from tests.shown import marked_pairs


@pytest.fixture(scope="module")
def comparison():
    return pc.compare(pc.example(), pc.Plan(compares="ranks"))


@pytest.fixture(scope="module")
def folder(comparison, tmp_path_factory):
    out = tmp_path_factory.mktemp("report") / "out"
    return pc.report(comparison, out, command=["pycompare", "compare", "a b.csv"])


def test_the_page_needs_nothing_but_itself(folder):
    page = (folder / "report.html").read_text()
    for address in re.findall(r'(?:src|href)="([^"]*)"', page):
        assert address.startswith(("data:", "#", "tables/", "paper/", "reproduce.R"))
    assert "@import" not in page
    assert "url(" not in page


@pytest.mark.parametrize("algorithms", [2, 3])
def test_the_verdict_warns_where_nobody_said_what_the_blocks_are(algorithms):
    scores = wide(np.random.default_rng(1).random((12, algorithms)))
    silent, said = (
        pc.compare(scores, plan) for plan in (None, pc.Plan(blocks="datasets"))
    )
    assert rank_tests.UNDECLARED in report_of(silent.part(None)).scope()
    assert rank_tests.UNDECLARED in silent.summary()
    wanted = [rank_tests.SCOPE, words.NOT_EQUALITY]
    assert report_of(said.part(None)).scope() == wanted
    if algorithms > 2:
        by_ranks = pc.compare(scores, pc.Plan(blocks="datasets", compares="ranks"))
        scope = report_of(by_ranks.part(None)).scope()
        assert scope == [*wanted, words.AMONG_THESE]


def test_the_page_says_what_a_reviewer_asks(folder, comparison):
    page = (folder / "report.html").read_text()
    for text in (
        comparison.scores.source.sha256,
        "pycompare compare &#39;a b.csv&#39;",
        "reproduce.R",
        "Bergmann-Hommel",
        "higher is better",
        "Random seed",
        "numpy",
    ):
        assert text in page


def test_each_number_of_the_results_file_is_full_precision(folder, comparison):
    held = json.loads((folder / "results.json").read_text())
    [analysis] = comparison.analyses
    [read] = held["analyses"]
    assert read["omnibus"]["p_value"] == analysis.omnibus.p_value
    for pairs, words_of in zip(analysis.pairs, read["pairs_by"], strict=True):
        assert words_of["adjust"] == pairs.adjust
        written = [row[f"p_{pairs.called}"] for row in read["pairs"]]
        assert written == list(pairs.table["p_adjusted"])


def test_every_picture_is_sound_xml_with_a_text_for_the_blind(comparison):
    [analysis] = comparison.analyses
    made = list(report_of(comparison.only).figures(analysis))
    assert [f.name for f in made] == [
        "critical_difference",
        "nemenyi",
        "mean_ranks",
        "rank_intervals",
        "win_probabilities",
        "performance_profiles",
        "heat_map",
        "distributions",
    ]
    for figure in made:
        assert ET.fromstring(figure.svg).tag.endswith("svg")
        assert figure.alt and figure.caption


def test_pictures_of_pairs_draw_what_the_primary_analysis_decides(comparison):
    [analysis] = comparison.analyses
    made = {f.name: f.draw for f in report_of(comparison.only).figures(analysis)}
    won = made["win_probabilities"].args[0]
    assert won.simultaneous and won.control is None
    assert won.blocks.algorithms == analysis.decisive.algorithms
    drawn = made["rank_intervals"].args[0]
    assert drawn is comparison.only.rank_sets[analysis.metric.name]
    assert made["heat_map"].args[0] is comparison.compared


def test_pictures_are_the_same_bytes_again(comparison):
    [analysis] = comparison.analyses
    first, second = (report_of(comparison.only).figures(analysis) for _ in range(2))
    assert [f.svg for f in first] == [f.svg for f in second]


def test_csv_tables_hold_no_formula():
    import pandas as pd

    table = pd.DataFrame({"=a": ["=1+1", "@x", "-y", "+z", " =q", "plain"], "n": -1.5})
    text = to_csv(table)
    cells = [cell for line in text.splitlines() for cell in line.split(",")]
    assert not any(c.lstrip()[:1] in ("=", "+", "@") for c in cells)
    assert "-1.5" in text  # numbers stay numbers
    assert "'-y" in text


@settings(max_examples=25)
@given(
    seed=st.integers(0, 10_000),
    a=st.integers(3, 6),
    spread=st.sampled_from([0.0, 0.3, 1.0, 3.0]),
    adjust=st.sampled_from(["bergmann-hommel", "holm", "BH", "nemenyi", "rom"]),
    alpha=st.sampled_from([0.001, 0.05, 0.2]),
)
def test_table_matrix_cliques_and_sentences_agree(seed, a, spread, adjust, alpha):
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(size=(12, a)) + spread * np.arange(a), 1)
    comparison = pc.compare(
        wide(x), pc.Plan(compares="ranks", alpha=alpha, adjust=(adjust,))
    )
    [analysis] = comparison.analyses
    table = analysis.decisive.table
    rejected = {
        frozenset((r.algorithm_1, r.algorithm_2))
        for r in table.itertuples()
        if r.p_adjusted <= alpha
    }
    outcome = report_of(comparison).statements(analysis).outcome
    assert {fact.pair for fact in outcome.significant} == rejected
    matrix = analysis.decisive.matrix()
    for pair in rejected:
        i, j = sorted(pair)
        assert matrix.loc[i, j] <= alpha
    joined = {
        frozenset((i, j))
        for clique in analysis.cliques
        for i in clique
        for j in clique
        if i != j
    }
    assert not joined & rejected
    assert len(joined) + len(rejected) == a * (a - 1) // 2
    assert marked_pairs(build.pairs(analysis, alpha)) == rejected
    positions = analysis.decisive.positions
    for fact in outcome.significant:
        assert positions[fact.subject] < positions[fact.object]


def test_a_significant_omnibus_without_a_pair_is_said():
    rng = np.random.default_rng(0)
    for _ in range(400):
        x = rng.normal(size=(8, 4)) + 0.6 * np.arange(4)
        comparison = pc.compare(
            wide(x), pc.Plan(compares="ranks", adjust=("bonferroni",))
        )
        [analysis] = comparison.analyses
        told = list(words.at_odds(analysis, analysis.omnibus, 0.05))
        any_pair = any(d.rejected for d in analysis.decisions)
        if analysis.omnibus.rejected(0.05) and not any_pair:
            assert len(told) == 1
            return
    pytest.fail("no such table in 400")


def answer_of(comparison):
    [analysis] = comparison.analyses
    return plain(wording.answer(report_of(comparison).statements(analysis).outcome))


def test_the_answer_names_the_leader_and_whom_it_does_not_differ_from(comparison):
    text = answer_of(comparison)
    assert text.startswith("C4.5 has a significantly better mean rank than CN2, 1-NN")
    assert text.endswith("It does not differ significantly from NaiveBayes.")


def test_a_tied_lead_is_shared():
    x = [[1, 2, 3], [2, 1, 3], [1, 2, 3], [2, 1, 3.0]]
    text = answer_of(pc.compare(wide(x, "lower"), pc.Plan(compares="ranks")))
    assert "A1 and A2 share the best mean rank (1.50)." in text


def test_an_answer_without_a_difference_names_the_closest_pair():
    text = answer_of(pc.compare(wide(np.random.default_rng(5).normal(size=(9, 4)))))
    assert text.startswith("No pair of the four algorithms differs significantly in")
    assert "The closest comparison is " in text


def test_doubtful_tables_are_asked_about():
    x = np.random.default_rng(1).normal(size=(3, 5))
    assert "transposed" in " ".join(report_of(pc.compare(wide(x)).only).limits())
    import pandas as pd

    frame = pd.DataFrame(x.T, columns=["0.1", "0.2", "0.3"])
    scores = pc.Scores.from_wide(frame, metric="m", better="lower")
    assert "header" in " ".join(report_of(pc.compare(scores).only).limits())
