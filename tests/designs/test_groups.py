"""Groups of data sets, and one family of hypotheses over metrics and groups."""

import dataclasses
import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pycompare as pc
from pycompare.base.parallel import progress
from pycompare.designs.multiple_datasets import DatasetsAnalysis
from pycompare.designs.quantity import QUANTITIES
from tests.designs.grouped import ODD, TWO, grouped
from tests.methods.over_datasets.many_folds import folds_of

pytestmark = pytest.mark.usefixtures("blank_pictures")


def text(part):
    return json.dumps(part.to_dict())


def pairs_of(comparison):
    """Everything that the family holds: place to (raw, adjusted, rejected)."""
    return {
        (part.group, analysis.metric.name, made.pair): (
            made.p_value,
            made.p_adjusted,
            made.rejected,
        )
        for part in comparison.parts
        for analysis in part.analyses
        for made in analysis.decisions
    }


@pytest.mark.parametrize("a", [2, 4])
@pytest.mark.parametrize("size", [1, 4])
def test_one_group_is_the_comparison_without_groups(a, size):
    scores = grouped([size] * 6, ["only"], a=a, effect=0.5, metrics=TWO)
    alone = pc.compare(dataclasses.replace(scores, groups=None))
    [part] = pc.compare(scores, pc.Plan(family="metric")).parts
    assert part.group == "only"
    assert text(part) == text(alone.only)


def test_each_group_has_what_its_data_sets_have_alone():
    # Groups as large that their size and that of all of them choose the same test.
    scores = grouped([2] * 36, ODD[:3], effect=0.5, metrics=TWO)
    got = pc.compare(scores, pc.Plan(family="metric", groups="each-and-all"))
    assert [part.group for part in got.parts] == [*ODD[:3], None]
    for name in ODD[:3]:
        assert text(got.part(name)) == text(pc.compare(scores.of_group(name)).only)
    whole = dataclasses.replace(scores, groups=None)
    assert text(got.part(None)) == text(pc.compare(whole).only)
    with pytest.raises(pc.InputError, match="each with its own analyses"):
        _ = got.analyses
    with pytest.raises(pc.InputError, match="there is no part 'z'; there are"):
        got.part("z")


@pytest.mark.parametrize("adjust", [(), ("bonferroni", "BH", "none"), ("hommel",)])
@pytest.mark.parametrize(
    ("p_values", "p_value"), [("by-size", "sign-flips"), ("exact", "exact")]
)
def test_the_family_is_all_raw_p_values_adjusted_at_once(adjust, p_values, p_value):
    scores = pc.dataset_means(grouped([3] * 18, ODD[:3], effect=0.6, metrics=TWO))
    plan = pc.Plan(compares="ranks", family="all", adjust=adjust, p_values=p_values)
    got = pc.compare(scores, plan)
    names = adjust or ("holm", "bonferroni")
    level = 1 - 0.05 / 6
    tables = [
        pc.rank_pairs(
            scores.of_group(name),
            metric=metric,
            adjust="none",
            level=level,
            p_value=p_value,
        ).table
        for name in ODD[:3]
        for metric in TWO
    ]
    raw = np.concatenate([table["p_value"] for table in tables])
    family = got.families[0]
    assert family.decides and family.adjust == names
    assert np.array_equal(family.table["p_value"], raw)
    for name in names:
        assert np.array_equal(family.table[f"p_{name}"], pc.adjust(raw, name))
    analyses = [a for part in got.parts for a in part.analyses]
    for k, name in enumerate(names):
        mine = np.concatenate([a.pairs[k].table["p_adjusted"] for a in analyses])
        assert np.array_equal(mine, pc.adjust(raw, name))
    for analysis, table in zip(analyses, tables, strict=True):
        for column in ("conf_low", "conf_high"):
            own = analysis.decisive.table[column]
            assert np.array_equal(own, table[column], equal_nan=True)
    words = "the family of 36 hypotheses, 6 pairs x 2 metrics x 3 groups"
    assert {a.decisive.family for a in analyses} == {words} == {family.family}


def test_several_metrics_are_one_family_without_groups():
    scores = folds_of([8], effect=0.4, metrics=TWO)
    got = pc.compare(scores, pc.Plan(family="all", protocol="held-out"))
    raw = np.concatenate(
        [pc.pairwise_t(scores, metric=m, adjust="none").table["p_value"] for m in TWO]
    )
    mine = [a.decisive.table["p_adjusted"] for a in got.analyses]
    assert np.array_equal(np.concatenate(mine), pc.adjust(raw, "holm"))
    assert got.families[0].family == (
        "the family of 12 hypotheses, 6 pairs x 2 metrics"
    )
    p_adjusted = np.concatenate(mine)
    last = 0.05 / (12 - (p_adjusted <= 0.05).sum())  # of Holm's steps
    for analysis in got.analyses:
        assert analysis.decisive.level == pytest.approx(1 - last)
        assert analysis.decisive.interval.endswith(
            "each, at the level of the last step"
        )
    sizes = {"n_train": 90, "n_test": 10}
    corrected = pc.compare(scores, pc.Plan(family="all", **sizes))
    raw = np.concatenate(
        [
            pc.corrected_pairs(scores, metric=m, overlap=2.25, **sizes).table["p_value"]
            for m in TWO
        ]
    )
    assert np.array_equal(corrected.families[0].table["p_holm"], pc.adjust(raw, "holm"))
    assert corrected.families[0].method == "corrected resampled t tests"
    mine = [a.corrected.table["p_adjusted"] for a in corrected.analyses]
    assert np.array_equal(np.concatenate(mine), pc.adjust(raw, "holm"))


def test_the_tests_of_two_algorithms_are_a_family_over_metrics():
    scores = folds_of([9], a=2, effect=0.8, metrics=TWO)
    plan = pc.Plan(family="all", adjust=("bonferroni",), protocol="held-out")
    got = pc.compare(scores, plan)
    for analysis in got.analyses:
        raw = pc.paired_t(scores, metric=analysis.metric.name).p_value
        [made] = analysis.decisions
        assert made.p_value == raw and made.p_adjusted == min(1, 2 * raw)
        for test in (analysis.wilcoxon, analysis.sign):
            assert analysis.p_of(test) == min(1, 2 * test.p_value)
    plain = pc.compare(scores, pc.Plan(protocol="held-out"))
    assert plain.families == ()
    for analysis in plain.analyses:
        assert analysis.p_of(analysis.test) == analysis.test.p_value


def test_wilcoxons_test_decides_over_data_sets_in_one_family():
    scores = grouped([1] * 20, ["x", "y"], a=2, effect=1.0, metrics=TWO)
    got = pc.compare(scores, pc.Plan(family="all", groups="each-and-all"))
    raw = [
        pc.wilcoxon(part.scores, metric=metric).p_value
        for part in got.parts
        for metric in TWO
    ]
    assert got.families[0].table["p_value"].tolist() == raw
    made = [d.p_adjusted for p in got.parts for a in p.analyses for d in a.decisions]
    assert np.array_equal(made, pc.adjust(raw, "holm"))
    assert [len(family.table) for family in got.families] == [6, 6, 6]
    with pytest.raises(pc.PlanError, match="adjust"):
        pc.compare(scores, pc.Plan(family="metric", adjust=("bonferroni",)))
    chosen = pc.compare(scores, pc.Plan(family="all", adjust=("bonferroni",)))
    made = [d.p_adjusted for p in chosen.parts for a in p.analyses for d in a.decisions]
    assert np.array_equal(made, pc.adjust(raw[:4], "bonferroni"))


def test_exact_and_approximate_p_values_are_one_family():
    groups = ["x"] * 1001 + ["y"] * 9  # Wilcoxon's is normal from 1001 blocks on
    scores = grouped([1] * len(groups), groups, a=2, effect=0.1)
    got = pc.compare(scores, pc.Plan(family="all"))
    assert [len(family.table) for family in got.families] == [2, 2, 2]
    assert ";" in got.families[0].method  # both forms
    raw = got.families[0].table["p_value"]
    made = [d.p_adjusted for p in got.parts for a in p.analyses for d in a.decisions]
    assert np.array_equal(made, pc.adjust(raw, "holm"))


def test_a_control_is_one_family_too():
    scores = pc.dataset_means(grouped([3] * 12, ODD[:2], effect=0.6, metrics=TWO))
    got = pc.compare(scores, pc.Plan(family="all", control="A1"))
    assert got.families[0].family == (
        "the family of 12 hypotheses, 3 comparisons with the control A1 x 2 metrics x "
        "2 groups"
    )
    family = got.families[0].table
    assert np.array_equal(family["p_adjusted"], pc.adjust(family["p_value"], "holm"))


def test_what_cannot_be_tested_counts_and_is_never_rejected():
    scores = pc.dataset_means(grouped([3] * 12, ODD[:2], effect=2, metrics=TWO))
    values = np.array(scores.values)
    values[np.array(scores.groups) == ODD[0]] = 0.5
    tied = dataclasses.replace(scores, values=values)
    plan = pc.Plan(family="all", blocks="folds-of-datasets", protocol="held-out")
    with pytest.raises(pc.PlanError, match="have one fold only"):
        pc.compare(tied, plan)
    got = pc.compare(tied, pc.Plan(family="all"))
    family = got.families[0].table
    raw = family["p_value"].to_numpy()
    expected = pc.adjust(np.where(np.isnan(raw), 1.0, raw), "holm")
    assert np.array_equal(family["p_holm"].dropna(), expected[~np.isnan(raw)])
    assert not any(d.rejected for a in got.part(ODD[0]).analyses for d in a.decisions)


def test_a_table_with_gaps_is_in_the_family_and_has_no_sign_tests():
    scores = pc.dataset_means(grouped([2] * 20, ["x", "y"], effect=1.2, metrics=TWO))
    values = np.array(scores.values)
    values[1, 0, 0] = np.nan  # group y, error
    gappy = dataclasses.replace(scores, values=values, missing="model")
    got = pc.compare(gappy, pc.Plan(compares="ranks", family="all"))
    first, beside = got.families
    assert len(first.table) == 24 and "z test of adjusted mean ranks" in first.method
    assert len(beside.table) == 18 and "6 pairs in each of 3 tables" in beside.family
    alone = [a.superiority for p in got.parts for a in p.analyses]
    assert [found is None for found in alone] == [False, False, True, False]
    p = np.concatenate([f.table["p_value"] for f in alone if f is not None])
    mine = np.concatenate([f.table["p_adjusted"] for f in alone if f is not None])
    assert np.array_equal(mine, pc.adjust(p, "holm"))


@settings(max_examples=10)
@given(
    seed=st.integers(0, 10_000),
    a=st.integers(2, 4),
    size=st.sampled_from([1, 3]),
    effect=st.sampled_from([0.0, 0.8, 2.0]),
    alpha=st.sampled_from([0.01, 0.05, 0.2]),
    verdict=st.sampled_from(list(QUANTITIES)),
    gate=st.sampled_from(["none", "omnibus"]),
    family=st.sampled_from(["metric", "all"]),
    groups=st.sampled_from(["each", "each-and-all"]),
)
def test_no_verdict_contradicts_its_adjusted_p_value(
    seed, a, size, effect, alpha, verdict, gate, family, groups
):
    scores = grouped([size] * 8, ["x", "y"], a=a, seed=seed, effect=effect, metrics=TWO)
    if size == 1 and verdict in ("wins", "model"):
        verdict = "means"
    if a == 2 and verdict == "ranks":
        verdict = "typical-difference"
    if a == 2 or verdict == "typical-difference":
        gate = "none"
    options = {"protocol": "held-out"} if size > 1 else {}
    plan = pc.Plan(
        compares=verdict,
        alpha=alpha,
        gate=gate,
        family=family,
        groups=groups,
        **options,
    )
    got = pc.compare(scores, plan)
    found = pairs_of(got)
    for raw, adjusted, rejected in found.values():
        assert rejected == (adjusted <= alpha)
        assert np.isnan(adjusted) or adjusted >= raw * (1 - 1e-12)
    for part in got.parts:
        for analysis in part.analyses:
            over = analysis.planned if analysis.kind == "data sets" else analysis
            apart = {d.pair for d in analysis.decisions if d.rejected}
            table = over.decisive.table
            for row in table.itertuples():
                pair = frozenset((row.algorithm_1, row.algorithm_2))
                assert (row.p_adjusted <= alpha) == (pair in apart)
            if a == 2 and size == 1:
                continue  # one pair has no cliques
            joined = {
                frozenset((i, j)) for c in over.cliques for i in c for j in c if i != j
            }
            assert not joined & apart and len(joined | apart) == len(table)
    if family == "all":
        rows = got.families[0].table
        assert len(rows) == len(found)
        assert (rows["p_adjusted"] <= alpha).sum() == sum(r for *_, r in found.values())


@settings(max_examples=5)
@given(seed=st.integers(0, 1000), order=st.permutations(range(9)))
def test_the_order_of_groups_changes_nothing(seed, order):
    scores = pc.dataset_means(
        grouped([2] * 9, ["x", "y", "z"], seed=seed, effect=1.0, metrics=TWO)
    )
    plan = pc.Plan(family="all", groups="each-and-all")
    turned = scores.select(blocks=[scores.blocks[i] for i in order])
    one, other = pairs_of(pc.compare(scores, plan)), pairs_of(pc.compare(turned, plan))
    assert set(one) == set(other)
    for key, found in one.items():
        assert found == pytest.approx(other[key], rel=1e-12)


def test_the_gate_comes_after_the_family():
    scores = grouped([4] * 12, ["x", "y"], effect=0.9, metrics=TWO)
    options = {"family": "all", "compares": "means"}
    free = pc.compare(scores, pc.Plan(**options))
    got = pc.compare(scores, pc.Plan(gate="omnibus", **options))
    for part, plainly in zip(got.parts, free.parts, strict=True):
        for mine, before in zip(part.analyses, plainly.analyses, strict=True):
            test = mine.planned.test.p_value
            expected = np.maximum(before.planned.decisive.table["p_adjusted"], test)
            assert mine.planned.decisive.table["p_adjusted"].equals(expected)
    first = got.families[0].table
    assert np.array_equal(first["p_holm"], free.families[0].table["p_holm"])
    assert (first["p_adjusted"] >= first["p_holm"]).all()


def test_what_stands_beside_is_over_the_same_family():
    plan = pc.Plan(family="all", protocol="held-out")
    scores = grouped([4] * 12, ["x", "y"], effect=0.9, metrics=TWO)
    got = pc.compare(scores, plan)
    methods = [family.method for family in got.families]
    assert len(methods) == 6 and not any(f.decides for f in got.families[1:])
    for part in got.parts:
        for analysis in part.analyses:
            assert isinstance(analysis, DatasetsAnalysis)
            for over in analysis.over:
                assert over.joint and over.decisive.adjust == "holm"
            assert analysis.ranks.nemenyi is None
            assert not analysis.ranks.superiority.adjusted_here
            assert analysis.not_in_r() == ()


def test_intervals_of_all_tables_hold_together():
    each = 1 - 0.05 / 4
    over_datasets = pc.compare(
        grouped([4] * 12, ["x", "y"], effect=0.9, metrics=TWO),
        pc.Plan(compares="ranks", family="all", p_values="approximate"),
    )
    folds = folds_of([8], effect=0.4, metrics=TWO)
    four = dataclasses.replace(
        folds,
        values=np.tile(folds.values, 2),
        metrics=tuple(pc.Metric(name, "lower") for name in "abcd"),
    )
    of_folds = pc.compare(four, pc.Plan(family="all", protocol="held-out"))
    found = [o for part in over_datasets.parts for a in part.analyses for o in a.over]
    own = [over for over in found if over.key in ("typical-difference", "means")]
    assert all("at the level of the last step" in o.decisive.interval for o in own)
    found = [over for over in found if over not in own]
    assert found
    for over in found:
        assert over.decisive.level == pytest.approx(each)
        assert "are simultaneous at 95%" in over.decisive.interval
    pairs = [analysis.decisive for analysis in of_folds.analyses]
    assert len({one.level for one in pairs}) == 1
    for one in pairs:
        table = one.table
        excludes = (table["conf_low"] > 0) | (table["conf_high"] < 0)
        assert (excludes == (table["p_adjusted"] <= 0.05)).all()
    for comparison in (over_datasets, of_folds):
        assert comparison.plan.confidence == 0.95


def test_r_gets_raw_p_values_of_tables_and_adjusts_them_together():
    got = pc.compare(
        grouped([4] * 8, ["x", "y"], effect=0.9, metrics=TWO), pc.Plan(family="all")
    )
    call = got.families[0].r_call()
    assert call.function == "family_reference"
    assert call.arguments["adjust"] == ["holm", "bonferroni"]
    assert set(got.families[0].r_values()) == {"p_holm", "p_bonferroni"}
    for part in got.parts:
        for analysis in part.analyses:
            pairs = analysis.decisive if hasattr(analysis, "decisive") else None
            pairs = pairs or analysis.planned.decisive
            assert pairs.r_call().arguments["adjust"] == ""
            assert "p_adjusted" not in pairs.r_values()


def sized(*sizes):
    """One data set each, so many in each group."""
    names = [f"g{i}" for i, n in enumerate(sizes) for _ in range(n)]
    return dataclasses.replace(folds_of([1] * len(names)), groups=tuple(names))


@pytest.mark.parametrize(
    ("scores", "plan", "why"),
    [
        (sized(3, 3), {}, "the data sets are in 2 groups: set family='metric'"),
        (
            sized(3, 1, 2, 1),
            {"family": "all"},
            "2 of 4 groups have fewer than 2 data sets, .*: 'g1', 'g3'",
        ),
        (folds_of([6]), {"family": "all"}, "there is one metric and no group"),
        (
            folds_of([3, 3]),
            {"groups": "each-and-all"},
            "is for data sets or cases in groups",
        ),
        (
            sized(3),
            {"family": "all", "groups": "each-and-all"},
            "there is one group, 'g0', and all together are the same data sets",
        ),
        (
            grouped([6], ["x"]),
            {"family": "metric"},
            "the blocks are folds of one data set: leave the column of groups out",
        ),
        (
            grouped([3] * 8, ["x", "x", "x", "y"], metrics=TWO),
            {"family": "all", "together": "required"},
            "group 'y': together='required': 2 data sets of 4 algorithms leave",
        ),
    ],
)
def test_a_plan_that_does_not_fit_groups_is_refused(scores, plan, why):
    with pytest.raises(pc.PlanError, match=why):
        pc.compare(scores, pc.Plan(**plan))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("shaffer", "which pairs of one table can be equal together"),
        ("shaffer-dynamic", "which pairs of one table can be equal together"),
        ("bergmann-hommel", "which pairs of one table can be equal together"),
        ("nemenyi", "joint distribution of the pairs of one table"),
        ("tukey", "joint distribution of the pairs of one table"),
        ("scheffe", "joint distribution of the pairs of one table"),
        ("dunnett", "joint distribution of the pairs of one table"),
    ],
)
def test_methods_of_one_table_are_refused_by_name(name, why):
    with pytest.raises(pc.PlanError, match=f"{name} rests on .*{why}"):
        pc.Plan(family="all", adjust=("holm", name))


def test_steps_name_their_group(monkeypatch):
    monkeypatch.setattr(progress, "_EVERY", math.inf)
    told = []
    scores = sized(3, 3)
    pc.compare(scores, pc.Plan(family="metric"), progress=told.append)
    assert told == [
        "0 of 2 metrics of groups: g0, error",
        "1 of 2 metrics of groups: g1, error",
    ]


def test_an_error_within_a_group_names_it():
    scores = pc.dataset_means(grouped([2] * 6, ["x", "y"]))
    values = np.array(scores.values)
    values[np.array(scores.groups) == "y", 0] = np.nan
    with pytest.raises(pc.InputError, match=r"group .y.: 1 algorithm has no score"):
        pc.compare(
            dataclasses.replace(scores, values=values, missing="model"),
            pc.Plan(family="metric"),
        )


def test_all_groups_together_are_one_more_in_the_words_of_a_family():
    scores = pc.dataset_means(grouped([3] * 18, ODD[:3], effect=0.6, metrics=TWO))
    plan = pc.Plan(family="all", groups="each-and-all", adjust=("holm",))
    got = pc.compare(scores, plan)
    assert got.families[0].family == (
        "the family of 48 hypotheses, 6 pairs x 2 metrics x (3 groups + all of them "
        "together)"
    )
    plain = got.to_dict()
    assert [part["group"] for part in plain["groups"]] == [*ODD[:3], None]
    assert plain["groups"][0]["analyses"] == got.parts[0].to_dict()["analyses"]
    assert plain["plan"]["family"] == "all"
