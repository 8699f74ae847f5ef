"""Lists as long as a page has room for, and one longer; one thing and several."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.designs.plans.model_plan import ModelPlan
from pycompare.reporting.analyses import curves as curve_words
from pycompare.reporting.analyses import curves as curves_report
from pycompare.reporting.analyses import multivariate as vector_words
from pycompare.reporting.analyses.models import (
    RESIDUALS,
    ModelReport,
    _not_tested,
    answer,
)
from pycompare.reporting.content import curve_tables, figures, orderings, page, sources
from pycompare.reporting.content.curve_tables import CurveWay
from pycompare.reporting.document import FoldedSection, Section, plain
from tests.conftest import wide
from tests.reporting.outcomes import BETTER, EQUAL, fact, outcome
from tests.reporting.whole_pages import ORIGIN


def names(n: int) -> tuple[str, ...]:
    return tuple(f"x{i}" for i in range(n))


# ---- what is listed -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "end"), [(19, "x18"), (20, "x19"), (21, "x19 and 1 more"), (1, "x0")]
)
def test_twenty_runs_and_cells_are_listed(n, end):
    scores = wide(np.zeros((2, 2)))
    [(title, text)] = sources.run_rows(replace_runs(names(n)))
    assert title == "Runs in each cell"
    assert text.startswith(f"{n}: x0") and text.endswith(end)
    gone = replace(scores.dropped, cells=tuple((name,) for name in names(n)))
    [told] = sources.dropped(replace(scores, dropped=gone))
    assert told.endswith(f"{end}.")
    assert told.startswith(f"{n} cell{'s were' if n > 1 else ' was'} missing: x0")


def replace_runs(labels):
    n = None if labels is None else len(labels)
    return SimpleNamespace(replicates=labels, runs_per_cell=(n, n))


def test_scores_without_runs_have_no_row_of_them():
    assert sources.run_rows(replace_runs(None)) == []


@pytest.mark.parametrize(("n", "shown"), [(30, True), (31, False)])
def test_thirty_algorithms_are_ordered_on_the_page(n, shown):
    told = orderings.too_many(n, "orders")
    if shown:
        assert told is None
    else:
        assert told.text == "Orderings of more than 30 algorithms are in"
        assert told.files == ("orders",)


@pytest.mark.parametrize(("n", "drawn"), [(60, True), (61, False)])
def test_scores_of_sixty_algorithms_are_drawn(n, drawn):
    told = figures.left_out(SimpleNamespace(algorithms=names(n)))
    assert (told is None) == drawn
    if told is not None:
        assert "drawn for at most 60; there are 61." in told


@pytest.mark.parametrize(
    ("n", "said"), [(8, ""), (9, ", the first 8 of 9 algorithms"), (1, "")]
)
def test_curves_of_eight_algorithms_are_drawn(n, said):
    assert curves_report.first(names(n)) == said


@pytest.mark.parametrize("n", [1, 12, 13])
def test_twelve_pairs_of_mean_vectors_are_named(n):
    pairs = tuple(zip(names(n), names(n), strict=True))
    told = vector_words.some(pairs)
    assert told == (
        "13 pairs" if n == 13 else "; ".join(f"{a} – {b}" for a, b in pairs)
    )


# ---- results of a page --------------------------------------------------------------


def report_with(*results: page.PageResult) -> page.Report:
    table = SimpleNamespace()
    return page.Report(
        title="t",
        subtitle="s",
        results=results,
        scope=(),
        assumptions=(),
        plan=(),
        methods=table,
        data=(),
        dropped=(),
        origin=dict(ORIGIN),
        script="",
    )


def result(i: int, **parts) -> page.PageResult:
    return page.PageResult(
        **{"title": f"R{i}", "prefix": "", "answer": f"a{i}."} | parts
    )


@pytest.mark.parametrize(
    ("n", "told"),
    [
        (2, ["R0: a0.", "R1: a1."]),
        (3, ["R0: a0.", "R1: a1.", "R2: a2."]),
        (4, ["R0: a0.", "R1: a1.", "R2: a2.", "1 more result follows below."]),
    ],
)
def test_three_answers_are_on_the_first_screen(n, told):
    made = report_with(*map(result, range(n)))
    assert [plain(block.text) for block in made.answers()] == told
    kinds = [type(block) for block in made.details()]
    # An answer that stands on the first screen is not repeated.
    assert kinds == ([Section] * n if n < 4 else [Section] * 3 + [FoldedSection])
    leads = [made.lead_of(one) for one in made.results]
    assert [lead is None for lead in leads] == [True] * min(n, 3) + [False] * (n - 3)


def test_results_without_an_answer_or_not_leading_are_below():
    made = report_with(result(0, leading=False), result(1, answer=""), result(2))
    assert [plain(block.text) for block in made.answers()] == ["R2: a2."]
    assert [one.title for one in made.leading] == ["R2"]


@pytest.mark.parametrize("several", [False, True])
def test_what_r_cannot_list_is_named_with_its_result(several):
    few = result(0, not_in_r=("Shaffer", "Bergmann-Hommel"))
    made = report_with(*([few, result(1)] if several else [few]))
    _, left_out, code = made.in_r()
    assert left_out.text == (
        "Not included, R0: adjusted p-values by Shaffer, Bergmann-Hommel, because R "
        "would have to search the partitions of too many algorithms."
    )
    assert code.title == "R code"


@pytest.mark.parametrize(("several", "start"), [(False, ""), (True, "R0: ")])
def test_files_are_named_with_their_result_where_there_are_several(several, start):
    one = result(0, tables={"a": pd.DataFrame(), "b": pd.DataFrame()}, prefix="p_")
    made = report_with(*([one, result(1)] if several else [one]))
    text = made.files(one).text
    assert plain(text) == f"{start}a, b."
    assert [s.target for s in text if hasattr(s, "target")] == [
        "tables/p_a.csv",
        "tables/p_b.csv",
    ]


# ---- AUCs over data sets ------------------------------------------------------------


def way(*outcomes) -> CurveWay:
    made = tuple((f"d{i}", one) for i, one in enumerate(outcomes))
    parts = {"results": (), "not_made": (), "margins": ()}
    return CurveWay(name="Over cases", outcomes=made, **parts)


def beats(winner, *losers):
    return [fact(winner, BETTER, loser) for loser in losers]


@pytest.mark.parametrize(
    ("pairs", "told"),
    [
        (beats("A", "B"), "A is significantly better than B on 2 of 2 data sets."),
        (
            beats("A", "B", "C", "D"),
            "A is significantly better than B on 2 of 2 data sets, than C on 2 and "
            "than D on 2.",
        ),
        (
            beats("A", "B", "C", "D", "E"),
            "A is significantly better than B on 2 of 2 data sets, than C on 2 and "
            "than D on 2 (and than 1 more).",
        ),
        (
            [*beats("A", "B"), *beats("C", "D")],
            "A is significantly better than B on 2 of 2 data sets; C is better than D "
            "on 2.",
        ),
        (
            [f for a, b in ("AB", "CD", "EF", "GH") for f in beats(a, b)],
            "A is significantly better than B on 2 of 2 data sets; C is better than D "
            "on 2; E is better than F on 2; 1 more algorithms are better somewhere.",
        ),
        (
            [fact("A", EQUAL, "B", 0.4)],
            "no pair differs significantly in AUC on any of the 2 data sets.",
        ),
    ],
)
def test_who_is_better_on_how_many_data_sets(pairs, told):
    same = outcome(*pairs)
    assert plain(curve_words.conclusion(way(same, same))) == told


def test_more_wins_come_first():
    first, second = outcome(*beats("A", "B", "C")), outcome(*beats("A", "C"))
    assert plain(curve_words.conclusion(way(first, second))) == (
        "A is significantly better than C on 2 of 2 data sets and than B on 1."
    )


@pytest.mark.parametrize("n", [5, 6])
def test_ten_pairs_of_data_sets_have_a_grid(n):
    letters = "ABCDEF"[:n]
    pairs = [
        fact(a, BETTER, b) for i, a in enumerate(letters) for b in letters[i + 1 :]
    ]
    one = outcome(*pairs)
    assert (curve_tables.grid(way(one, one)) is None) == (n == 6)
    assert curve_tables.grid(way(one)) is None
    assert curve_tables.wins([way(one)]) is None
    assert len(curve_tables.wins([way(one, one)]).rows) == len(pairs)


# ---- linear models ------------------------------------------------------------------


def terms(**p_values) -> pd.DataFrame:
    return pd.DataFrame({"term": list(p_values), "p_value": list(p_values.values())})


@pytest.mark.parametrize(
    ("p_values", "told"),
    [
        ({"a": np.nan}, "No term can be tested."),
        ({"a": 0.051}, "No significant effect: a."),
        (
            {"a": 0.2, "b": np.nan, "c": 0.9},
            "No significant effect: a, c. Not testable: b.",
        ),
        ({"a": 0.2, RESIDUALS: np.nan}, "No significant effect: a."),
    ],
)
def test_terms_that_do_not_matter_or_cannot_be_tested(p_values, told):
    assert answer(terms(**p_values), 0.05, 0.95) == told


def test_why_a_term_has_no_multivariate_test_is_said():
    found = SimpleNamespace(manova={"a": "too few rows", "b": object()})
    assert [block.text for block in _not_tested(found)] == ["Not tested: too few rows."]


@pytest.mark.parametrize("levels", [60, 61])
def test_means_of_sixty_levels_are_shown(levels):
    frame = pd.DataFrame(
        {
            "score": np.random.default_rng(1).normal(size=3 * levels),
            "many": [f"l{i % levels}" for i in range(3 * levels)],
            "two": [f"t{i // 4 % 2}" for i in range(3 * levels)],
        }
    )
    plan = ModelPlan(formula="score ~ many + two")
    found = ModelReport(model=plan.fitted_to(frame), plan=plan)
    assert [name for _, name in found.means] == (
        ["many", "two"] if levels == 60 else ["two"]
    )


def test_example_scores_have_no_dropped_cell():
    assert sources.dropped(pc.example()) == ["No cell is missing; nothing was dropped."]
