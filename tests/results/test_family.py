"""Families: raw tests of pairs, adjusted over one table or over several."""

from __future__ import annotations

import dataclasses
import itertools
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import pycompare as pc
import pycompare.methods.linear.fit as linear_fit
from pycompare.designs import blocked_anova, rank_tests
from pycompare.designs.error_rates import error_rate
from pycompare.methods.ranks import known
from pycompare.reporting.content.wording import begun
from pycompare.results.adjust import ADJUSTMENTS, adjust_family, adjustment
from pycompare.results.family import Family
from pycompare.results.guarantees import BASES, CASES, guarantee, weakest
from tests.conftest import wide

ANY_FAMILY = [name for name, one in ADJUSTMENTS.items() if not one.pairs_only]


def tables(n: int = 3, seed: int = 0) -> list[pc.PairedTPairsResult]:
    """Raw t tests of several tables with the same algorithms."""
    rng = np.random.default_rng(seed)
    return [
        pc.paired_t_pairs(
            wide(rng.normal(size=(8, 3)) + 0.8 * np.arange(3)), adjust="none"
        )
        for _ in range(n)
    ]


@pytest.mark.parametrize("name", ANY_FAMILY)
def test_a_family_adjusts_the_p_values_of_all_its_tables_at_once(name):
    raw = tables()
    members = Family(tables=tuple(raw), adjust=name, level=0.95).members
    got = np.concatenate([one.table["p_adjusted"] for one in members])
    p = np.concatenate([one.table["p_value"] for one in raw])
    assert np.array_equal(got, pc.adjust(p, name))
    assert {one.adjust for one in members} == {name}
    again = np.concatenate([one.table["p_value"] for one in members])
    assert np.array_equal(again, p)


@pytest.mark.parametrize("name", ["holm", "BH", "hommel"])
def test_the_order_of_tables_does_not_matter(name):
    raw = tables()
    at = {}
    for order in itertools.permutations(range(3)):
        made = Family(
            tables=tuple(raw[i] for i in order), adjust=name, level=0.95
        ).members
        for i, one in zip(order, made, strict=True):
            column = one.table["p_adjusted"].tolist()
            assert at.setdefault(i, column) == column


def test_one_table_with_the_logic_of_pairs_is_the_public_function():
    scores = wide(np.random.default_rng(4).normal(size=(12, 4)) + np.arange(4))
    raw = pc.paired_t_pairs(scores, adjust="none")
    for name in ("bergmann-hommel", "shaffer", "holm"):
        own = pc.paired_t_pairs(scores, adjust=name)
        [member] = Family(tables=(raw,), adjust=name).members
        assert member.table.equals(own.table) and member.adjust == own.adjust
    with pytest.raises(pc.InputError, match="'nemenyi' is for mean ranks"):
        _ = Family(tables=(raw,), adjust="nemenyi").members


def test_each_table_has_its_own_gate():
    raw = tables(2)
    gate = pc.friedman(wide(np.arange(24.0).reshape(8, 3) % 5))
    family = Family(tables=tuple(raw), adjust="holm", gates=(gate, None), level=0.95)
    first, second = family.members
    before = family.before_gate
    assert first.table["p_pairs"].tolist() == before[:3].tolist()
    assert (
        first.table["p_adjusted"].tolist()
        == np.maximum(before[:3], gate.p_value).tolist()
    )
    assert second.table["p_adjusted"].tolist() == before[3:].tolist()
    assert "p_pairs" not in second.table
    assert first.family.endswith("if the test of all algorithms rejects")


def test_what_cannot_be_tested_counts_as_one_in_any_family():
    p = np.array([0.01, np.nan, 0.02])
    for name in ANY_FAMILY:
        whole = adjustment(name)
        got = adjust_family(p, 3, whole)
        assert np.isnan(got[1])
        assert np.array_equal(got[[0, 2]], pc.adjust([0.01, 1.0, 0.02], name)[[0, 2]])
    scores = wide(np.random.default_rng(0).normal(size=(9, 3)))
    raw = pc.rank_pairs(scores, method="skillings-mack")
    columns = raw.as_columns().but(p_value=p)
    one_open = dataclasses.replace(raw, table=columns, adjust="none")
    square = np.array([[1, 0.01, 1], [0.01, 1, 0.02], [1, 0.02, 1]])
    for name in ("holm", "bergmann-hommel", "shaffer"):
        alone = one_open.adjusted(name).as_columns()["p_adjusted"]
        wanted = pc.adjust(square, name)[[0, 1], [1, 2]]
        assert np.array_equal(alone[[0, 2]], wanted) and np.isnan(alone[1])
    two = Family(tables=(one_open, raw), adjust="holm", level=0.95).members
    assert np.isnan(two[0].as_columns()["p_adjusted"]).tolist() == [False, True, False]


CLAIMS = [
    guarantee(f"{basis}{end}")
    for basis in BASES
    for end in ("/holm", "/holm/control", "/BH", "/bergmann-hommel")
]


def test_the_guarantee_of_a_family_is_the_weakest_in_any_order():
    rng = np.random.default_rng(1)
    forms = ["exact", "asymptotic", "approximate"]
    for _ in range(300):
        some = [CLAIMS[i] for i in rng.integers(len(CLAIMS), size=rng.integers(1, 4))]
        found = weakest(some)
        assert found == weakest(some[::-1]) and found.stated(0.05)
        assert {*found.conditions} == {c for one in some for c in one.conditions}
        assert forms.index(found.form) == max(forms.index(one.form) for one in some)
        assert found.claimed <= all(one.claimed for one in some)
        assert found.error in ("none", *(one.error for one in some))
        assert weakest([found, some[0]]).conditions == found.conditions


def two_metrics(order: tuple[str, str]) -> pc.Scores:
    """Cases that are right or wrong in one metric and graded in the other."""
    rng = np.random.default_rng(2)
    x = rng.normal(size=(60, 1)) + rng.normal(size=(60, 3)) + 0.5 * np.arange(3)
    of = {"right": (x > 0).astype(float), "graded": x}
    return dataclasses.replace(
        wide(x),
        values=np.stack([of[name] for name in order], axis=2),
        metrics=tuple(pc.Metric(name, "higher") for name in order),
    )


def test_a_family_of_different_tests_claims_what_holds_for_all_of_them():
    rates = set()
    for order in (("right", "graded"), ("graded", "right")):
        made = pc.compare(two_metrics(order), pc.Plan(blocks="cases", family="all"))
        claims = [
            error_rate(one.decisive, made.plan, CASES) for one in made.parts[0].analyses
        ]
        assert claims[0] == claims[1]
        [rate] = {begun(claim.stated(0.05)) for claim in claims}
        assert made.summary().count(rate) == 3  # of the family and of each metric
        rates.add(rate)
    conditions = "cases are independent and differences are normal"
    assert rates == {f"Family-wise alpha = 0.05, for large samples if {conditions}"}


USERS = (blocked_anova, rank_tests)
"""Loaded before functions are counted: what is imported later keeps the counter."""


def counted(monkeypatch, module: ModuleType, name: str) -> list[None]:
    """Count the calls of a function, whoever imported it."""
    calls: list[None] = []
    real = getattr(module, name)

    def counting(*given: Any, **options: Any) -> Any:
        calls.append(None)
        return real(*given, **options)

    for user in [m for n, m in sys.modules.items() if n.startswith("pycompare")]:
        if getattr(user, name, None) is real:
            monkeypatch.setattr(user, name, counting)
    return calls


@pytest.mark.parametrize(("blocks", "fits"), [("datasets", 0), ("folds", 1)])
def test_one_comparison_ranks_and_fits_a_table_once(blocks, fits, monkeypatch):
    ranked = counted(monkeypatch, known, "positions_of")
    fitted = counted(monkeypatch, linear_fit, "fit")
    values = np.random.default_rng(3).normal(size=(12, 5))
    adjust = ("bergmann-hommel", "shaffer", "holm", "bonferroni")
    own = {"n_train": 90, "n_test": 10} if blocks == "folds" else {"compares": "ranks"}
    pc.compare(wide(values), pc.Plan(blocks=blocks, adjust=adjust, **own))
    assert (len(ranked), len(fitted)) == (1, fits)
