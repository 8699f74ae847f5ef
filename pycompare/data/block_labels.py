"""Labels of blocks: own label, data set, group, cluster, stratum, in one table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pycompare.base.errors import InputError
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import Levels, show, show_all


@dataclass(frozen=True)
class BlockLabels:
    """Labels of blocks, one row per block.

    Attributes
    ----------
    block : tuple of str
        With data sets, ``dataset/fold``.
    dataset, group, cluster, stratum : tuple of str or None
        None: no such column.
    """

    block: tuple[str, ...]
    dataset: tuple[str, ...] | None = None
    group: tuple[str, ...] | None = None
    cluster: tuple[str, ...] | None = None
    stratum: tuple[str, ...] | None = None

    def __len__(self) -> int:
        return len(self.block)

    def take(self, rows: ArrayLike) -> BlockLabels:
        """Return some rows of all columns: by places, in their order, or by a mask."""
        chosen = np.asarray(rows)
        masked, at = chosen.dtype.kind == "b", chosen.tolist()

        def of(column: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(
                compress(column, at) if masked else map(column.__getitem__, at)
            )

        return BlockLabels(
            of(self.block),
            self.dataset and of(self.dataset),
            self.group and of(self.group),
            self.cluster and of(self.cluster),
            self.stratum and of(self.stratum),
        )

    @property
    def fold(self) -> tuple[str, ...] | None:
        """Each block's label within its data set, if there are data sets."""
        if self.dataset is None:
            return None
        pairs = zip(self.block, self.dataset, strict=True)
        return tuple(_fold_label(block, dataset) for block, dataset in pairs)

    def of_scores(self) -> dict[str, Any]:
        """Return the columns by the names that they have in ``Scores``."""
        return {
            "blocks": self.block,
            "datasets": self.dataset,
            "groups": self.group,
            "clusters": self.cluster,
            "strata": self.stratum,
        }


def of_pairs(pairs: Iterable[tuple[str, str]]) -> BlockLabels:
    """Return the labels of blocks that are pairs of data set and fold."""
    held = list(pairs)
    return BlockLabels(pair_labels(held), tuple(dataset for dataset, _ in held))


def pair_labels(pairs: list[tuple[str, str]]) -> tuple[str, ...]:
    """Write each pair as one label, dataset/block."""
    labels = tuple(f"{dataset}/{fold}" for dataset, fold in pairs)
    if len(set(labels)) == len(labels):
        return labels
    # ("a/b", "c") and ("a", "b/c") would both be a/b/c: mark the inner slashes.
    return tuple(f"{_marked(dataset)}/{fold}" for dataset, fold in pairs)


def _fold_label(block: str, dataset: str) -> str:
    """Take the data set off a block's label; the whole label if it is not there."""
    for prefix in (f"{dataset}/", f"{_marked(dataset)}/"):
        if block.startswith(prefix):
            return block.removeprefix(prefix)
    return block


def _marked(dataset: str) -> str:
    return dataset.replace("\\", "\\\\").replace("/", "\\/")


def row_groups(
    owners: Levels, groups: Levels, what: str, kind: str = "group"
) -> dict[str, str]:
    """Return the group of each owner, from the labels of a table's rows.

    Parameters
    ----------
    owners : Levels
        The data set of each row; its block, if no column names data sets.
    groups : Levels
        The group of each row.
    what : {"data set", "block"}
        The kind of owners, for messages.
    kind : {"group", "cluster"}
        The kind of set they are in.

    Raises
    ------
    InputError
        If an owner lies in more than one group.
    """
    keys = np.unique(owners.codes * len(groups.labels) + groups.codes)
    places = [divmod(int(key), len(groups.labels)) for key in keys]
    pairs = [(owners.labels[i], groups.labels[j]) for i, j in places]
    return one_group_each(pairs, what, kind)


def one_group_each(
    pairs: Iterable[tuple[str, str]], what: str, kind: str = "group"
) -> dict[str, str]:
    """Return the group of each owner; reject an owner in more than one."""
    groups: dict[str, dict[str, None]] = {}
    for owner, group in pairs:
        groups.setdefault(owner, {})[group] = None
    torn = {owner: tuple(names) for owner, names in groups.items() if len(names) > 1}
    if torn:
        first, names = next(iter(torn.items()))
        raise InputError(
            f"a {what} lies in one {kind}, and {counted(len(torn), what)} "
            f"{'lies' if len(torn) == 1 else 'lie'} in more, first: {show(first)} in "
            f"{show_all(names)}; give all its rows the same {kind}, or the {what}s "
            "different names"
        )
    return {owner: next(iter(names)) for owner, names in groups.items()}
