"""Strengths of models from battles."""

import csv
import itertools
from pathlib import Path

import numpy as np
import pytest
from scipy import optimize, stats

import pycompare as pc
from pycompare.base.errors import DesignError, InputError
from pycompare.base.testing import assert_digits
from pycompare.kernels.davidson import Games, fit
from pycompare.kernels.largest_normal import largest_differences

# The 30 battles that evalica (2ebe79e, Apache-2.0) is tested with.
FOOD = Path(__file__).parent / "food.csv"
ORDERED = {  # wins, ties, losses of the first
    "AB": (30, 12, 18), "BA": (22, 10, 28), "AC": (35, 8, 12), "CA": (15, 9, 30),
    "AD": (40, 5, 5), "DA": (6, 7, 37), "BC": (25, 14, 16), "CB": (20, 12, 23),
    "BD": (33, 9, 8), "DB": (10, 11, 29), "CD": (28, 10, 12), "DC": (14, 13, 23),
}  # fmt: skip
BATTLES = [
    {"left": a, "right": b, "winner": word}
    for (a, b), counts in ORDERED.items()
    for word, count in zip(("left", "tie", "right"), counts, strict=True)
    for _ in range(count)
]


def games(*, ties=True):
    """Return the ordered table; without ties they are dropped."""
    ends = np.array([["ABCD".index(name) for name in pair] for pair in ORDERED])
    counts = np.array(list(ORDERED.values()), float)
    if not ties:
        counts[:, 1] = 0
    return Games(
        *ends.T, counts.sum(axis=1), counts[:, 0] + counts[:, 1] / 2, counts[:, 1], 4
    )


def against_last(strengths):
    return (strengths.theta - strengths.theta[-1])[:3]


def test_davidson_agrees_with_psychotools():
    """psychotools::btmodel(undecided = TRUE): no order, no penalty."""
    found = fit(games(), order=False, ties=True, penalised=False)
    assert_digits(
        against_last(found), [1.7423107162, 1.2215219415, 0.8120315198], at_least=9
    )
    assert_digits(found.log_nu, -0.6538925831, at_least=9)
    assert_digits(found.log_likelihood, -612.338950533, at_least=11)
    c = found.inverse
    errors = [np.sqrt(c[i, i] + c[3, 3] - 2 * c[i, 3]) for i in range(3)]
    assert_digits(errors, [0.18443386, 0.17541277, 0.17205884], at_least=7)


def test_order_effect_agrees_with_the_likelihood():
    found = fit(games(), order=True, ties=True, penalised=False)
    assert_digits(against_last(found), [1.750964, 1.227827, 0.816543], at_least=6)
    assert_digits([found.log_nu, found.gamma], [-0.650296, 0.169785], at_least=5)


def test_penalty_is_half_the_log_determinant_of_the_information():
    """The penalised likelihood, maximised without its slope."""
    table = games()

    def less(x):
        theta = np.concatenate([x[:3], [0]])
        s = theta[table.first] - theta[table.second] + x[3]
        tie = x[4] + s / 2
        total = np.logaddexp(np.logaddexp(s, tie), 0)
        p1, p2 = np.exp(s - total), np.exp(tie - total)
        e = p1 + p2 / 2
        columns = np.zeros((len(s), 5))
        columns[np.arange(len(s)), table.first] += 1
        columns[np.arange(len(s)), table.second] -= 1
        columns[:, 3] = 1
        design = columns
        hh, ht = p1 + p2 / 4 - e**2, p2 / 2 - e * p2
        information = design.T @ (design * (table.n * hh)[:, None])
        information[4, 4] = (table.n * p2 * (1 - p2)).sum()
        information[:4, 4] = information[4, :4] = design.T[:4] @ (table.n * ht)
        likelihood = (table.halves * s + table.ties * x[4] - table.n * total).sum()
        return -likelihood - np.linalg.slogdet(information)[1] / 2

    best = optimize.minimize(less, np.zeros(5), method="BFGS", tol=1e-10).x
    found = fit(table, order=True, ties=True)
    assert_digits(against_last(found), best[:3], at_least=5)
    assert_digits([found.gamma, found.log_nu], best[3:], at_least=4)
    assert_digits(against_last(found), [1.7378200, 1.2184957, 0.8102231], at_least=7)


def test_without_ties_agrees_with_brglm():
    """BradleyTerry2 with br = TRUE."""
    found = fit(games(ties=False), order=False, ties=False)
    assert_digits(
        against_last(found), [1.696426272, 1.224789896, 0.819098020], at_least=9
    )


def test_evalica_and_the_default_on_its_battles():
    result = pc.battles(pc.read_battles(FOOD))
    strengths = result.strengths.set_index("algorithm")["strength"]
    wanted = {
        "Burger": -0.13589, "Pasta": -0.288418, "Pizza": -0.492962, "Sushi": 0.091186,
        "Tacos": 0.826084,
    }  # fmt: skip
    for name, value in wanted.items():
        assert abs(strengths[name] - value) < 6e-7
    assert_digits(result.order_effect, -0.0925717270, at_least=9)
    assert_digits(result.log_nu, -1.7459091868, at_least=10)
    row = result.table.query("algorithm_1 == 'Pizza' and algorithm_2 == 'Tacos'").iloc[
        0
    ]
    assert_digits(
        [-row["estimate"], row["std_error"]], [1.319045, 0.753867], at_least=6
    )
    assert_digits(result.smallest_df, 14.717658, at_least=7)


def test_half_wins_without_order_and_penalty_are_evalicas():
    with FOOD.open(newline="") as file:
        rows = list(csv.DictReader(file))
    names = sorted({row["left"] for row in rows})
    first = np.array([names.index(row["left"]) for row in rows])
    second = np.array([names.index(row["right"]) for row in rows])
    won = {"left": 1.0, "right": 0.0, "tie": 0.5}
    halves = np.array([won[row["winner"]] for row in rows])
    one_each = Games(first, second, np.ones(30), halves, 1.0 * (halves == 0.5), 5)
    found = fit(one_each, order=False, ties=False, penalised=False)
    share = np.exp(found.theta) / np.exp(found.theta).sum()
    wanted = [0.14797665122, 0.12815341060, 0.09897982557, 0.19060028490, 0.43428982771]
    assert_digits(share, wanted, at_least=9)


def test_columns_of_arenas_are_known():
    lmarena = [
        {"model_a": r["left"], "model_b": r["right"],
         "winner": {"left": "model_a", "right": "model_b", "tie": "tie (bothbad)"}[
             r["winner"]], "judge": f"v{i % 40}"}
        for i, r in enumerate(BATTLES)
    ]  # fmt: skip
    kaggle = [
        {"model_a": r["left"], "model_b": r["right"],
         "winner_model_a": int(r["winner"] == "left"),
         "winner_model_b": int(r["winner"] == "right"),
         "winner_tie": int(r["winner"] == "tie")}
        for r in BATTLES
    ]  # fmt: skip
    named = [
        {"x": r["left"], "y": r["right"],
         "z": {"left": r["left"], "right": r["right"], "tie": "tie"}[r["winner"]]}
        for r in BATTLES
    ]  # fmt: skip
    plain = pc.battles(pc.Battles.from_frame(BATTLES)).table["estimate"]
    arena = pc.Battles.from_frame(lmarena)
    assert len(arena.voters) == 40
    assert "both lost" in arena.notes[0]
    for battles in (
        arena,
        pc.Battles.from_frame(kaggle),
        pc.Battles.from_frame(named, model_1="x", model_2="y", winner="z"),
    ):
        assert_digits(pc.battles(battles).table["estimate"], plain, at_least=9)
    dropped = pc.Battles.from_frame(lmarena, both_bad="drop")
    assert len(dropped.first) == sum(r["winner"] != "tie" for r in BATTLES)


def test_turning_all_battles_turns_the_order_effect():
    turned = [
        {"left": r["right"], "right": r["left"],
         "winner": {"left": "right", "right": "left", "tie": "tie"}[r["winner"]]}
        for r in BATTLES
    ]  # fmt: skip
    one = pc.battles(pc.Battles.from_frame(BATTLES))
    two = pc.battles(pc.Battles.from_frame(turned))
    assert_digits(one.order_effect, -two.order_effect, at_least=9)
    key = "algorithm"
    assert_digits(
        one.strengths.sort_values(key)["strength"],
        two.strengths.sort_values(key)["strength"],
        at_least=9,
    )


def test_voters_who_vote_alike_make_errors_larger():
    alone = pc.battles(pc.Battles.from_frame(BATTLES)).table
    repeated = [
        dict(row, voter=str(i)) for i, row in enumerate(BATTLES) for _ in range(3)
    ]
    grouped = pc.battles(
        pc.Battles.from_frame(
            repeated, model_1="left", model_2="right", winner="winner", voter="voter"
        )
    ).table
    # Three equal votes of one voter are one vote, but for the penalty.
    assert np.abs(grouped["std_error"] / alone["std_error"] - 1).max() < 0.02


def test_voters_in_several_parts_have_the_same_variance(monkeypatch):
    rng = np.random.default_rng(2)
    rows = [battle | {"judge": int(rng.integers(0, 40))} for battle in BATTLES]
    whole = pc.battles(pc.Battles.from_frame(rows, voter="judge")).table
    monkeypatch.setattr("pycompare.kernels.davidson._VOTERS_AT_ONCE", 7)
    parts = pc.battles(pc.Battles.from_frame(rows, voter="judge")).table
    for name in ("std_error", "df"):
        assert_digits(parts[name], whole[name], at_least=12)


def test_intervals_agree_with_decisions():
    table = pc.battles(pc.Battles.from_frame(BATTLES), alpha=0.05).table
    outside = (table["conf_low"] > 0) | (table["conf_high"] < 0)
    assert (outside == (table["p_adjusted"] <= 0.05)).all()
    assert (table["joint_low"] <= table["conf_low"] + 1e-12).all()


def test_largest_difference_of_independent_normals_is_the_studentised_range():
    first, second = np.triu_indices(6, 1)
    estimate = np.array([3.0, 1, 0, 2, 0.5, -1])
    error = np.full(15, np.sqrt(2))
    z = (estimate[first] - estimate[second]) / error
    found = largest_differences(
        np.eye(6), first, second, z, error, df=20, alpha=0.05, seed=1
    )
    wanted = stats.studentized_range.sf(4.0, 6, 20)
    assert abs(found.p_adjusted[4] - wanted) < 4 * np.sqrt(wanted / 10_000)
    joint = stats.studentized_range.ppf(0.95, 6, 20) / np.sqrt(2)
    assert abs(found.joint / joint - 1) < 0.02


def test_step_down_finds_what_single_step_does_not():
    estimate = np.array([9.0, 2.75, 0.0])
    first, second = np.triu_indices(3, 1)
    error = np.ones(3)
    found = largest_differences(
        np.eye(3) / 2, first, second, estimate[first] - estimate[second], error,
        df=np.inf, alpha=0.05, seed=1,
    )  # fmt: skip
    assert found.p_adjusted[2] < stats.studentized_range.sf(
        2.75 * np.sqrt(2), 3, np.inf
    )


def test_groups_that_never_met_are_named():
    apart = [
        *BATTLES,
        *({"left": "X", "right": "Y", "winner": "left"} for _ in range(5)),
    ]
    with pytest.raises(DesignError, match=r"2 groups .*X.*Y.*\(5 battles\)"):
        pc.battles(pc.Battles.from_frame(apart))
    largest = pc.battles(pc.Battles.from_frame(apart), unconnected="largest")
    assert set(largest.algorithms) == set("ABCD")
    assert any("X" in note and "Y" in note for note in largest.notes)


def test_a_model_that_never_lost_is_finite_and_named():
    never = [
        row if "A" not in (row["left"], row["right"]) else
        dict(row, winner="left" if row["left"] == "A" else "right")
        for row in BATTLES
    ]  # fmt: skip
    result = pc.battles(pc.Battles.from_frame(never))
    assert np.isfinite(result.table["estimate"]).all()
    assert any("no upper bound" in note for note in result.notes)


def test_few_voters_have_no_p_values():
    few = [dict(row, voter=i % 9) for i, row in enumerate(BATTLES)]
    result = pc.battles(
        pc.Battles.from_frame(
            few, model_1="left", model_2="right", winner="winner", voter="voter"
        )
    )
    assert result.table["p_value"].isna().all()
    assert result.table["conf_low"].isna().all()
    assert "9 voters" in result.notes[-1]


def test_an_order_that_is_not_kept_is_refused():
    sorted_rows = [
        {"left": r["left"], "right": r["right"], "winner": "left"} for r in BATTLES
    ]
    with pytest.raises(DesignError, match="does not keep the order"):
        pc.battles(pc.Battles.from_frame(sorted_rows))


def test_models_that_were_shown_first_too_often_are_noted():
    """With an order effect of 0.5, 73% of such battles had a false conclusion."""
    rng = np.random.default_rng(1)
    rows = [
        {"left": "A" if "A" in pair else pair[0],
         "right": (set(pair) - {"A"}).pop() if "A" in pair else pair[1],
         "winner": rng.choice(["left", "right"])}
        for pair in list(itertools.combinations("ABCD", 2)) * 30
    ]  # fmt: skip

    def told(rows, position):
        notes = pc.battles(pc.Battles.from_frame(rows), position=position).notes
        return [note for note in notes if "shown first unequally" in note]

    [note] = told(rows, "ignore")
    assert "'A' in 100%" in note
    assert told(rows, "estimate") == []
    turned = [
        {"left": r["right"], "right": r["left"], "winner": r["winner"]}
        if i % 2 else r
        for i, r in enumerate(rows)
    ]  # fmt: skip
    assert told(turned, "ignore") == []
    kept = [{**r, "winner": "left"} for r in rows]  # no order is known
    assert told(kept, "ignore") == []


BAD = {
    "itself": ([*BATTLES, {"left": "A", "right": "A", "winner": "left"}], "itself"),
    "outcome": (
        [*BATTLES, {"left": "A", "right": "B", "winner": "mdoel_a"}],
        "mdoel_a",
    ),
    "few": (BATTLES[:9], "9 battles"),
    "columns": ([{"x": 1, "y": 2}] * 12, "model_1"),
    "one model": ([{"left": "A", "right": "A", "winner": "tie"}] * 12, "itself"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_battles_are_refused(name):
    rows, words = BAD[name]
    with pytest.raises(InputError, match=words):
        pc.Battles.from_frame(rows)


@pytest.mark.parametrize(
    "options",
    [{"ties": "x"}, {"position": 1}, {"unconnected": None}, {"control": "Z"},
     {"alpha": 2}, {"seed": -1}],
    ids=str,
)  # fmt: skip
def test_bad_options_are_refused(options):
    with pytest.raises((InputError, TypeError), match=next(iter(options))):
        pc.battles(pc.Battles.from_frame(BATTLES), **options)


def test_equal_models_are_found_different_rarely():
    """40 seeded sets of 300 battles of 6 equal models: the joint test at 0.05."""
    rng = np.random.default_rng(11)
    wrong = 0
    pairs = list(itertools.permutations("ABCDEF", 2))
    for _ in range(40):
        rows = [
            {"left": a, "right": b, "winner": rng.choice(["left", "right", "tie"])}
            for a, b in (pairs[i] for i in rng.integers(0, len(pairs), 300))
        ]
        wrong += (
            pc.battles(pc.Battles.from_frame(rows)).table["p_adjusted"].min() <= 0.05
        )
    assert wrong <= 7  # P(more | 0.05) = 0.0007


@pytest.mark.parametrize(
    "changed",
    [
        {"outcome": [0.7] * 12}, {"first": [0] * 12, "second": [0] * 12},
        {"second": [3] * 12}, {"outcome": [1.0] * 11}, {"voter": [2] * 12},
    ],
    ids=str,
)  # fmt: skip
def test_arrays_that_are_no_battles_are_rejected(changed):
    whole = {
        "models": ("A", "B"), "first": [0] * 12, "second": [1] * 12,
        "outcome": [1.0] * 12, "voter": [0] * 12, "voters": ("v", "w"),
    }  # fmt: skip
    pc.Battles(**whole)
    with pytest.raises(InputError, match=next(iter(changed))):
        pc.Battles(**whole | changed)


def test_weights_are_refused_unless_their_column_has_a_role():
    votes = {"left": ["A", "B"] * 6, "right": ["B", "A"] * 6, "winner": ["left"] * 12}
    votes["Weight"] = ["a", "b", "c"] * 4
    with pytest.raises(pc.InputError, match=r"column 'Weight': weights .* leave"):
        pc.Battles.from_frame(votes)
    kept = pc.Battles.from_frame(votes, voter="Weight")
    assert kept.voters == ("a", "b", "c")


def test_one_voter_is_rejected():
    rows = [dict(row, voter="v") for row in BATTLES]
    with pytest.raises(DesignError, match="one voter"):
        pc.battles(
            pc.Battles.from_frame(
                rows, model_1="left", model_2="right", winner="winner", voter="voter"
            )
        )


def test_the_order_effect_counts_voters():
    """Three equal votes of one voter are one vote, for the order effect, too."""
    alone = pc.battles(pc.Battles.from_frame(BATTLES))
    repeated = [dict(row, voter=i) for i, row in enumerate(BATTLES) for _ in range(3)]
    columns = {"model_1": "left", "model_2": "right", "winner": "winner"}
    grouped = pc.battles(pc.Battles.from_frame(repeated, voter="voter", **columns))
    assert abs(grouped.order_error / alone.order_error - 1) < 0.02
