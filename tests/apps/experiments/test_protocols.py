"""Protocols: which cases learn, which are tested, for every fold."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import pycompare as pc
from pycompare.apps.experiments.runner import splits_of
from tests.apps.experiments.small import data, refused

PROTOCOLS = [
    pc.HeldOut(folds=5),
    pc.StratifiedFolds(4),
    pc.FiveByTwo(),
    pc.RepeatedFolds(3, 12),
    pc.DisjointSets(4),
]


def flags(n_positive: int, n_negative: int) -> np.ndarray:
    return np.random.default_rng(1).permutation(
        np.repeat([True, False], [n_positive, n_negative])
    )


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=str)
def test_no_case_is_learned_from_and_tested_on(protocol):
    for split in protocol.splits(flags(40, 60), seed=1):
        assert not set(split.train) & set(split.test)
        assert len(set(split.train)) == split.train.size


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=str)
def test_the_seed_alone_decides(protocol):
    one, same, other = (
        [list(map(list, s[1:])) for s in protocol.splits(flags(40, 60), seed)]
        for seed in (1, 1, 2)
    )
    assert one == same
    assert one != other


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=str)
def test_both_classes_are_in_every_part_with_the_fewest_cases(protocol):
    is_positive = flags(protocol.least, 3 * protocol.least)
    for split in protocol.splits(is_positive, seed=3):
        for rows in (split.train, split.test):
            assert 0 < is_positive[rows].sum() < rows.size


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=str)
def test_labels_of_folds_sort_as_they_count(protocol):
    labels = [split.fold for split in protocol.splits(flags(40, 60), seed=1)]
    assert labels == sorted(set(labels))


@pytest.mark.parametrize("protocol", PROTOCOLS[:-1], ids=str)
def test_overlap_is_the_ratio_of_the_sizes(protocol):
    n = 180  # thirds, quarters, fifths and halves of each class come out even
    for split in protocol.splits(flags(n, n), seed=1):
        assert Fraction(split.test.size, split.train.size) == protocol.overlap


def test_held_out_is_asl_3_2_3():
    is_positive = flags(90, 180)
    splits = pc.HeldOut().splits(is_positive, seed=1)
    assert len(splits) == 30
    test = splits[0].test
    assert test.size == 90
    assert is_positive[test].sum() == 30
    train_all = set(range(270)) - set(test.tolist())
    left_out = []
    for split in splits:
        assert np.array_equal(split.test, test)
        left_out.append(train_all - set(split.train.tolist()))
        assert len(left_out[-1]) == 6
        assert set(split.train.tolist()) | left_out[-1] == train_all
    assert set.union(*left_out) == train_all
    assert sum(map(len, left_out)) == len(train_all)


def test_disjoint_sets_share_no_case_and_use_all():
    protocol = pc.DisjointSets(5, test=0.25)
    splits = protocol.splits(flags(60, 100), seed=2)
    used = np.concatenate([rows for split in splits for rows in split[1:]])
    assert sorted(used) == list(range(160)) and protocol.overlap == 0
    assert {(len(s.train), len(s.test)) for s in splits} == {(24, 8)}
    assert all(flags(60, 100)[s.train].sum() == 9 for s in splits)


def test_folds_test_every_case_once():
    splits = pc.StratifiedFolds(4).splits(flags(40, 60), seed=1)
    assert sorted(np.concatenate([s.test for s in splits])) == list(range(100))
    assert all(flags(40, 60)[s.test].sum() == 10 for s in splits)


def test_repeats_test_every_case_once_each_and_divide_anew():
    splits = pc.FiveByTwo().splits(flags(40, 60), seed=1)
    assert [s.fold for s in splits[:3]] == ["1-1", "1-2", "2-1"]
    pairs = [splits[i : i + 2] for i in range(0, 10, 2)]
    for one, other in pairs:
        assert np.array_equal(one.train, other.test)
        assert sorted([*one.test, *other.test]) == list(range(100))
    assert len({tuple(one.test) for one, _ in pairs}) == 5


def test_data_sets_are_divided_by_their_names():
    one, same, other = (
        [list(s.test) for s in splits_of(name, data(), pc.StratifiedFolds(3), 1)]
        for name in ("a", "a", "b")
    )
    assert one == same
    assert one != other


def test_too_few_cases_of_a_class_are_refused():
    with refused("'d'.*one class has 5 cases", "needs 6", "fewer folds"):
        splits_of("d", data(10), pc.StratifiedFolds(6), 1)


@pytest.mark.parametrize("folds", [1, 2.0, True, "3"])
def test_a_number_of_folds_must_be_whole_and_two_or_more(folds):
    with refused("folds=", "at least 2"):
        pc.StratifiedFolds(folds)


def test_other_settings_are_refused():
    with refused("test=1", "between 0 and 1"):
        pc.HeldOut(test=1)
    with refused("2 folds and 5 repeats"):
        pc.FiveByTwo(3, 5)
    with refused("repeats=1"):
        pc.RepeatedFolds(3, 1)
