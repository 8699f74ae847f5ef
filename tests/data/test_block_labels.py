"""Labels of blocks: a block's own, its data set, group and cluster stay together."""

import dataclasses

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.metric import OF_BLOCKS
from pycompare.data.block_labels import BlockLabels, of_pairs


def table(rng, n_datasets=4, n_folds=6):
    """Return rows of three algorithms whose folds have groups and clusters."""
    group = {d: f"g{d % 2}" for d in range(n_datasets)}
    return [
        {
            "model": model,
            "data": f"d{d}",
            "fold": f"{fold}",
            "domain": group[d],
            "text": f"t{d}{fold // 2}",
            "error": rng.normal(),
        }
        for d in range(n_datasets)
        for fold in rng.permutation(n_folds)
        for model in "ABC"
    ]


def read(rows, **more):
    """Read the table with all label columns."""
    return pc.Scores.from_frame(
        rows,
        algorithm="model",
        block="fold",
        dataset="data",
        group="domain",
        cluster="text",
        metrics={"error": "lower"},
        confirmed=["impossible"],
        **more,
    )


def of_each(labels):
    """Return all labels of each block by the block's own."""
    columns = (labels.dataset, labels.group, labels.cluster)
    return dict(zip(labels.block, zip(*columns, strict=True), strict=True))


@pytest.mark.parametrize("seed", range(5))
def test_the_labels_of_a_row_stay_together(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 30))
    columns = [tuple(f"{name}{k}" for k in rng.permutation(n)) for name in "bdgc"]
    labels = BlockLabels(*columns)
    mask = rng.random(n) < 0.5
    places = rng.permutation(n)[: n // 2 + 1]
    whole = of_each(labels)
    by_mask, by_place = labels.take(mask), labels.take(places)
    assert by_mask == labels.take(np.flatnonzero(mask))
    assert by_place.block == tuple(columns[0][k] for k in places)
    for part in (by_mask, by_place):
        assert of_each(part) == {block: whole[block] for block in part.block}


def test_a_column_that_is_not_there_stays_away():
    labels = BlockLabels(("a", "b"), group=("x", "y")).take([1])
    assert labels == BlockLabels(("b",), group=("y",))
    assert labels.fold is None


def test_folds_are_told_from_their_data_sets():
    pairs = [("a/b", "c"), ("a", "b/c"), ("a", "c")]
    labels = of_pairs(pairs)
    assert len(set(labels.block)) == len(labels) == 3
    assert labels.fold == ("c", "b/c", "c")


def test_scores_keep_each_blocks_labels():
    rng = np.random.default_rng(3)
    scores = read(table(rng))
    whole = of_each(scores.labels)
    chosen = tuple(rng.permutation(scores.blocks)[:9])
    part = scores.select(blocks=chosen, algorithms=["C", "A"])
    assert part.blocks == chosen
    assert of_each(part.labels) == {block: whole[block] for block in chosen}
    of_group = scores.of_group("g1")
    assert of_group.groups is None
    assert of_group.blocks == tuple(b for b in scores.blocks if whole[b][1] == "g1")
    assert of_group.clusters == tuple(whole[b][2] for b in of_group.blocks)


def test_blocks_that_are_dropped_take_their_labels_along():
    rows = table(np.random.default_rng(4))
    gone = rows.pop(7)
    scores = read(rows, missing="drop-block")
    name = f"{gone['data']}/{gone['fold']}"
    assert scores.dropped.blocks == (name,)
    assert name not in scores.blocks
    assert of_each(scores.labels) == {
        f"{r['data']}/{r['fold']}": (r["data"], r["domain"], r["text"])
        for r in rows
        if (r["data"], r["fold"]) != (gone["data"], gone["fold"])
    }


@pytest.mark.parametrize("method", [pc.dataset_means, pc.wins])
def test_methods_over_datasets_refuse_clusters_in_words(method):
    rows = table(np.random.default_rng(5))
    with pytest.raises(
        pc.InputError,
        match=r"lies in one cluster|leave the column of clusters out",
    ):
        method(read(rows))
    method(dataclasses.replace(read(rows), clusters=None))  # as the message says


def test_no_metric_takes_the_place_of_a_column_of_labels():
    rows = [row | {"cluster": row["error"]} for row in table(np.random.default_rng(6))]
    frame = read(rows).to_frame()
    there = [name for name in OF_BLOCKS if name != "stratum"]  # only beside a judge
    assert list(frame)[:6] == [*there, "algorithm"]
    for name in OF_BLOCKS:
        with pytest.raises(pc.InputError, match=f"cannot be called '{name}'"):
            pc.Metric(name, "lower")
