"""How firm claims about a margin are, against analyses made one by one."""

import numpy as np
import pytest

import pycompare as pc
from pycompare.reporting.comparison_report import ComparisonReport
from tests.conftest import wide

KINDS = {
    "data sets": {"blocks": "datasets"},
    "data sets, ratios": {"blocks": "datasets", "scale": "ratio"},
    "folds": {"blocks": "folds", "protocol": "held-out"},
    "cases": {"blocks": "cases"},
}


def table(name, n=12, seed=4):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 1)) + 0.25 * rng.normal(size=(n, 4)) + [0, 0.1, 0.25, 0.9]
    if name == "cases":
        return wide((x > 0.3).astype(float)[np.arange(60) % n])
    return wide(np.exp(x / 4), "lower")


def claims(scores, plan):
    [analysis] = pc.compare(scores, plan).analyses
    rows = analysis.within_margin.table
    return {frozenset((r.algorithm_1, r.algorithm_2)): r for r in rows.itertuples()}


@pytest.mark.parametrize("kind", ["equivalence", "non-inferiority"])
@pytest.mark.parametrize("name", KINDS)
def test_other_analyses_decide_as_they_do_alone(name, kind):
    scores = table(name)
    control = "A1" if kind == "non-inferiority" else None
    margin = 0.3 if name == "cases" else 0.12
    plan = pc.Plan(margin=margin, hypothesis=kind, control=control, **KINDS[name])
    comparison = pc.compare(scores, plan)
    _, found = ComparisonReport(comparison).firmness()
    assert found.title == f"score, {kind}"
    planned = claims(scores, plan)
    assert {frozenset(p) for p in found.pairs} == planned.keys()
    m = len(planned)
    for decision in found.decisions:
        row = planned[frozenset((decision.algorithm_1, decision.algorithm_2))]
        if decision.analysis == "Bonferroni":
            shown = m * row.p_value <= row_alpha(kind)
            assert bool(decision.better) == shown
            assert decision.agrees == (shown == row.shown)
    means = [d for d in found.decisions if d.quantity == "another"]
    if name == "data sets":
        tests = pc.equivalence_pairs(scores, margin=margin, kind=kind, control=control)
        other = {frozenset((r.algorithm_1, r.algorithm_2)): r.shown
                 for r in tests.table.itertuples()}  # fmt: skip
        assert len(means) == m
        assert all(
            bool(d.better) == other[frozenset((d.algorithm_1, d.algorithm_2))]
            for d in means
        )
    else:
        assert not means
    changed = {pair: [] for pair in planned}
    for at, block in enumerate(scores.blocks):
        kept = np.arange(scores.n_blocks) != at
        for pair, row in claims(scores.taken(kept), plan).items():
            if row.shown != planned[pair].shown:
                changed[pair].append(block)
    left_out = found.left_out
    assert left_out.n_units == scores.n_blocks and not left_out.why_not
    assert {p: sorted(left_out.changes.get(p, ())) for p in planned} == {
        p: sorted(blocks) for p, blocks in changed.items()
    }


def row_alpha(kind):
    return 0.05 if kind == "equivalence" else 0.025


def test_a_page_says_how_firm_its_claims_are(tmp_path):
    plan = {"blocks": "datasets", "margin": 0.06, "hypothesis": "equivalence"}
    comparison = pc.compare(pc.example(), pc.Plan(**plan))
    told = comparison.summary()
    assert "9 of 10 pairwise decisions hold in every analysis of the same" in told
    assert "Supplementary, differences: All 4 decisions on C4.5 are the same" in told
    folder = pc.report(comparison, tmp_path / "r")
    page = (folder / "report.html").read_text(encoding="utf-8")
    first, _, rest = page.partition("How firm is this?")
    assert ">26/30<" in rest and "not shown" in rest and "How firm" not in first
    assert "How firm are the differences?" in rest
    assert (folder / "tables" / "firmness_margin.csv").is_file()


def test_one_family_of_tables_decides_no_table_alone():
    rng = np.random.default_rng(3)
    scores = pc.Scores(
        values=rng.normal(size=(12, 3, 2)),
        blocks=tuple(f"b{i}" for i in range(12)),
        algorithms=("A", "B", "C"),
        metrics=(pc.Metric("error", "lower"), pc.Metric("cost", "lower")),
    )
    margins = {"margin": {"error": 1.0, "cost": 1.0}, "hypothesis": "equivalence"}
    for family, more in (("all", 0), ("metric", 2)):
        plan = pc.Plan(blocks="datasets", family=family, **margins)
        titles = [
            f.title for f in ComparisonReport(pc.compare(scores, plan)).firmness()
        ]
        assert sum("equivalence" in title for title in titles) == more


def test_analyses_that_could_show_nothing_confirm_nothing():
    """Six data sets can show the margin of one pair; five cannot, nor Bonferroni's."""
    rng = np.random.default_rng(2)
    scores = wide(rng.normal(size=(6, 3)) * 0.01 + rng.normal(size=(6, 1)), "lower")
    plan = pc.Plan(blocks="datasets", margin=0.5, hypothesis="equivalence", alpha=0.04)
    _, found = ComparisonReport(pc.compare(scores, plan)).firmness()
    assert not found.tested("same") and found.tested("another")
    assert not any(d.able for d in found.decisions if d.quantity == "same")


@pytest.mark.parametrize(
    ("keys", "other"),
    [
        ({"blocks": "folds", "protocol": "held-out"}, 0),
        ({"blocks": "datasets", "compares": "means"}, 1),
    ],
)
@pytest.mark.parametrize("kind", ["equivalence", "non-inferiority"])
def test_the_t_test_of_two_is_made_without_each_block(keys, other, kind):
    """Of data sets the typical difference is held against the margin, too."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(10, 1)) + rng.normal(0.1, 0.25, (10, 2))
    scores, asked = wide(x, "lower"), {"margin": 0.24, "kind": kind}
    control = "A1" if kind == "non-inferiority" else None
    plan = pc.Plan(margin=0.24, hypothesis=kind, control=control, **keys)
    comparison = pc.compare(scores, plan)
    _, found = ComparisonReport(comparison).firmness()
    asked["algorithms"] = ["A2", "A1"] if control else ["A1", "A2"]
    asked["alpha"] = row_alpha(kind)

    def shown(part):
        return pc.equivalence(part, **asked).shown

    planned = shown(scores)
    changed = {
        block
        for at, block in enumerate(scores.blocks)
        if shown(scores.taken(np.arange(10) != at)) != planned
    }
    [units] = [*found.left_out.changes.values()] or [()]
    assert set(units) == changed and found.left_out.n_units == 10
    assert len(found.decisions) == other
    for decision in found.decisions:
        typical = pc.signed_rank_margins(
            scores, margin=0.24, kind=kind, control=control, alpha=row_alpha(kind)
        )
        assert bool(decision.better) == typical.table["shown"].iloc[0]
    told = " ".join(ComparisonReport(comparison).conclusions())
    assert "Supplementary, differences: " in told
