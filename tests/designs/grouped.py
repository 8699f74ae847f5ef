"""Seeded scores of data sets in groups."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import pycompare as pc
from tests.methods.over_datasets.many_folds import folds_of

ODD = ("<script>alert(1)</script>", "a,b", "nan", "__x")
TWO = {"error": "lower", "auc": "higher"}


def grouped(sizes: Sequence[int], groups: Sequence[str], **options) -> pc.Scores:
    """Folds of data sets, dealt to the groups in turn; see ``folds_of``."""
    scores = folds_of(sizes, **options)
    owner = {f"d{i + 1}": groups[i % len(groups)] for i in range(len(sizes))}
    return dataclasses.replace(
        scores, groups=tuple(owner[name] for name in scores.datasets)
    )
