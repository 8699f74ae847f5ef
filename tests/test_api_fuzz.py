"""Frames of every kind in every public function: some cases of the fuzz."""

import numpy as np
import pytest

import pycompare as pc
from tests import api_fuzz


@pytest.mark.parametrize("first", range(0, 80, 20))
def test_frames_of_every_kind_are_compared_or_refused(first):
    cases = [api_fuzz.try_case(seed) for seed in range(first, first + 20)]
    failed = [(case.seed, case.failure, case.kind) for case in cases if case.failure]
    assert not failed, failed[0]
    assert sum(case.calls - case.refused for case in cases) > 5


def test_a_result_without_sense_is_a_failure():
    pairs = pc.paired_t_pairs(pc.example())
    columns = pairs.as_columns()
    for name, value in (("p_value", 1.5), ("conf_low", 9.0), ("estimate", -9.0)):

        class Wrong:
            def as_columns(self, name=name, value=value):
                return columns.but(**{name: np.full(len(columns), value)})

        with pytest.raises(AssertionError):
            api_fuzz._require_sense(Wrong())


def test_a_warning_is_a_failure(monkeypatch):
    def overflowing(*_, **__):
        return np.float64(1e308) * 10

    monkeypatch.setattr(pc, "linear_model", overflowing)
    assert "RuntimeWarning" in api_fuzz.try_case(1).failure
