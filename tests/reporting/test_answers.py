"""From facts to answers: who is named as better, alike, closest, or untested."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

import pycompare as pc
from pycompare.designs.decisions import Decision, Decisions
from pycompare.reporting.content import facts, wording
from pycompare.reporting.content.facts import SensitivityAnalysis
from pycompare.reporting.document import plain
from tests.conftest import wide
from tests.reporting.outcomes import BETTER, EQUAL, NOT, THREE, fact, outcome


def answer(*pairs, **options):
    return plain(wording.answer(outcome(*pairs, **options)))


# ---- facts ------------------------------------------------------------------------


def test_facts_of_an_outcome_are_sorted_by_relation():
    pairs = (fact("A", BETTER, "C"), fact("A", EQUAL, "B", 0.3), fact("B", NOT, "C"))
    found = outcome(*pairs, values=THREE)
    assert found.significant == [pairs[0]] and pairs[0].significant
    assert found.retained == [pairs[1]] and not pairs[1].significant
    assert found.untested == [pairs[2]] and not pairs[2].significant
    assert found.beaten_by("A") == ["C"] and found.beaten_by("C") == []
    assert found.facts_of("B") == [pairs[1], pairs[2]]
    assert pairs[0].pair == {"A", "C"}


@pytest.mark.parametrize(
    ("values", "leaders"),
    [
        ({}, []),
        (THREE, ["A"]),
        ({"A": 0.5, "B": 0.5, "C": 0.6}, ["A", "B"]),
        ({"A": 2.0, "B": math.nextafter(2, 3), "C": 2.1}, ["A", "B"]),
    ],
)
def test_leaders_have_the_best_number_up_to_rounding(values, leaders):
    assert outcome(fact("A", EQUAL, "B"), values=values).leaders == leaders


@pytest.mark.parametrize(
    ("p", "rejected", "relation"),
    [(0.01, True, BETTER), (0.2, False, EQUAL), (math.nan, False, NOT)],
)
def test_a_decision_has_one_relation(p, rejected, relation):
    made = Decision("A", "B", p, p, rejected)
    [code] = facts.relations(Decisions.of([made]))
    assert facts.RELATIONS[code] == relation
    expected = {frozenset("AB"): "A"} if rejected else {}
    assert facts.significant([made]) == expected


PRIMARY = outcome(fact("A", BETTER, "B"), fact("A", EQUAL, "C", 0.2), values=THREE)


@pytest.mark.parametrize(
    ("significant", "pairs"),
    [
        ({frozenset("AB"): "A"}, []),
        ({}, ["B"]),
        ({frozenset("AB"): "B"}, ["B"]),
        ({frozenset("AB"): "A", frozenset("AC"): "C"}, ["C"]),
        (None, []),
    ],
)
@pytest.mark.parametrize("omnibus", [None, (0.2, True), (0.2, False)])
def test_an_alternative_differs_on_pairs_it_decides_otherwise(
    significant, pairs, omnibus
):
    other = SensitivityAnalysis(
        name="F", assumes="", omnibus=omnibus, significant=significant
    )
    assert [one.object for one in other.differs_on(PRIMARY)] == pairs
    alike = not pairs and (omnibus is None or omnibus[1])
    assert other.agrees(PRIMARY) is alike


def test_under_a_heading_the_metric_is_not_repeated():
    for one in (PRIMARY, outcome(fact("A", EQUAL, "B"), fact("A", EQUAL, "C"))):
        told = plain(wording.headed(one))
        assert " in error" not in told


def test_a_pair_that_an_alternative_cannot_reject_is_no_difference():
    hopeless = frozenset([frozenset("AB")])
    other = SensitivityAnalysis(name="F", assumes="", significant={}, hopeless=hopeless)
    assert other.differs_on(PRIMARY) == []


# ---- parts of sentences -------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "word"), [(0, "no"), (1, "one"), (12, "twelve"), (13, "13"), (-1, "-1")]
)
def test_small_numbers_are_words(n, word):
    assert wording.count(n) == word


@pytest.mark.parametrize(
    ("names", "listed"),
    [
        ("", ""),
        ("A", "A"),
        ("AB", "A and B"),
        ("ABC", "A, B and C"),
        ("ABCDEFGH", "A, B, C, D, E, F, G and H"),
        ("ABCDEFGHI", "9 algorithms"),
    ],
)
def test_up_to_eight_names_are_listed(names, listed):
    assert wording.listing(list(names)) == listed
    assert wording.begun("abc def") == "Abc def" and wording.begun("") == ""


def test_evidence_is_estimate_interval_and_p():
    pair = fact("A", BETTER, "B", 0.012)
    told = wording.evidence(pair)
    assert told == "difference −0.250, 95% interval [−0.500, −0.125], adj. p = 0.012"
    for missing in (None, math.nan):
        bare = fact("A", BETTER, "B", 0.012, estimate=missing, interval=None)
        assert wording.evidence(bare) == "adj. p = 0.012"
    endless = fact("A", BETTER, "B", 0.012, interval=(-math.inf, 0.1))
    assert wording.evidence(endless) == "difference −0.250, adj. p = 0.012"


def test_the_largest_p_stands_for_all():
    pairs = [fact("A", BETTER, "B", p) for p in (0.012, 0.026)]
    assert wording.largest_p(pairs) == "all adj. p ≤ 0.026"
    assert wording.largest_p(pairs[:1]) == "adj. p = 0.012"
    tiny = [fact("A", BETTER, "B", p) for p in (1e-9, 1e-8)]
    assert wording.largest_p(tiny) == "all adj. p < 0.001"


@pytest.mark.parametrize(
    ("significant", "n", "told"),
    [
        (0, 1, "the difference is not significant"),
        (1, 1, "the difference is significant"),
        (0, 3, "no pairwise comparison is significant"),
        (1, 3, "one of the three pairwise comparisons is significant"),
        (2, 3, "two of the three pairwise comparisons are significant"),
        (3, 3, "all pairwise comparisons are significant"),
    ],
)
def test_significant_pairs_are_counted(significant, n, told):
    pairs = [fact("A", BETTER, f"B{i}") for i in range(significant)]
    pairs += [fact("A", EQUAL, f"C{i}", 0.3) for i in range(n - significant)]
    assert wording.tally(outcome(*pairs)) == told


def test_the_method_has_family_error_rate_count_and_omnibus():
    pairs = (fact("A", BETTER, "B"), fact("A", EQUAL, "C", 0.3))
    test = SimpleNamespace(
        name="friedman test", statistic=9.5, statistic_name="chi2", df=2, p_value=0.01
    )
    told = wording.method(outcome(*pairs, omnibus=test))
    assert "t tests, Holm adjustment, over all pairs. FWER 0.05. One of the" in told
    assert told.endswith("Friedman test: χ²(2) = 9.50, p = 0.010.")
    test.statistic, test.df = math.nan, None
    assert "Friedman" not in wording.method(outcome(*pairs, omnibus=test))
    assert wording.method(outcome(pairs[0])).endswith("FWER 0.05.")


# ---- answers ------------------------------------------------------------------------


def test_nothing_that_can_be_tested():
    told = answer(fact("A", NOT, "B", math.nan), fact("A", NOT, "C", math.nan))
    assert told == "No difference in error can be tested."


def test_one_pair():
    assert answer(fact("A", BETTER, "B")).startswith(
        "A is significantly better than B in error (difference −0.25"
    )
    assert answer(fact("A", EQUAL, "B", 0.3)).startswith(
        "A and B do not differ significantly in error (difference −0.25"
    )


def test_no_significant_pair_names_the_leader_and_the_closest_comparison():
    pairs = [fact("A", EQUAL, "C", 0.06), fact("A", EQUAL, "B", 0.6)]
    told = answer(*pairs, fact("B", NOT, "C", math.nan), values=THREE)
    assert told.startswith("No pair of the three algorithms differs significantly in")
    assert "A has the best mean error (0.125)." in told
    assert "The closest comparison is A with C (" in told and "p = 0.060" in told
    assert told.endswith("One pair could not be tested.")
    bare = answer(*pairs)
    assert "of the three algorithms" in bare and "best" not in bare


def test_two_leaders_share_the_best_number():
    values = {"A": 0.25, "B": 0.25, "C": 0.5}
    told = answer(fact("A", EQUAL, "C", 0.06), fact("B", EQUAL, "C"), values=values)
    assert "A and B share the best mean error (0.25" in told
    told = answer(fact("A", BETTER, "C"), fact("B", EQUAL, "C", 0.2), values=values)
    assert told.startswith("One of the two pairwise comparisons is significant in")
    assert "A is significantly better than C." in told


def test_a_leader_that_beats_all_others():
    pairs = [fact("A", BETTER, "C"), fact("A", BETTER, "B", 0.02)]
    told = answer(*pairs, fact("B", EQUAL, "C", 0.3), values=THREE)
    start = "A is significantly better than each of the other two in error (difference"
    assert told.startswith(start) and told.endswith("all adj. p ≤ 0.020).")
    more = answer(*pairs, fact("B", BETTER, "C"), values=THREE)
    assert more == told  # the headline is about the leader


def test_a_leader_that_does_not_beat_all_others():
    told = answer(
        fact("A", BETTER, "C"),
        fact("B", BETTER, "C"),
        fact("A", EQUAL, "B", 0.3),
        values=THREE,
    )
    assert told.startswith("A is significantly better than C in error (difference")
    assert told.endswith("It does not differ significantly from B.")


def test_a_leader_that_beats_nobody_is_no_headline():
    told = answer(
        fact("B", BETTER, "C"),
        fact("A", EQUAL, "C", 0.1),
        fact("A", EQUAL, "B", 0.3),
        values=THREE,
    )
    assert told.startswith("One of the three pairwise comparisons is significant in")
    assert "It is not significantly better than any other algorithm." in told


def test_many_rivals_are_counted_in_the_headline():
    names = [f"B{i}" for i in range(9)]
    pairs = [fact("A", BETTER if i < 5 else EQUAL, n) for i, n in enumerate(names)]
    found = {"A": 0.1} | {n: 0.2 + i for i, n in enumerate(names)}
    told = answer(*pairs, values=found)
    assert "better than 5 of the 9 other algorithms in error (" in told
    assert told.endswith("It does not differ significantly from B5, B6, B7 and B8.")


@pytest.mark.parametrize(("chain", "listed"), [(5, True), (6, False)])
def test_up_to_four_groups_of_winners_are_listed(chain, listed):
    names = [f"A{i}" for i in range(chain)]
    pairs = [
        fact(one, BETTER, other)
        for i, one in enumerate(names)
        for other in names[i + 1 :]
    ]
    pairs.append(fact("A0", EQUAL, "Z", 0.3))
    found = outcome(*pairs, values={n: float(i) for i, n in enumerate([*names, "Z"])})
    told = wording.winners(found)
    assert (f"A{chain - 2} is significantly better than A{chain - 1}" in told) is listed
    assert told.startswith("A0 is" if listed else f"15 of the {len(pairs)} pairwise")


def test_against_a_control():
    told = answer(
        fact("A", BETTER, "Z"),
        fact("B", BETTER, "Z", 0.02),
        fact("Z", BETTER, "C", 0.03),
        fact("Z", EQUAL, "D", 0.2),
        fact("E", EQUAL, "Z", 0.3),
        fact("F", NOT, "Z", math.nan),
        fact("G", NOT, "Z", math.nan),
        control="Z",
    )
    assert told.startswith("A and B are significantly better than Z in error; Z is")
    differences = "(differences from Z −0.25 to 0.25, all adj. p ≤ 0.030)"
    assert f"Z is significantly better than C in error {differences}." in told
    assert "Z does not differ significantly from D and E." in told
    assert told.endswith("Two pairs could not be tested.")


def test_against_a_control_that_no_algorithm_differs_from():
    for closest in (fact("Z", EQUAL, "A", 0.1), fact("A", EQUAL, "Z", 0.1)):
        told = answer(closest, fact("B", EQUAL, "Z", 0.6), control="Z")
        assert told.startswith("No algorithm differs significantly from Z in error.")
        assert "The closest comparison is with A (" in told and "p = 0.10" in told


def test_against_a_control_that_differs_from_all():
    told = answer(fact("A", BETTER, "Z"), fact("Z", BETTER, "B", 0.02), control="Z")
    assert told.startswith("A is significantly better than Z in error; Z is sig")
    assert "does not differ" not in told


@pytest.mark.parametrize(
    ("limits", "text"),
    [
        ((0.0123456, 1.23456), "95% CI [0.01, 1.23]"),
        ((1.23456e-9, 2.34567e-9), "95% CI [1.23e−9, 2.35e−9]"),
        ((-math.inf, 0.25), "95% CI [−∞, 0.250]"),
    ],
)
def test_an_interval_has_three_digits_of_its_larger_limit(limits, text):
    assert wording.interval(limits, 0.95) == text


def test_small_counts_are_words_and_others_figures():
    words = "no one two three four five six seven eight nine ten eleven twelve"
    assert [wording.count(n) for n in range(13)] == words.split()
    assert wording.count(13) == "13" and wording.count(-1) == "-1"


def test_the_primary_test_of_too_few_blocks_is_named_too():
    few = wide(np.array([[5.0, 4], [6, 4], [7, 6], [3, 4]]))
    told = pc.compare(few, pc.Plan(blocks="datasets")).summary()
    assert (
        "Wilcoxon signed rank test and Exact sign test cannot reach significance with "
        "so few blocks." in told
    )
    ties = np.ones((60, 2))
    ties[0, 1] = 0
    told = pc.compare(wide(ties), pc.Plan(blocks="datasets")).summary()
    assert "cannot reach significance with so few blocks: of 60, 1 differs." in told
