"""Groups (domains) of data sets: one each, kept wherever the scores go."""

import dataclasses
import pickle

import numpy as np
import pandas as pd
import pytest

import pycompare as pc

ROLES = {"algorithm": "m", "block": "f", "metrics": {"s": "higher"}}
ODD = ("<script>alert(1)</script>", "a,b", "nan", "__x", '=1+1"')


def long(owners, n_folds=2, algorithms="abc", seed=0, **columns):
    """One row a score; ``owners`` maps each data set to its group."""
    rng = np.random.default_rng(seed)
    rows = [
        {"d": d, "g": g, "f": f"f{f}", "m": m, "s": rng.random()}
        for d, g in owners.items()
        for f in range(n_folds)
        for m in algorithms
    ]
    return pd.DataFrame(rows).assign(**columns)


OWNERS = {"d1": "x", "d2": "y", "d3": "x", "d4": "y"}


def test_each_block_knows_the_group_of_its_data_set():
    scores = pc.Scores.from_frame(long(OWNERS), dataset="d", group="g", **ROLES)
    assert scores.groups == tuple("xxyyxxyy")
    assert scores.group_names == ("x", "y")
    assert "blocks in 2 groups: 'x', 'y'" in scores.summary()
    frame = scores.to_frame()
    assert list(frame.columns) == [
        *("group", "dataset", "fold", "block", "algorithm", "s")
    ]
    assert frame["group"].tolist() == [g for g in scores.groups for _ in "abc"]
    alone = long(OWNERS, n_folds=1).assign(f=list(np.repeat(list(OWNERS), 3)))
    without = pc.Scores.from_frame(alone, group="g", **ROLES)
    assert without.groups == tuple("xyxy") and without.datasets is None


def test_groups_follow_selections_means_and_copies():
    scores = pc.Scores.from_frame(long(OWNERS), dataset="d", group="g", **ROLES)
    part = scores.select(blocks=["d4/f0", "d1/f1"])
    assert part.groups == ("y", "x")
    assert pc.dataset_means(scores).groups == tuple("xyxy")
    assert pickle.loads(pickle.dumps(scores)).groups == scores.groups


def test_one_group_is_a_table_by_itself():
    frame = long(OWNERS)
    scores = pc.Scores.from_frame(frame, dataset="d", group="g", **ROLES)
    alone = pc.Scores.from_frame(frame[frame["g"] == "y"], dataset="d", **ROLES)
    assert scores.of_group("y").groups is None
    assert scores.of_group("y").sha256 == alone.sha256
    with pytest.raises(pc.InputError, match="there is no 'z'; there are 'x', 'y'"):
        scores.of_group("z")


def test_the_hash_tells_groups_apart_and_is_the_old_one_without_them():
    frame = long(OWNERS)
    plain = pc.Scores.from_frame(frame, dataset="d", **ROLES)
    scores = pc.Scores.from_frame(frame, dataset="d", group="g", **ROLES)
    assert scores.sha256 != plain.sha256
    assert dataclasses.replace(scores, groups=None).sha256 == plain.sha256
    other = dataclasses.replace(scores, groups=tuple("yyxxyyxx"))
    assert other.sha256 != scores.sha256


def test_a_wide_table_has_a_column_of_groups(tmp_path):
    frame = pd.DataFrame(
        {"domain": ["x", "y", "x"], "data": list("pqr"), "a": [1.0, 2, 3], "b": 0.5}
    )
    options = {"metric": "s", "better": "lower", "group": "domain"}
    scores = pc.Scores.from_wide(frame, block="data", **options)
    assert scores.algorithms == ("a", "b") and scores.groups == ("x", "y", "x")
    frame.to_csv(tmp_path / "wide.csv", index=False)
    read = pc.read_scores(tmp_path / "wide.csv", wide=True, **options)
    assert read.blocks == ("p", "q", "r") and read.sha256 == scores.sha256
    bare = pc.Scores.from_wide(frame.drop(columns="data"), **options)
    assert bare.blocks == ("1", "2", "3") and bare.groups == scores.groups
    with pytest.raises(pc.InputError, match="the first column 'data' holds text"):
        pc.Scores.from_wide(frame, **options)


def test_files_have_the_column_too(tmp_path):
    frame = long(OWNERS)
    frame.to_csv(tmp_path / "long.csv", index=False)
    read = pc.read_scores(tmp_path / "long.csv", dataset="d", group="g", **ROLES)
    direct = pc.Scores.from_frame(frame, dataset="d", group="g", **ROLES)
    assert read.sha256 == direct.sha256


def test_groups_have_any_names():
    owners = {f"d{i}": name for i, name in enumerate(ODD)}
    scores = pc.Scores.from_frame(long(owners), dataset="d", group="g", **ROLES)
    assert scores.group_names == ODD
    for name in ODD:
        assert scores.of_group(name).n_blocks == 2


def test_a_data_set_in_two_groups_is_refused_by_name():
    frame = long(OWNERS)
    frame.loc[frame["d"].isin(["d2", "d4"]) & (frame["f"] == "f1"), "g"] = "x"
    with pytest.raises(
        pc.InputError,
        match=r"a data set lies in one group, and 2 data sets lie in more, first: "
        r"'d2' in ",
    ):
        pc.Scores.from_frame(frame, dataset="d", group="g", **ROLES)
    one = long({"d1": "x"})
    one.loc[1, "g"] = "y"
    with pytest.raises(pc.InputError, match="1 block lies in more, first: 'f0' in"):
        pc.Scores.from_frame(one, group="g", **ROLES)
    scores = pc.Scores.from_frame(long(OWNERS), dataset="d", group="g", **ROLES)
    with pytest.raises(pc.InputError, match="1 data set lies in more"):
        dataclasses.replace(scores, groups=tuple("xyyyxxyy"))


def items(groups="xy", n=4, names="AB"):
    """Items numbered anew in each group."""
    return pd.DataFrame(
        {"g": g, "m": m, "item": i, "s": (i * 7 + ord(g) * 5 + ord(m) * 3) % 11}
        for g in groups
        for i in range(n)
        for m in names
    )


ITEMS = {"algorithm": "m", "block": "item", "metrics": {"s": "lower"}, "group": "g"}


def test_blocks_of_one_name_in_two_groups_are_told_apart():
    frame = items()
    scores = pc.Scores.from_frame(frame, **ITEMS)
    assert scores.blocks[:5] == ("x/0", "x/1", "x/2", "x/3", "y/0")
    assert scores.groups == tuple("xxxxyyyy")
    told = (
        "labels of 'item' occur in several groups, so each begins with its group: 'x/0'"
    )
    assert told in scores.notes
    own = frame.assign(item=frame["g"] + "/" + frame["item"].astype(str))
    assert pc.Scores.from_frame(own, **ITEMS).sha256 == scores.sha256
    left = pc.Scores.from_frame(frame, **ITEMS, leave_out=["block=y/0"])
    assert left.n_blocks == 7
    wide = frame.pivot(index=["g", "item"], columns="m", values="s").reset_index()
    options = {"metric": "s", "better": "lower", "block": "item", "group": "g"}
    assert pc.Scores.from_wide(wide, **options).sha256 == scores.sha256


def test_data_sets_of_one_name_in_two_groups_are_told_apart():
    frame = items().rename(columns={"item": "fold"}).assign(d="adult")
    roles = ITEMS | {"block": "fold", "dataset": "d"}
    scores = pc.Scores.from_frame(frame, **roles)
    assert scores.datasets == ("x/adult",) * 4 + ("y/adult",) * 4
    assert scores.blocks[0] == "x/adult/0" and scores.folds[:2] == ("0", "1")


def test_a_group_written_wrongly_in_some_rows_makes_no_other_block():
    frame = pd.concat([items("x"), items("y", names="A")])
    with pytest.raises(pc.InputError, match="4 pairs of block and algorithm have"):
        pc.Scores.from_frame(frame, **ITEMS)


def test_predictions_of_one_block_name_in_two_groups_are_told_apart():
    rows = [
        {"g": g, "m": m, "f": f, "c": c, "y": c % 2, "p": (c * 7 + ord(m) + f) % 9 / 9}
        for g in "xy"
        for f in (1, 2)
        for m in "AB"
        for c in range(6)
    ]
    roles = {"algorithm": "m", "block": "f", "label": "y", "score": "p", "positive": 1}
    found = pc.Predictions.from_frame(rows, **roles, case="c", group="g")
    assert found.blocks == ("x/1", "x/2", "y/1", "y/2")
    assert found.groups == tuple("xxyy")
    assert any("begins with its group" in note for note in found.notes)
    with pytest.raises(pc.InputError, match="2 blocks lie in more"):
        pc.Predictions.from_frame(rows, **roles, group="g")


@pytest.mark.parametrize(("cell", "why"), [(None, "no label in 1"), (" ", "is empty")])
def test_missing_and_empty_groups_are_refused(cell, why):
    frame = long(OWNERS)
    frame.loc[0, "g"] = cell
    with pytest.raises(pc.InputError, match=why):
        pc.Scores.from_frame(frame, dataset="d", group="g", **ROLES)


def test_a_column_of_groups_has_no_second_role():
    for column in ("d", "m", "f", "s"):
        with pytest.raises(pc.InputError, match="has two roles"):
            pc.Scores.from_frame(long(OWNERS), dataset="d", group=column, **ROLES)
    with pytest.raises(pc.InputError, match="group: there is no column 'gg'"):
        pc.Scores.from_frame(long(OWNERS), dataset="d", group="gg", **ROLES)
    scores = pc.Scores.from_frame(long(OWNERS), dataset="d", **ROLES)
    with pytest.raises(pc.InputError, match="groups must hold one label for each of 8"):
        dataclasses.replace(scores, groups=("x",))


def test_groups_go_with_runs():
    frame = pd.concat([long(OWNERS, seed=run).assign(run=run) for run in (1, 2, 3)])
    scores = pc.Scores.from_frame(
        frame.reset_index(drop=True), dataset="d", group="g", replicate="run", **ROLES
    )
    assert scores.groups == tuple("xxyyxxyy") and scores.runs.shape == (8, 3, 1, 3)
    part = scores.of_group("y")
    assert part.runs.shape == (4, 3, 1, 3) and part.replicates == scores.replicates
    assert list(scores.to_frame().columns[:3]) == ["group", "dataset", "fold"]
    plan = pc.Plan(family="metric", replicates="keep")
    comparison = pc.compare(scores, plan)
    for got in comparison.parts:
        assert [runs.dataset for runs in got.analyses[0].runs] == list(
            dict.fromkeys(got.scores.datasets)
        )


def test_dropped_blocks_take_their_groups_with_them():
    frame = long(OWNERS)
    frame.loc[0, "s"] = np.nan
    scores = pc.Scores.from_frame(
        frame, dataset="d", group="g", missing="drop-block", **ROLES
    )
    assert scores.groups == tuple("xyyxxyy")
    frame.loc[frame["g"] == "y", "s"] = np.nan
    with pytest.raises(pc.InputError, match="would leave nothing of 1 group: 'y'"):
        pc.Scores.from_frame(
            frame, dataset="d", group="g", missing="drop-block", **ROLES
        )
    frame = long(OWNERS)
    frame.loc[0, "s"] = np.nan
    kept = pc.Scores.from_frame(frame, dataset="d", group="g", missing="model", **ROLES)
    assert len(kept.of_group("x").dropped.cells) == 1
    assert kept.of_group("y").dropped.cells == ()
