"""Comparisons of very many pairs: some rows in CSV files, all p-values in one file."""

from __future__ import annotations

import csv
import gc
import io
import json
import weakref

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.errors import InputError
from pycompare.base.interop import r_program
from pycompare.base.interop.r_call import RCall
from pycompare.designs.decisions import Decisions, decisions, rejected_pairs
from pycompare.methods.orders import cliques
from pycompare.methods.pairs import common, hodges_lehmann, last_step, signed_rank_pairs
from pycompare.reporting.analyses.multiple_datasets import agreement
from pycompare.reporting.comparison_report import report_of
from pycompare.reporting.content import many_pairs
from pycompare.reporting.evidence import column_file
from pycompare.results import pair_rows
from pycompare.results.pair_rows import PairRows

N_BLOCKS, N_ALGORITHMS = 12, 9
PLAN = pc.Plan(blocks="datasets")


def scores(*, ties=False):
    values = np.random.default_rng(5).normal(size=(N_BLOCKS, N_ALGORITHMS, 1))
    values += 0.4 * np.arange(N_ALGORITHMS)[:, None]
    if ties:
        values = np.round(values)
    return pc.Scores(
        values,
        tuple(f"b{i}" for i in range(N_BLOCKS)),
        tuple(f"A{j}" for j in range(N_ALGORITHMS)),
        (pc.Metric("m", "higher"),),
    )


MODULES = (signed_rank_pairs, hodges_lehmann, many_pairs, cliques, common, last_step)


@pytest.fixture
def few_are_many(monkeypatch):
    """Treat ten pairs as very many."""
    for module in MODULES:
        monkeypatch.setattr(module, "MANY", 10)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize(
    ("method", "options", "lazy"),
    [
        (
            pc.superiority,
            {"adjust": "holm"},
            {"ties", "estimate", "conf_low", "conf_high", "median_difference"},
        ),
        (pc.superiority, {"simultaneous": True}, {"conf_low", "p_smallest"}),
        (pc.paired_t_pairs, {"alpha": 0.05}, {"statistic", "conf_low", "conf_high"}),
        (pc.paired_t_pairs, {"level": 0.9}, {"conf_low", "conf_high"}),
        (pc.rank_pairs, {"adjust": "holm"}, {"conf_low", "conf_high"}),
        (pc.rank_pairs, {"control": "A3", "adjust": "holm"}, set()),
        (pc.nemenyi, {}, {"p_adjusted", "conf_low"}),
        (pc.tukey, {"blocked": True}, {"statistic", "conf_low", "conf_high"}),
        (pc.scheffe, {"blocked": True}, {"statistic", "conf_low", "conf_high"}),
    ],
)
def test_tables_of_very_many_pairs_have_the_numbers_of_few(
    few_are_many, method, options, lazy, ties
):
    data = scores(ties=ties)
    many = method(data, **options).as_columns()
    assert lazy <= {*many.not_made}
    third = {name: many.as_stored(name).take(np.array([3])) for name in lazy}
    for module in MODULES:
        module.MANY = 100_000
    few = method(data, **options).as_columns()
    assert few.not_made == [] and list(few) == list(many)
    for name, column in few.items():
        np.testing.assert_array_equal(many[name], column, name)
    for name, number in third.items():
        np.testing.assert_array_equal(number, few[name][3:4], name)


@pytest.mark.parametrize("ties", [False, True])
def test_numbers_of_pairs_that_are_read_are_those_of_all(few_are_many, ties):
    data = scores(ties=ties)
    lazy = pc.signed_rank_pairs(data)
    differences = pc.hodges_lehmann(data)
    made = lazy.as_columns().not_made
    assert made == ["estimate", "conf_low", "conf_high"]
    for module in MODULES:
        module.MANY = 100_000
    whole = pc.signed_rank_pairs(data)
    assert whole.as_columns().not_made == []
    for some, every in ((lazy, whole), (differences, pc.hodges_lehmann(data))):
        for name, column in every.as_columns().items():
            np.testing.assert_array_equal(some.as_columns()[name], column, name)
    assert lazy.positions.equals(whole.positions)
    assert np.array_equal(lazy.better(), whole.better())
    assert np.array_equal(lazy.worse_by > 0, whole.worse_by > 0)


def test_a_column_is_computed_for_the_rows_that_are_read():
    from pycompare.base.tables import Columns, MadeColumn

    asked = []

    def make(rows):
        asked.append(rows.tolist())
        return rows * 2.0

    table = Columns({"k": np.arange(5), "x": MadeColumn(5, make)})
    some = table.take([3, 1])
    assert asked == []
    assert some["x"].tolist() == [6.0, 2.0] and asked == [[3, 1]]
    assert table.some("x", [4]).tolist() == [8.0]
    assert table["x"].tolist() == [0.0, 2.0, 4.0, 6.0, 8.0]
    assert table.some("x", [4]).tolist() == [8.0] and len(asked) == 3


def rows_of(path):
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))


def test_files_have_the_best_the_neighbours_and_the_leaders(few_are_many, tmp_path):
    pc.report(pc.compare(scores(), PLAN), tmp_path / "some")
    tables = tmp_path / "some" / "tables"
    [best, *rest] = [row["algorithm"] for row in rows_of(tables / "tiers.csv")]
    order = [best, *rest]
    pairs = rows_of(tables / "typical_difference_pairs.csv")
    named = {frozenset((r["algorithm_1"], r["algorithm_2"])) for r in pairs}
    assert {frozenset((best, name)) for name in rest} <= named
    assert {frozenset(two) for two in zip(order, rest, strict=False)} <= named
    assert len(named) == len(pairs) < N_ALGORITHMS * (N_ALGORITHMS - 1) // 2
    page = (tmp_path / "some" / "report.html").read_text(encoding="utf-8")
    assert f"CSV files have {len(pairs)} of the 36 pairs" in page
    assert "all_pairs.parquet" in page


def test_all_p_values_are_in_one_file(few_are_many, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    comparison = pc.compare(scores(), PLAN)
    pc.report(comparison, tmp_path / "some")
    held = parquet.read_table(tmp_path / "some" / "tables" / "all_pairs.parquet")
    wanted = comparison.pairs
    for name in ("algorithm_1", "algorithm_2", "p_value", "p_adjusted"):
        assert held[name].to_pylist() == wanted[name].tolist(), name


def test_without_pyarrow_the_file_is_one_of_numpy(few_are_many, tmp_path, monkeypatch):
    monkeypatch.setattr(column_file, "find_spec", lambda _: None)
    comparison = pc.compare(scores(), PLAN)
    pc.report(comparison, tmp_path / "some")
    with np.load(tmp_path / "some" / "tables" / "all_pairs.npz") as held:
        names = held["algorithm_1_names"][held["algorithm_1"]]
        assert names.tolist() == comparison.pairs["algorithm_1"].tolist()
        assert np.array_equal(held["p_adjusted"], comparison.pairs["p_adjusted"])


def test_results_are_the_same_however_pairs_are_computed(few_are_many, tmp_path):
    data, out = scores(), []
    for name in ("some", "all"):
        pc.report(pc.compare(data, PLAN), tmp_path / name)
        held = json.loads((tmp_path / name / "results.json").read_text())
        for entry in ("provenance", "made_by"):
            held.pop(entry)
        for analysis in held["analyses"]:
            analysis.pop("cliques", None)
            for over in analysis["over"]:
                over.pop("cliques")
            analysis["ranks"].pop("cliques")
        out.append(held)
        for module in MODULES:
            module.MANY = 100_000
    assert out[0] == out[1]


def test_the_interval_of_any_pair_is_that_of_the_pairs(few_are_many):
    comparison = pc.compare(scores(), PLAN)
    for row in comparison.pairs.itertuples():
        found = comparison.interval(row.algorithm_1, row.algorithm_2)
        assert (found.estimate, found.conf_low, found.conf_high, found.level) == (
            *(row.estimate, row.conf_low, row.conf_high),
            row.conf_level,
        )
        turned = comparison.interval(row.algorithm_2, row.algorithm_1)
        assert turned.estimate == -found.estimate
        assert (turned.conf_low, turned.conf_high) == (
            -found.conf_high,
            -found.conf_low,
        )


@pytest.mark.parametrize(
    ("pair", "options", "message"),
    [
        (("A0", "Z"), {}, "there is no 'Z'"),
        (("A0", "A0"), {}, "must differ"),
        (("A0", "A1"), {"metric": "x"}, "name one of the metrics"),
    ],
)
def test_an_interval_of_no_pair_is_refused(pair, options, message):
    comparison = pc.compare(scores(), PLAN)
    with pytest.raises(InputError, match=message):
        comparison.interval(*pair, **options)


def test_pairs_with_a_control_have_intervals_of_their_own():
    comparison = pc.compare(scores(), pc.Plan(blocks="datasets", control="A0"))
    assert comparison.interval("A1", "A0").estimate > 0
    with pytest.raises(InputError, match="are not compared"):
        comparison.interval("A1", "A2")


def test_mean_ranks_of_many_pairs_are_not_flipped_beside_another_analysis(monkeypatch):
    from pycompare.designs import multiple_datasets

    monkeypatch.setattr(multiple_datasets, "MANY", 10)
    beside = pc.compare(scores(), PLAN).analyses[0].by("ranks")
    assert [pairs.called for pairs in beside.pairs] == ["holm", "bonferroni"]
    planned = pc.compare(scores(), pc.Plan(blocks="datasets", compares="ranks"))
    assert planned.analyses[0].pairs[0].called not in ("holm", "bonferroni")


def test_metrics_together_without_listed_groups_say_so(monkeypatch):
    from pycompare.designs import metric_orders

    monkeypatch.setattr(metric_orders, "few_enough", lambda *_: None)
    rng = np.random.default_rng(2)
    data = pc.Scores(
        rng.normal(size=(20, 4, 2)),
        tuple(f"f{i}" for i in range(20)),
        tuple("ABCD"),
        (pc.Metric("x", "higher"), pc.Metric("y", "lower")),
    )
    comparison = pc.compare(data, pc.Plan(blocks="folds", n_train=90, n_test=10))
    together = comparison.parts[0].together
    assert together.orders is None
    assert any("too many to list" in why for why in together.refusals)


def test_a_file_of_columns_is_written_in_groups_of_rows(monkeypatch, few_are_many):
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pc.superiority(scores(ties=True)).as_columns()
    whole = column_file.columns_file(table)
    monkeypatch.setattr(column_file, "_ROWS", 10)
    grouped = column_file.columns_file(table)
    first, second = (parquet.ParquetFile(io.BytesIO(held)) for held in (whole, grouped))
    assert (first.num_row_groups, second.num_row_groups) == (1, 4)
    assert first.read().equals(second.read())


def test_facts_and_decisions_are_freed_without_the_garbage_collector():
    comparison = pc.compare(scores(), PLAN)
    decided = Decisions.of(comparison.analyses[0].decisions)
    made = Decisions(
        decided.rows, decided.p_value, decided.p_adjusted, decided.rejected
    )
    assert tuple(made) == tuple(decided)
    gone = weakref.ref(made)
    gc.disable()
    try:
        del made
        assert gone() is None
    finally:
        gc.enable()


def test_part_of_facts_copies_no_column_and_has_the_facts_of_its_rows():
    comparison = pc.compare(scores(), PLAN)
    [part] = comparison.parts
    facts = report_of(part).facts(part.analyses[0]).facts
    for marked in (facts.relation == 2, np.array([4, 0, 2])):
        part = facts.where(marked)
        kept = np.arange(len(facts))[marked].tolist()
        assert part._held is facts._held
        assert list(part) == [facts[row] for row in kept]
        assert part[-1] == facts[kept[-1]] and part[1:] == tuple(part)[1:]
        again = part.where(np.array([1]))
        assert tuple(again) == (facts[kept[1]],)
        for name in ("relation", "p_value", "p_adjusted", "estimate"):
            whole, some = getattr(facts, name), getattr(part, name)
            np.testing.assert_array_equal(some, whole[kept], name)
            np.testing.assert_array_equal(getattr(part.columns, name), some, name)
        pairs = [facts.rows.labels[row] for row in kept]
        assert list(part.rows.labels) == pairs


def test_the_calls_of_an_r_program_are_held_one_after_the_other():
    made, alive = [], []

    class Counted:
        def r_call(self):
            call = RCall(("chi_points",), "c", {"x": 1.0})
            made.append(weakref.ref(call))
            alive.append(sum(known() is not None for known in made))
            return call

    r_program.program([(str(k), Counted()) for k in range(5)])
    assert len(alive) == 5 and max(alive) <= 2  # the last one, and the new one


def test_a_table_of_some_pairs_keeps_no_square_of_all(monkeypatch):
    monkeypatch.setattr(pair_rows, "_FEW", 1)
    analysis = pc.compare(scores(), PLAN).analyses[0]
    agreement(analysis, 0.05)
    known = [Decisions.of(over.decisions).rows for over in analysis.over]
    assert len(known) == 3
    assert not any("_square" in vars(rows) for rows in known)


def test_decisions_about_some_pairs_are_those_of_the_pairs():
    decided = Decisions.of(pc.compare(scores(), PLAN).analyses[0].decisions)
    some = PairRows.of([("A8", "A1"), ("A2", "A3")])
    assert decided.about(some) == {
        decision.pair: decision
        for decision in decided
        if decision.pair in ({"A8", "A1"}, {"A2", "A3"})
    }
    with pytest.raises(KeyError, match="Z"):
        decided.about(PairRows.of([("A1", "A2"), ("A1", "Z")]))


def test_pairs_that_are_rejected_are_those_of_the_decisions():
    for pairs in pc.compare(scores(), PLAN).analyses[0].by("ranks").pairs:
        assert dict(rejected_pairs(pairs, 0.4)) == {
            decision.pair: decision.better
            for decision in decisions(pairs, 0.4)
            if decision.rejected
        }
