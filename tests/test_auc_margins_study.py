"""The study of DeLong's test against a margin."""

from __future__ import annotations

import json
import zlib

import numpy as np

import pycompare as pc
from pycompare.methods.curves.few_cases import (
    LARGEST_MARGIN_ERRORS,
    LARGEST_MARGIN_ERRORS_OF_CLUSTERS,
)
from validation import auc_margins as study

STORED = json.loads(study.STORED.read_text())
ROWS = STORED["cases"]


def test_the_page_is_that_of_the_stored_counts():
    assert study.PAGE.read_text() == study.page(STORED)


def test_the_largest_errors_are_those_of_the_study():
    sizes = sorted({min(row["positive"], row["negative"]) for row in ROWS})
    assert list(LARGEST_MARGIN_ERRORS) == sizes
    assert len(ROWS) == len(list(study.designs()))
    for size, told in LARGEST_MARGIN_ERRORS.items():
        found = study.largest(ROWS, size, 0.95), study.largest(ROWS, size)
        assert told == tuple(round(error, 3) for error in found)


def test_a_design_is_seeded_and_decided_as_the_public_function_does():
    row = study.run_design("normal", 12, 15, 0.8, 0.7, 60)
    seed = zlib.crc32(b"margin: normal, 12 + 15, 0.8, 0.7")
    scores = study._scores(
        "normal", (60, 12, 15), (0.8, 0.7), np.random.default_rng(seed)
    )
    label = np.repeat([1, 0], [12, 15])
    found = [
        pc.auc_margins(
            label,
            {"old": old, "new": new},
            positive=1,
            margin=0.1,
            kind="non-inferiority",
            control="old",
        )
        for old, new in scores
    ]
    assert row["claimed"] == sum(bool(each.table["shown"][0]) for each in found)


def test_clusters_are_decided_by_their_own_test():
    stored = {(r["clusters"], r["control"]): r["claimed"] for r in STORED["clusters"]}
    assert len(stored) == len(study.CLUSTERS) * len(study.AREAS)
    for n, told in LARGEST_MARGIN_ERRORS_OF_CLUSTERS.items():
        shares = [stored[n, area] / study.CLUSTER_TRIALS for area, _ in study.AREAS]
        assert told == (max(shares[:3]), max(shares))
    # With 100 clusters of a class and AUCs below 0.96 the level is near nominal.
    near = [stored[100, control] / study.CLUSTER_TRIALS for control in (0.8, 0.9)]
    error = (0.025 * 0.975 / study.CLUSTER_TRIALS) ** 0.5
    assert max(near) <= 0.04 + 3 * error
