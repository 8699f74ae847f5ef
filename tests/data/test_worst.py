"""Missing scores that count as the worst one."""

import warnings

import numpy as np
import pytest

import pycompare as pc
from tests.command_line import command

pytestmark = pytest.mark.usefixtures("blank_pictures")

SCORES = {
    "query": list("abcdef"),
    "bm25": [0.3, 0.5, 0.2, 0.4, 0.6, 0.1],
    "dense": [0.4, None, 0.3, 0.6, None, 0.2],
}


def read(metric="map", better="higher", **options):
    return pc.Scores.from_wide(
        SCORES, block="query", metric=metric, better=better, missing="worst", **options
    )


@pytest.mark.parametrize(
    "metric, better, end",
    [("map", "higher", 0), ("accuracy", "higher", 0), ("mcc", "higher", -1),
     ("ece", "lower", 1)],
)  # fmt: skip
def test_a_missing_score_is_the_bad_end_of_the_range(metric, better, end):
    scores = read(metric, better)
    assert scores.column()[[1, 4], 1].tolist() == [end, end]
    assert len(scores.dropped.cells) == 2
    assert scores.missing == "worst" and scores.complete
    kept = f"missing scores are treated as the worst ones: {end:g} in"
    assert kept in scores.notes[0]


@pytest.mark.parametrize("metric, better", [("utility", "higher"), ("rmse", "lower")])
def test_a_metric_without_such_an_end_needs_it(metric, better):
    with pytest.raises(pc.InputError, match="has no worst score by its name"):
        read(metric, better)
    end = 0.0 if better == "higher" else 9.0
    for worst in (end, {metric: end}):
        assert read(metric, better, worst=worst).column()[1, 1] == end


def test_a_worst_score_that_is_not_the_worst_is_refused():
    with pytest.raises(pc.InputError, match="has worse scores"):
        read(worst=0.25)
    with pytest.raises(pc.InputError, match="there is no metric"):
        read(worst={"ndcg": 0.0})
    with pytest.raises(pc.InputError, match="worst needs missing='worst'"):
        pc.Scores.from_wide(
            SCORES, block="query", metric="map", better="higher", worst=0.0,
            missing="drop-block",
        )  # fmt: skip


def test_runs_that_failed_enter_the_mean_of_their_cell():
    rows = [
        {
            "d": d,
            "a": a,
            "r": r,
            "accuracy": None if (d, a, r) == ("u", "x", 1) else 0.8,
        }
        for d in "uvw"
        for a in "xy"
        for r in (1, 2)
    ]
    scores = pc.Scores.from_frame(
        rows,
        **{"algorithm": "a", "block": "d", "replicate": "r", "missing": "worst"},
        metrics={"accuracy": "higher"},
    )
    assert scores.column()[0].tolist() == [0.4, 0.8]


def test_the_conclusion_is_that_of_the_filled_table():
    filled = {name: [0.0 if v is None else v for v in column]
              for name, column in SCORES.items()}  # fmt: skip
    wanted = pc.Scores.from_wide(filled, block="query", metric="map", better="higher")
    assert np.array_equal(read().values, wanted.values)
    assert read().sha256 == wanted.sha256


def test_predictions_have_no_worst_score(tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text(
        '[data]\nalgorithm = "a"\nblock = "b"\nlabel = "l"\nscore = "s"\n'
        'positive = "1"\nmissing = "worst"\n[plan]\n'
    )
    with pytest.raises(pc.PlanError, match="predictions have no worst score"):
        pc.read_plan(plan)


DISTANCES = {
    "case": list("abcdef"),
    "unet": [1.0, float("inf"), 2.5, 3.0, 4.0, 2.0],
    "swin": [2.0, 3.0, 1.5, None, 5.0, 1.0],
}


@pytest.mark.parametrize("text", [None, "inf", "Infinity", "1e999"])
def test_a_score_infinite_to_the_bad_side_is_the_worst_one(tmp_path, text):
    wide = {"block": "case", "metric": "hd95", "better": "lower"}
    source = DISTANCES
    if text is not None:
        source = DISTANCES | {"unet": [1.0, text, 2.5, 3.0, 4.0, 2.0]}
        rows = [",".join(DISTANCES), *(
            ",".join("" if x is None else str(x) for x in row)
            for row in zip(*source.values(), strict=True)
        )]  # fmt: skip
        (path := tmp_path / "hd.csv").write_text("\n".join(rows))

    def read(**options):
        if text is None:
            return pc.Scores.from_wide(source, **wide, **options)
        return pc.read_scores(path, wide=True, **wide, **options)

    with pytest.raises(
        pc.InputError, match=r"infinite in 1 .* missing='worst' takes on"
    ):
        read(missing="drop-block")
    scores = read(missing="worst", worst=50.0)
    assert scores.column()[1].tolist() == [50, 3] and scores.column()[3, 1] == 50
    with pytest.raises(pc.InputError, match="is infinite in 1"):
        pc.Scores.from_wide(DISTANCES, **wide | {"better": "higher"}, missing="worst")


def test_infinite_scores_of_a_long_table_go_by_their_metric():
    rows = [
        {"case": case, "model": model, "hd95": score, "gain": -score if score else 1.0}
        for model in ("unet", "swin")
        for case, score in zip(DISTANCES["case"], DISTANCES[model], strict=True)
    ]
    given = {"algorithm": "model", "block": "case", "missing": "worst"}
    scores = pc.Scores.from_frame(
        rows, metrics={"hd95": "lower", "gain": "higher"}, **given,
        worst={"hd95": 50.0, "gain": -50.0},
    )  # fmt: skip
    assert scores.values[1, 0].tolist() == [50, -50]
    with pytest.raises(pc.InputError, match="'gain' is infinite in 1 of 12 rows"):
        pc.Scores.from_frame(
            rows, metrics={"hd95": "lower", "gain": "lower"}, **given, worst=50.0
        )


GRADES = {
    "query": list("abcdef"),
    "one": [3, 5, 2, 4, 6, 1],
    "two": [4, None, 3, 6, None, 2],
}


def grades(table=GRADES, better="higher", **options):
    return pc.Scores.from_wide(
        table, block="query", metric="grade", better=better, **options
    )


@pytest.mark.parametrize("ends", [(0, 10), {"grade": [0, 10]}])
@pytest.mark.parametrize("better, worst", [("higher", 0), ("lower", 10)])
def test_the_bad_end_of_a_declared_range_is_the_worst_score(ends, better, worst):
    scores = grades(better=better, range=ends, missing="worst")
    assert scores.column()[[1, 4], 1].tolist() == [worst, worst]


@pytest.mark.parametrize("missing", ["drop-block", "worst", "model"])
def test_scores_outside_of_a_declared_range_are_doubted(missing):
    with pytest.raises(pc.DoubtError, match=r"2 scores outside of \[2, 5\]|first: 6"):
        grades(range=(2, 5), missing=missing)
    grades(range=(1, 6), missing=missing)
    wider = GRADES | {"one": [3, 5, 2, 4, 0.5, 1.5]}
    with pytest.raises(pc.DoubtError, match="impossible"):
        pc.Scores.from_wide(
            wider | {"two": [1] * 6}, block="query", metric="accuracy", better="higher"
        )
    declared = {"metric": "accuracy", "better": "higher", "range": (0, 7)}
    pc.Scores.from_wide(wider | {"two": [1.5] * 6}, block="query", **declared)


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ((1, 0), "lowest and the highest"),
        ((0, np.inf), "two finite"),
        ("01", "two finite"),
        ({"grade": (0, 10, 20)}, "two finite"),
        ({"grades": (0, 10)}, "did you mean 'grade'"),
    ],
)
def test_a_range_that_cannot_be_is_refused(ends, said):
    with pytest.raises(pc.InputError, match=said):
        grades(range=ends, missing="drop-block")


def test_one_range_for_several_metrics_is_refused():
    rows = [
        {"d": d, "a": a, "x": 1.0 + (a == "s"), "y": 2.0 - (d == "u")}
        for d in "uv"
        for a in "st"
    ]
    read = {"algorithm": "a", "block": "d", "metrics": {"x": "higher", "y": "lower"}}
    with pytest.raises(pc.InputError, match="give each its own"):
        pc.Scores.from_frame(rows, **read, range=(0, 3))
    pc.Scores.from_frame(rows, **read, range={"x": (0, 3)})


def test_a_range_of_a_plan_is_that_of_the_table(tmp_path):
    plan = pc.Plan(blocks="cases", range=(0, 10))
    made = pc.compare(GRADES, plan, block="query", metric="grade", better="higher",
                      algorithms=["one", "two"], missing="worst")  # fmt: skip
    assert made.scores.column()[1, 1] == 0
    text = ["query,one,two"]
    for row in zip(*GRADES.values(), strict=True):
        text.append(",".join("" if v is None else str(v) for v in row))
    (tmp_path / "t.csv").write_text("\n".join(text))
    toml = tmp_path / "plan.toml"
    toml.write_text(
        '[data]\nfile = "t.csv"\nformat = "wide"\nblock = "query"\nmissing = "worst"\n'
        '[metrics]\ngrade = "higher"\n[plan]\nblocks = "cases"\nrange = [0, 10]\n'
    )
    assert pc.read_plan(toml).read_scores().column()[1, 1] == 0
    options = ["--wide", "--metric", "grade:higher", "--blocks", "cases"]
    more = ["--missing", "worst", "--range", "grade=0,10", "--out", tmp_path / "r"]
    assert command("compare", tmp_path / "t.csv", *options, *more)[0] == 0
    status, _, told = command("compare", tmp_path / "t.csv", *options, *more[:2])
    assert status == 2 and "--range NAME=LOW,HIGH" in told
    more[3] = "0,3"
    status, _, told = command(
        "compare", tmp_path / "t.csv", *options, *more, "--overwrite"
    )
    assert status == 2 and "outside of [0, 3]" in told
    with pytest.raises(pc.PlanError, match="outside of it, first: 4"):
        pc.compare(made.scores, pc.Plan(blocks="cases", range=(0, 3)))


def test_a_worst_score_far_from_all_scores_gives_no_warning():
    frame = {"a": [1e308, 1.0], "b": [2.0, np.nan], "c": [3.0, 1.0]}
    options = {"metric": "s", "better": "higher", "missing": "worst"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(pc.InputError, match="too large for the sums"):
            pc.Scores.from_wide(frame, worst=-1.7e308, **options)
