"""A gate: pass, fail or undecided, with the goldens of its tests."""

from __future__ import annotations

import dataclasses
import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.errors import DesignError, InputError
from pycompare.designs.gate_result import guarantee, p_text, sentence
from pycompare.designs.looks import looks_of, record_of
from pycompare.kernels import gate_sizes
from pycompare.kernels.matched_pairs import exact_p
from pycompare.methods.cases.loss_tests import loss_test
from pycompare.reporting.gate_report import MOST, _report, comment, gate_json
from pycompare.reporting.provenance import provenance
from tests.methods.cases.test_matched_shares import gpqa, of_runs
from tests.runs import unequal_runs
from tests.test_validation import against

ORIGIN = provenance(source=None)
NAMES = {"baseline": "old", "candidate": "new"}
PARTS = {"a": (10, 12, 400), "b": (5, 4, 300), "c": (2, 3, 100)}
WORSE = {**PARTS, "c": (1, 18, 100)}


def answers(parts, better="higher"):
    """Return right answers of two models with wins, losses and items of each slice."""
    rows, labels = [], []
    for label, (wins, losses, n) in parts.items():
        x = np.zeros((n, 2))
        x[:wins, 1] = 1
        x[wins : wins + losses, 0] = 1
        rows.append(x if better == "higher" else 1 - x)
        labels += [label] * n
    values = np.vstack(rows)[:, :, None]
    scores = pc.Scores(
        values=values,
        blocks=tuple(f"q{i}" for i in range(len(labels))),
        algorithms=("old", "new"),
        metrics=(pc.Metric("accuracy", better),),
    )
    return scores, labels


def judged(parts, better="higher", **options):
    scores, labels = answers(parts, better)
    return pc.gate(scores, **NAMES, margin=0.05, slices={"subject": labels}, **options)


@cache
def verdict(wins, losses, n):
    """Return what the exact tests decide, without their limits."""
    p = [
        exact_p(wins, losses, n, -0.05, side, 0.025 / 1000)
        for side in ("greater", "less")
    ]
    return "pass" if p[0] <= 0.025 else "fail" if p[1] <= 0.025 else "undecided"


def column(result, name):
    return result.table[name].to_numpy(float)


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_slices_have_the_numbers_of_the_specification(better):
    found = judged(PARTS, better)
    assert column(found, "p_not_worse") == pytest.approx(
        [2.504e-5, 4.6645e-4, 7.2022e-5, 0.0712605], rel=2e-4
    )
    assert (found.verdict, found.exit_status) == ("undecided", 3)
    assert found.limiting.slice == "c"
    failed = judged(WORSE, better)
    assert failed.verdict == "fail"
    assert failed.members[3].tested.p_worse == pytest.approx(0.0012090, rel=1e-4)
    assert failed.members[3].p_worse_holm == pytest.approx(0.0048358, rel=1e-4)


def test_gpqa_has_the_numbers_of_the_specification():
    scores = of_runs(gpqa(), names=("nano", "mini"))
    better = {"baseline": "mini", "candidate": "nano", "runs": "samples"}
    found = pc.gate(scores, **better, margin=0.05)
    [member] = found.members
    assert found.verdict == "pass"
    assert member.tested.p_not_worse == pytest.approx(9.929e-5, rel=1e-4)
    assert member.conf_low == pytest.approx(0.0034757, rel=1e-4)
    bounded = pc.gate(scores, **better, margin=0.05, decided_by="bounded")
    assert bounded.members[0].tested.p_not_worse == pytest.approx(0.000132401, rel=1e-5)
    assert bounded.members[0].conf_low == pytest.approx(-0.0014902, rel=1e-4)
    these = pc.gate(scores, **better, margin=0.05, items_scope="fixed").members[0]
    assert (these.conf_low, these.conf_high) == pytest.approx((0.0331043, 0.0840674))
    turned = {"baseline": "nano", "candidate": "mini", "runs": "samples"}
    open_gate = pc.gate(scores, **turned, margin=0.05)
    test = open_gate.members[0].tested
    assert (test.p_not_worse, test.p_worse) == pytest.approx((0.62124, 0.37876), 1e-4)
    assert open_gate.members[0].items_needed == 481
    by_bounds = pc.gate(scores, **turned, margin=0.05, decided_by="bounded")
    assert by_bounds.members[0].items_needed == 524
    text = sentence(open_gate)
    assert text.startswith(
        "Undecided: with 198 items it is open whether mini is worse than"
    )
    assert "mini is worse than nano; whether by more than the margin is open." in text
    assert "With 481 items two equal models pass with probability 0.8; with 10 " in text
    # Of the variance .1528955 the answers have .0331313: half of that is gone.
    wanted = np.ceil(481 * (0.1528955 - 0.0331313 / 2) / 0.1528955)
    assert abs(open_gate.members[0].items_needed_twice - wanted) <= 1


def test_items_that_a_gate_needs():
    """By enumeration (discordance .10, margin .05: 339 or 340)."""
    assert gate_sizes.needed_of_scores(0.05, 0.1, 0.025, 0.8) in (339, 340)
    assert abs(gate_sizes.needed_of_scores(0.05, 0.2, 0.025, 0.8) - 640) <= 2
    assert gate_sizes.needed_by_normal(0.05, 0.1, 0.025, 0.8) == 314
    power = gate_sizes.score_power(340, 0.05, 0.1, 1.959964)
    drawn = np.random.default_rng(1).multinomial(340, [0.05, 0.05, 0.9], 400)
    passed = [verdict(int(w), int(x), 340) == "pass" for w, x, _ in drawn]
    assert abs(np.mean(passed) - power) < 3 * np.sqrt(power * (1 - power) / 400)


def test_swapping_models_swaps_the_hypotheses():
    """p of not worse at margin m is p of worse at margin -m of the other."""
    forward = judged(PARTS).members
    for member, parts in zip(forward[1:], PARTS.values(), strict=True):
        wins, losses, n = parts
        swapped = exact_p(losses, wins, n, 0.05, "less", 0.025 / 1000)
        assert member.tested.p_not_worse == pytest.approx(swapped, rel=1e-9)


def test_order_of_items_and_names_change_nothing():
    scores, labels = answers(WORSE)
    order = np.random.default_rng(3).permutation(len(labels))
    mixed = scores.taken(order)
    found = pc.gate(
        mixed, **NAMES, margin=0.05, slices={"s": [labels[i] for i in order]}
    )
    mine = {m.slice: m.tested.p_worse for m in found.members}
    whole = {m.slice: m.tested.p_worse for m in judged(WORSE).members}
    assert mine == pytest.approx(whole)


def graded(n, seed=1, loss=0.0):
    rng = np.random.default_rng(seed)
    x = rng.choice([0, 0.5, 1.0], (n, 2))
    x[:, 1] = np.where(rng.random(n) < loss, 0.0, x[:, 0])
    return pc.Scores(
        values=x[:, :, None],
        blocks=tuple(f"q{i}" for i in range(n)),
        algorithms=("old", "new"),
        metrics=(pc.Metric("grade", "higher"),),
    )


def kinds():
    """Yield gates of each test: exact, effective size, clusters, bounded, t, fixed."""
    rng = np.random.default_rng(5)
    for seed in range(4):
        parts = {"x": (*map(int, rng.integers(0, 12, 2)), 150)}
        yield pc.gate(answers(parts)[0], **NAMES, margin=0.05)
        yield pc.gate(graded(150, seed, 0.03), **NAMES, margin=0.06, range=(0, 1))
        yield pc.gate(graded(150, seed, 0.06), **NAMES, margin=0.06, decided_by="t",
                      range=(0, 1))  # fmt: skip
        chance = rng.uniform(0.4, 1, (120, 1, 1)) - [[[0.0], [0.03]]]
        runs = (rng.random((120, 2, 4)) < chance).astype(float)
        scores = of_runs(runs, names=("old", "new"))
        for scope in ("sampled", "fixed"):
            yield pc.gate(
                scores, **NAMES, margin=0.08, runs="samples", items_scope=scope
            )
        clusters = np.repeat(np.arange(60), 2)
        in_texts = of_runs(runs, clusters, names=("old", "new"))
        yield pc.gate(in_texts, **NAMES, margin=0.08, runs="samples")


@pytest.fixture(scope="module")
def gates():
    return [*kinds(), judged(PARTS), judged(WORSE)]


def test_no_limit_contradicts_a_decision(gates):
    tests = set()
    for found in gates:
        for member in found.members:
            tests.add(member.tested.test)
            edge = -member.tested.margin
            passes = member.tested.p_not_worse <= found.level
            assert (member.conf_low > edge) == passes
            assert (member.conf_high < edge) == (member.p_worse_holm <= found.level)
    assert tests == {"exact", "bounded", "t", "effective-size", "these-items"}


def test_errors_at_the_margin_are_at_most_the_level():
    """600 tables whose candidate loses just the margin: .025 and three errors."""
    drawn = np.random.default_rng(7).multinomial(200, [0.02, 0.07, 0.91], 600)
    verdicts = [verdict(int(wins), int(losses), 200) for wins, losses, _ in drawn]
    for name in ("pass", "fail"):
        share = verdicts.count(name) / len(verdicts)
        assert share <= 0.025 + 3 * np.sqrt(0.025 * 0.975 / len(verdicts))


SCORES, LABELS = answers(PARTS)
BAD = {
    "the largest acceptable loss, a number above 0": {"margin": -0.1},
    "asks for superiority": {"margin": 0},
    "scores differ by 1 at most": {"margin": 1.5},
    "there is no 'neu'": {"candidate": "neu"},
    "name two models": {"candidate": "old"},
    "margin: 'f1' is not compared": {"margin": {"f1": 0.1}},
    "there is no slice 'd'": {
        "slices": {"s": LABELS},
        "slice_margin": {"d": 0.1},
    },
    "is of slices: give slices": {"slice_margin": 0.1},
    "has one value, 'a'": {"slices": {"s": ["a"] * 800}},
    "has no label for item 'q0'": {"slices": {"s": ["", *LABELS[1:]]}},
    "has 3 labels, and there are 800 items": {"slices": {"s": ["a", "b", "c"]}},
    "that takes 368 items": {
        "slices": {"s": LABELS},
        "slice_margin": 0.01,
    },
    "a whole number of gates": {"budget": 0},
    "a number between 0 and 0.5": {"margin_alpha": 0.6},
    "give two answers to each item": {"items_scope": "fixed"},
    "has a test of its own": {"items_scope": "fixed", "decided_by": "t"},
    "a probability of a pass of at least 0.5": {"target": 1e-300},
    "a pass of at least 0.5 and below 0.9999": {"target": 0.99999},
}


@pytest.mark.parametrize("said", BAD)
def test_bad_input_is_rejected_with_its_remedy(said):
    given = {**NAMES, "margin": 0.05, **BAD[said]}
    with pytest.raises((InputError, DesignError), match=said):
        pc.gate(SCORES, **given)


def test_more_bad_input():
    few = answers({"all": (2, 1, 50)})[0]
    with pytest.raises(DesignError, match="that takes 183 items"):
        pc.gate(few, **NAMES, margin=0.02)
    assert pc.gate(few, **NAMES, margin=0.02, small="report").members[0].judged is False
    runs = of_runs(np.ones((40, 2, 3)), names=("old", "new"))
    with pytest.raises(InputError, match="items have several answers: give runs"):
        pc.gate(runs, **NAMES, margin=0.1)
    with pytest.raises(DesignError, match="exceeds its level with fewer"):
        pc.gate(runs, **NAMES, margin=0.05, runs="samples", small="report")
    with pytest.raises(InputError, match="needs the lowest and the highest"):
        pc.gate(graded(100), **NAMES, margin=0.1)
    with pytest.raises(InputError, match="outside it"):
        pc.gate(graded(100), **NAMES, margin=0.1, range=(0.2, 1))
    few_texts = of_runs(np.ones((40, 2, 3)), np.arange(40) % 10, names=("old", "new"))
    with pytest.raises(DesignError, match="10 clusters are too few; a gate takes 20"):
        pc.gate(few_texts, **NAMES, margin=0.4, runs="samples")


def test_equal_answers_are_noted():
    found = pc.gate(answers({"all": (0, 0, 200)})[0], **NAMES, margin=0.05)
    assert found.verdict == "pass" and "candidate was run" in found.notes[0]


def test_a_record_counts_other_answers_only(tmp_path):
    path = tmp_path / "gates.jsonl"
    options = {**NAMES, "margin": 0.05, "budget": 2, "looks": path}
    first = pc.gate(answers({"all": (3, 3, 300)})[0], **options)
    again = pc.gate(answers({"all": (3, 3, 300)})[0], **options)
    assert (first.looks_used, again.looks_used) == (1, 1)
    assert first.level == 0.0125 and again.record == first.record
    alone = pc.gate(answers({"all": (3, 3, 300)})[0], **NAMES, margin=0.05, budget=2)
    page = _report(alone, {"date": "2026-01-01", "file": None})
    assert alone.looks_used is None and "(one of 2)" in page.subtitle
    assert "No record counts them" in " ".join(map(str, page.plan))

    def other(wins):
        scores = answers({"all": (3, 3, 300)})[0]
        values = scores.values.copy()
        values[10 : 10 + wins, 1] = 1
        return dataclasses.replace(scores, values=values)

    assert pc.gate(other(1), **options).looks_used == 2
    with pytest.raises(InputError, match="is used up"):
        pc.gate(other(2), **options)
    with pytest.raises(InputError, match="begun with a budget of 2"):
        pc.gate(other(1), **{**options, "budget": 3})
    with pytest.raises(InputError, match="of other items or of another baseline"):
        pc.gate(answers({"all": (3, 4, 300)})[0], **options)
    lines = path.read_text().splitlines()
    path.write_text(lines[0].replace("pass", "fail") + "\n" + lines[1] + "\n")
    with pytest.raises(InputError, match="entry 2 does not follow entry 1"):
        pc.gate(other(1), **options)


SCHEMA = json.loads(
    (Path(pc.__file__).parent / "data" / "schemas" / "gate-1.json").read_text()
)


def test_the_contents_of_gate_json_are_those_of_its_schema(gates):
    for found in gates:
        held = json.loads(json.dumps(gate_json(found, ORIGIN)))
        assert list(against(SCHEMA, held)) == []
        held["members"][0]["more"] = 1
        del held["verdict"]
        assert len(list(against(SCHEMA, held))) == 2


def test_a_comment_has_no_name_as_markup():
    scores, labels = answers(WORSE)
    hostile = dataclasses.replace(scores, algorithms=("a|b @me", "<script>`x`"))
    found = pc.gate(
        hostile, baseline="a|b @me", candidate="<script>`x`", margin=0.05,
        slices={"s": [f"{x}|@all" for x in labels]},
    )  # fmt: skip
    text = comment(found)
    assert text.splitlines()[0] == "<!-- pycompare-gate -->"
    assert "<script>" not in text and "`x`" not in text.replace("\\`x\\`", "")
    assert "@me" not in text and "@all" not in text
    rows = [line for line in text.splitlines() if line.startswith("| c")]
    assert len(rows) == 1 and rows[0].replace("\\|", "").count("|") == 7


def test_a_comment_is_as_long_as_hosts_take():
    labels = [f"slice number {i % 60} " + "x" * 1500 for i in range(9000)]
    values = np.tile([[1.0, 1.0]], (9000, 1))[:, :, None]
    scores = pc.Scores(
        values=values,
        blocks=tuple(map(str, range(9000))),
        algorithms=("old", "new"),
        metrics=(pc.Metric("accuracy", "higher"),),
    )
    found = pc.gate(scores, **NAMES, margin=0.05, slices={"s": labels})
    assert len(comment(found)) <= MOST and "more |" in comment(found)


def test_another_verdict_is_another_conclusion(tmp_path):
    for name, parts in (("first", PARTS), ("second", WORSE)):
        pc.report(judged(parts), tmp_path / name)
    changes = pc.diff(tmp_path / "first", tmp_path / "second")
    places = changes.of("conclusions")
    assert {"undecided", "not worse"} & {*places["first"]}
    assert {"fail", "worse"} <= {*places["second"]}


def test_families_pass_by_intersection_and_fail_by_holm():
    for found in (judged(PARTS), judged(WORSE)):
        p = column(found, "p_not_worse")
        assert (found.verdict == "pass") == bool((p <= found.level).all())
        holm = pc.adjust(column(found, "p_worse"), "holm")
        assert column(found, "p_worse_holm") == pytest.approx(holm)
    assert [m.slice for m in judged(PARTS).members] == [None, *PARTS]


def test_equal_models_are_never_worse_where_margins_are_wide():
    parts = {"a": (0, 0, 400), "b": (5, 5, 400), "c": (50, 10, 400)}
    scores, labels = answers(parts)
    found = pc.gate(
        scores,
        **NAMES,
        margin=0.04,
        slices={"subject": labels},
        slice_margin={"a": 0.1, "b": 0.1, "c": 0.5},
    )
    assert found.verdict == "pass"
    for member in found.members:
        assert member.tested.p_worse > 0.99
        assert member.conf_low <= member.tested.difference <= member.conf_high
    assert "is worse than old, by less" not in sentence(found)


def test_the_null_hypothesis_of_the_fail_holds_equal_models():
    # Both p-values of a table are of hypotheses that meet: they sum to 1 at least.
    for n, wins, losses in ((40, 0, 0), (40, 1, 0), (60, 0, 2), (200, 3, 3)):
        for margin in (0.05, 0.2, 0.6):
            both = [
                exact_p(wins, losses, n, -margin, side, 2.5e-5)
                for side in ("greater", "less")
            ]
            assert sum(both) >= 1


def test_new_answers_to_these_items_keep_the_level_if_losses_are_rare():
    rng = np.random.default_rng(4)
    for n, n_runs, margin in ((40, 2, 0.05), (100, 2, 0.05), (60, 3, 0.1)):
        passed = 0
        for _ in range(300):
            right = np.ones((n, 2, n_runs))
            right[:, 1] = rng.random((n, n_runs)) >= margin
            scores = of_runs(right, names=("old", "new"))
            tested = loss_test(scores, margin=margin, alpha=0.025, items_scope="fixed")
            passed += tested.p_not_worse <= 0.025
        assert passed <= 16  # of 7.5 at most expected; .002 by chance


def test_a_guarantee_names_the_error_of_its_tests():
    exact = gate_json(judged(PARTS, slice_margin=0.2), ORIGIN)
    assert exact["verdict"] == "pass"
    assert "probability 0.025 at most" in guarantee(judged(PARTS, slice_margin=0.2))
    runs = of_runs(gpqa(), names=("nano", "mini"))
    found = pc.gate(
        runs, baseline="mini", candidate="nano", runs="samples", margin=0.05
    )
    assert "at most" not in guarantee(found) and "up to 0.035" in guarantee(found)
    assert guarantee(found) in comment(found)


def test_missing_answers_are_told_and_never_favour_the_candidate():
    rows = [{"item": f"q{i}", "new": 1.0, "old": 1.0} for i in range(200)]
    rows[3]["new"] = None

    def of(policy, gone="new"):
        wide = {name: [row[name] for row in rows] for name in ("old", "new")}
        if gone == "old":
            wide["old"][5] = None
        return pc.Scores.from_wide(
            wide, metric="accuracy", better="higher", missing=policy
        )

    options = {**NAMES, "margin": 0.05}
    dropped = pc.gate(of("drop-block"), **options)
    assert "1 of 'new'" in dropped.notes[-1] and "1 item" in dropped.notes[-1]
    assert "1 of 'new'" in comment(dropped)
    assert "worst score" in pc.gate(of("worst"), **options).notes[-1]
    with pytest.raises(DesignError, match="would favour the candidate"):
        pc.gate(of("worst", gone="old"), **options)


def test_a_record_counts_other_margins_and_no_other_order(tmp_path):
    scores = answers({"all": (3, 3, 300)})[0]
    options = {**NAMES, "budget": 2, "looks": tmp_path / "gates.jsonl"}
    assert pc.gate(scores, **options, margin=0.05).looks_used == 1
    turned = scores.taken(np.arange(300)[::-1])
    assert pc.gate(turned, **options, margin=0.05).looks_used == 1
    assert pc.gate(scores, **options, margin=0.1).looks_used == 2
    with pytest.raises(InputError, match="is used up"):
        pc.gate(scores, **options, margin=0.05, decided_by="t")
    page = _report(
        pc.gate(turned, **options, margin=0.1), {"date": "2026-01-01", "file": None}
    )
    assert "(gate 2 of 2)" in page.subtitle


def test_two_gates_at_once_are_not_counted_as_one(tmp_path):
    path = tmp_path / "gates.jsonl"
    pair = answers({"all": (3, 3, 300)})[0]
    one, other = (record_of(path, pair, 2, {"margin": m}) for m in (0.05, 0.06))
    assert one.add("new", "pass") == looks_of(path)[-1].sha256
    with pytest.raises(InputError, match="another gate was added in the meantime"):
        other.add("new", "pass")
    lock = path.with_suffix(".lock")
    lock.touch()
    with pytest.raises(InputError, match=r"remove gates\.lock if none is running"):
        record_of(path, pair, 2, {"margin": 0.06}).add("new", "pass")
    lock.unlink()
    assert record_of(path, pair, 2, {"margin": 0.06}).used == 2


def test_small_faults_are_one_error():
    t = pc.gate(graded(100), **NAMES, margin=0.1, decided_by="t")
    assert t.members[0].smallest_size == 1
    for tiny in (1e-300, 1e-9):
        with pytest.raises(InputError, match="no number of items"):
            pc.gate(SCORES, **NAMES, margin=tiny, small="report")
    labels = ["default" if i % 2 else "o" for i in range(SCORES.n_blocks)]
    of_labels = {**NAMES, "margin": 0.05, "slices": {"part": labels}}
    with pytest.raises(InputError, match="rename the slice"):
        pc.gate(SCORES, **of_labels, slice_margin={"default": 0.2})
    alone = ["a"] * (SCORES.n_blocks - 1) + ["b"]
    with pytest.raises(DesignError, match=r"slice 'b'.*1 item is no sample"):
        pc.gate(SCORES, **NAMES, margin=0.05, slices={"part": alone})
    named = ["all items" if i % 2 else "o" for i in range(SCORES.n_blocks)]
    found = pc.gate(SCORES, **NAMES, margin=0.05, slices={"p": named}, slice_margin=0.2)
    assert "slice all items" in found.summary()


def test_p_values_are_printed_on_their_side_of_the_level():
    assert p_text(0.02504, 0.025) == "0.02504"
    assert p_text(0.02496, 0.025) == "0.025"
    assert p_text(0.0004, 0.025) == "< 0.001"
    with pytest.raises(InputError, match="lowest and the highest"):
        pc.gate(graded(100), **NAMES, margin=0.1, range=(0, np.inf))


def test_items_that_suffice_are_not_asked_for():
    found = pc.gate(answers({"all": (5, 20, 800)})[0], **NAMES, margin=0.025)
    assert found.verdict == "undecided"
    assert "the observed loss leaves the gate undecided" in sentence(found)


def test_answers_of_unequal_number_are_right_or_wrong_all_the_same():
    """They were taken for graded ones: NaN is neither 0 nor 1."""
    rng = np.random.default_rng(1)
    right = (rng.random((160, 2, 5)) < rng.uniform(0.4, 1, (160, 1, 1))).astype(float)
    scores = unequal_runs(right)
    assert scores.runs_per_cell == (4, 5)
    own = {"baseline": "A0", "candidate": "A1", "runs": "samples"}
    found = pc.gate(scores, **own, margin=0.15)
    assert found.tests == ("effective-size",)
    counts = (~np.isnan(scores.runs)).sum(axis=-1)
    assert found.n_runs == pytest.approx(1 / np.mean(1 / counts))
    [p] = pc.matched_shares(scores, margin=0.15).table["p_upper"]  # of A0 less A1
    assert found.members[0].tested.p_not_worse == pytest.approx(p, rel=1e-9)


def test_answers_of_minus_1_0_and_1_are_graded():
    """They were taken for right or wrong ones, whatever their sign."""
    x = np.random.default_rng(1).choice([-1.0, 0.0, 1.0], (200, 2))
    scores = dataclasses.replace(graded(200), values=x[:, :, None])
    with pytest.raises(InputError, match="needs the lowest and the highest"):
        pc.gate(scores, **NAMES, margin=0.2)
    found = pc.gate(scores, **NAMES, margin=0.2, range=(-1, 1))
    assert found.tests == ("bounded",) and found.members[0].tested.width == 2


def test_a_line_of_the_summary_has_the_p_value_by_which_it_is_decided():
    """It had the p-value before adjustment beside a decision by Holm's method."""
    found = judged({**dict.fromkeys("abcd", (15, 15, 300)), "e": (9, 20, 300)})
    raw, by_holm = (column(found, f"p_not_worse{end}") for end in ("", "_holm"))
    assert found.verdict == "undecided"
    assert ((raw <= 0.025) & (by_holm > 0.025)).sum() == 4
    lines = found.summary().splitlines()
    for name, p in zip("abcd", by_holm[1:], strict=False):
        [line] = [line for line in lines if line.startswith(f"{name}: ")]
        assert f"not worse: adj. p = {p:.3f}, worse: adj. p" in line
        assert line.endswith("; undecided")
