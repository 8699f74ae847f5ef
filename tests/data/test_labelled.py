"""Tables of labels beside a judge: what they must hold, and what is refused."""

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.errors import InputError
from tests.judged import drawn, scores_of


def changed(rows, at, **cells):
    return [{**row, **cells} if i == at else row for i, row in enumerate(rows)]


def first(rows, *, labelled):
    return next(i for i, r in enumerate(rows) if (r["human"] is not None) == labelled)


def test_unlabelled_items_are_no_missing_cells():
    scores = scores_of(drawn())
    assert scores.judge.shape == (120, 3)
    assert int((~np.isnan(scores.values[:, 0, 0])).sum()) == 40
    assert scores.dropped.cells == ()
    assert "40 of 120 items labelled by people" in scores.summary()


def test_labels_of_some_algorithms_are_refused_or_ignored():
    rows = drawn()
    at = first(rows, labelled=True)
    odd = changed(rows, at, human=None)
    item = rows[at]["item"]
    with pytest.raises(InputError, match=rf"1 item has labels of some.*'{item}'"):
        scores_of(odd)
    scores = scores_of(odd, missing="drop-block")
    assert int((~np.isnan(scores.values[:, 0, 0])).sum()) == 39
    assert scores.n_blocks == 120
    assert any("1 item with labels of some algorithms only" in n for n in scores.notes)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"missing": "worst"}, "missing='worst' and judge=.* exclude each other"),
        ({"missing": "model"}, "missing='model' and judge=.* exclude each other"),
        ({"metrics": {"human": "higher", "verdict": "higher"}}, "verdict"),
        ({"judge": "human"}, "two roles"),
        ({"judge": "nobody"}, "there is no column 'nobody'"),
        ({"metric_column": "verdict", "value": "human"}, "several in rows"),
    ],
)
def test_bad_roles_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        scores_of(drawn(), **options)


def test_judge_needs_a_score_of_every_answer():
    rows = drawn()
    blank = changed(rows, 4, judge=None)
    with pytest.raises(InputError, match=r"no score of 1 answer of 360.*'q1'.*'B'"):
        scores_of(blank)
    marked = changed(rows, 4, judge=-1)
    with pytest.raises(InputError, match="no score of 1 answer"):
        scores_of(marked, na=["judge=-1"])
    without_row = [
        row for i, row in enumerate(rows) if i != first(rows, labelled=False)
    ]
    with pytest.raises(InputError, match="no score of 1 answer"):
        scores_of(without_row)


def test_all_labelled_and_none_labelled_are_refused():
    rows = drawn()
    with pytest.raises(InputError, match="every item is labelled"):
        scores_of([{**row, "human": 1} for row in rows])
    with pytest.raises(InputError, match="no label on which all"):
        scores_of([{**row, "human": None} for row in rows])


def test_two_scores_of_one_answer_are_refused():
    rows = drawn()
    again = {**rows[0], "judge": 1 - rows[0]["judge"], "person": "y"}
    twice = [{**row, "person": "x"} for row in rows] + [again]
    with pytest.raises(InputError, match=r"two scores of one answer.*'q0'.*'A'"):
        scores_of(twice, replicate="person")


def test_item_in_two_strata_is_refused():
    rows = changed(drawn(strata=2), 1, verdict="other")
    with pytest.raises(InputError, match="a block lies in one stratum"):
        scores_of(rows, stratum="verdict")


def test_strata_without_a_judge_are_refused():
    rows = [{**row, "human": 1 - row["judge"]} for row in drawn(strata=2)]
    with pytest.raises(InputError, match=r"stratum=.*is for labels"):
        pc.Scores.from_frame(
            rows, algorithm="model", block="item", stratum="verdict",
            metrics={"human": "higher"},
        )  # fmt: skip


def test_a_label_unlike_all_others_is_a_doubt():
    rows = drawn()
    odd = changed(rows, first(rows, labelled=True), human=3)
    with pytest.raises(InputError, match="odd-label: 'human' has 1 label other than"):
        scores_of(odd)
    assert scores_of(odd, confirmed=["odd-label"]).judge is not None
    assert scores_of(odd, range=(0, 3)).judge is not None


def test_grades_are_no_odd_labels():
    rng = np.random.default_rng(1)
    rows = [
        {**row, "human": None if row["human"] is None else int(rng.integers(0, 4))}
        for row in drawn()
    ]
    assert scores_of(rows).judge is not None


def test_wide_tables_have_no_judge():
    with pytest.raises(InputError, match="judge"):
        pc.read_scores(
            pc.example_path(), wide=True, metric="accuracy", better="higher",
            judge="C4.5",
        )  # fmt: skip


def test_words_and_percentages_of_a_judge_are_read_as_those_of_labels():
    rows = drawn(models=2)
    words = {1: "yes", 0: "no", None: None}
    said = [
        {**row, "human": words[row["human"]], "judge": words[row["judge"]]}
        for row in rows
    ]
    scores, plain = scores_of(said, one_is="yes"), scores_of(rows)
    assert scores.sha256 == plain.sha256
    percent = scores_of(
        [{**row, "judge": 100 * row["judge"]} for row in rows], percent=["judge"]
    )
    assert np.array_equal(percent.judge, plain.judge)


def test_arrays_that_do_not_fit_are_refused():
    scores = scores_of(drawn(models=2))
    fields = {
        "values": scores.values,
        "blocks": scores.blocks,
        "algorithms": scores.algorithms,
        "metrics": scores.metrics,
    }
    with pytest.raises(InputError, match="judge has shape"):
        pc.Scores(**fields, judge=scores.judge[:5])
    own = {**fields, "metrics": (pc.Metric("judge", "higher"),)}
    with pytest.raises(InputError, match="the metric cannot be called 'judge'"):
        pc.Scores(**own, judge=scores.judge)
    gaps = scores.judge.copy()
    gaps[0, 0] = np.nan
    with pytest.raises(InputError, match="a finite score of every answer"):
        pc.Scores(**fields, judge=gaps)


@pytest.mark.parametrize("column", ["judge", "human"])
def test_an_infinite_score_is_not_sent_to_what_a_judge_excludes(column):
    rows = drawn()
    at = first(rows, labelled=True)
    with pytest.raises(InputError, match="infinite in 1 of 360 rows") as told:
        scores_of(changed(rows, at, **{column: np.inf}))
    assert str(told.value).endswith("(inf); correct the score")
