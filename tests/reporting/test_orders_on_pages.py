"""Orderings on pages agree with the tables."""

import html
import re
from itertools import combinations

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pycompare as pc
from pycompare.reporting.analyses import vectors_on_datasets
from pycompare.reporting.content import orderings
from pycompare.reporting.content.page import PageResult
from pycompare.reporting.document import OrderingTable, plain, walk
from tests.methods.over_datasets.many_folds import folds_of

pytestmark = pytest.mark.usefixtures("blank_pictures")

TWO = {"error": "lower", "auc": "higher"}


def not_rejected(pairs, alpha):
    table = pairs.table
    return {
        frozenset((r.algorithm_1, r.algorithm_2))
        for r in table.itertuples()
        if not r.p_adjusted <= alpha
    }


def joined_in(table, kind):
    """Pairs that share a line of one kind of groups in a table of the page."""
    return {
        frozenset(pair)
        for title, marks in table.groups
        if title.endswith(f", {kind}")
        for pair in combinations(
            [n for n, m in zip(table.names, marks, strict=True) if m == "member"], 2
        )
    }


def orderings_in(blocks):
    return [block for block in walk(blocks) if isinstance(block, OrderingTable)]


@settings(max_examples=15)
@given(
    seed=st.integers(0, 10_000),
    a=st.integers(3, 5),
    effect=st.sampled_from([0.0, 0.7, 2.0]),
    alpha=st.sampled_from([0.001, 0.05, 0.2]),
    adjust=st.sampled_from(["tukey", "holm", "bergmann-hommel"]),
    sizes=st.booleans(),
)
def test_lines_on_the_page_of_folds_are_the_verdicts(
    seed, a, effect, alpha, adjust, sizes
):
    scores = folds_of([9], a, seed=seed, effect=effect, metrics=TWO)
    given_sizes: dict = {"protocol": "held-out"}
    if sizes:
        given_sizes = {"n_train": 80, "n_test": 10}
    plan = pc.Plan(alpha=alpha, adjust=(adjust,), **given_sizes)
    comparison = pc.compare(scores, plan)
    found = comparison.together
    tables = orderings_in([orderings.orderings(found.orders, "file")])
    assert len(tables) == 2
    for table, analysis in zip(tables, comparison.analyses, strict=True):
        assert joined_in(table, "alone") == not_rejected(analysis.decisive, alpha)
        assert joined_in(table, "together") == not_rejected(found.pairs, alpha)
        means = pd.Series(
            scores.column(analysis.metric.name).mean(axis=0), scores.algorithms
        )[list(table.names)]
        better = analysis.metric.better
        assert (means.diff().dropna() * (1 if better == "lower" else -1) >= 0).all()


@settings(max_examples=8)
@given(
    seed=st.integers(0, 10_000),
    alpha=st.sampled_from([0.01, 0.05, 0.2]),
    gate=st.sampled_from(["none", "omnibus"]),
    verdict=st.sampled_from(["ranks", "wins", "means", "model"]),
)
def test_lines_on_each_data_set_are_its_own_decisions(seed, alpha, gate, verdict):
    scores = folds_of([7, 8, 9], 4, seed=seed, effect=0.8, metrics=TWO)
    comparison = pc.compare(
        scores, pc.Plan(alpha=alpha, gate=gate, compares=verdict, protocol="held-out")
    )
    found = comparison.datasets_together
    [fold] = vectors_on_datasets.on_each(found)
    _, *parts = fold.blocks
    assert [part.title for part in parts] == [
        f"Orderings on {name}" for name in ("d1", "d2", "d3")
    ]
    for place, (part, on) in enumerate(zip(parts, found.each, strict=True)):
        for table, analysis in zip(part.blocks, comparison.analyses, strict=True):
            own = analysis.each[place].decisive
            assert joined_in(table, "alone") == not_rejected(own, alpha)
            assert joined_in(table, "together") == not_rejected(on.pairs, alpha)


def test_over_data_sets_lines_are_those_of_the_comparison_that_decides():
    scores = folds_of([5] * 9, 4, effect=0.8, metrics=TWO)
    for verdict in ("typical-difference", "ranks", "wins", "means", "model"):
        comparison = pc.compare(scores, pc.Plan(compares=verdict, protocol="held-out"))
        found = comparison.together.orders.alone.orderings
        for one, analysis in zip(found, comparison.analyses, strict=True):
            assert set(one.groups) == {
                tuple(sorted(g, key=one.algorithms.index))
                for g in pc.cliques(analysis.planned.decisive)
            }


def test_there_are_no_orderings_against_a_control_or_of_two():
    scores = folds_of([9], 4, metrics=TWO)
    assert (
        pc.compare(scores, pc.Plan(control="A1", protocol="held-out")).together.orders
        is None
    )
    two = scores.select(algorithms=["A1", "A2"])
    assert pc.compare(two, pc.Plan(protocol="held-out")).together.orders is None


def test_the_page_has_accessible_lines_and_odd_names_are_escaped(tmp_path):
    odd = ["<script>alert(1)</script>", "=1+1", "$x$", "b"]
    scores = folds_of([9], 4, effect=2.5, metrics=TWO, names=odd)
    out = pc.report(pc.compare(scores, pc.Plan(protocol="held-out")), tmp_path / "out")
    page = (out / "report.html").read_text(encoding="utf-8")
    tables = re.findall(r'<table class="ordering".*?</table>', page, re.S)
    assert len(tables) == 2 and page.count("<script") == 0
    for table in tables:
        heads = re.findall(r'<th scope="col">(.*?)</th>', table)
        assert sorted(map(html.unescape, heads)) == sorted(odd)
        rows = re.findall(r'<tr class="group"><th scope="row">', table)
        assert rows
        cells = table.count('class="member"') + table.count('class="passed"')
        assert cells == table.count("the group</span>")
    csv = pd.read_csv(out / "tables" / "together_orderings.csv")
    assert set(csv["groups_by"]) == {"alone", "together"} and len(csv) == 16


def test_a_line_is_dotted_where_it_passes_a_stranger():
    assert orderings.marks(("a", "b", "c", "d"), ("a", "c")) == (
        "member",
        "passed",
        "member",
        "",
    )


def test_orderings_of_many_algorithms_are_in_the_csv_file_only():
    scores = folds_of([9], 31, effect=2.0, metrics=TWO)
    comparison = pc.compare(scores, pc.Plan(adjust=("holm",), protocol="held-out"))
    found = orderings.orderings(comparison.together.orders, "orderings")
    [text] = found.blocks
    assert text.files == ("orderings",)
    table = pd.DataFrame(index=range(3))
    made = PageResult(title="t", prefix="p_", answer="", tables={"orderings": table})
    said = plain(made.filed(text).text)
    assert said.endswith("are in tables/p_orderings.csv.")


def test_in_one_family_of_all_metrics_lines_are_its_verdicts():
    scores = folds_of([9], 4, effect=0.9, metrics=TWO)
    plan = pc.Plan(family="all", adjust=("holm",), protocol="held-out")
    [part] = pc.compare(scores, plan).parts
    tables = orderings_in([orderings.orderings(part.together.orders, "file")])
    for table, analysis in zip(tables, part.analyses, strict=True):
        assert joined_in(table, "alone") == not_rejected(analysis.decisive, 0.05)
        assert analysis.decisive.family.startswith("the family of 12")
