"""Results are the same, bit for bit, in several threads at once."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

import pycompare as pc

WORK = {
    "ranks": lambda: pc.compare(pc.example()),
    "folds": lambda: pc.compare(pc.example("folds"), pc.Plan(n_train=216, n_test=24)),
    "flips": lambda: pc.max_t(pc.example()),
    "permutations": lambda: pc.closed_permutation(pc.example(), permutations=99),
    "bergmann-hommel": lambda: pc.rank_pairs(pc.example()),
}


@pytest.mark.parametrize("name", WORK)
def test_eight_threads_get_what_one_gets(name):
    alone = json.dumps(WORK[name]().to_dict())
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: json.dumps(WORK[name]().to_dict()), range(8)))
    assert set(found) == {alone}
