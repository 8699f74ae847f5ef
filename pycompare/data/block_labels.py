"""Labels of blocks: own label, data set, group, cluster, stratum, in one table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import ArrayLike


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
