"""Decisions on pairs of modalities when each reader is left out in turn."""

from __future__ import annotations

from pycompare.base.errors import DesignError, InputError
from pycompare.designs.decisions import rejected_pairs
from pycompare.designs.firmness import LeftOut
from pycompare.methods.multireader.mrmc import mrmc
from pycompare.methods.multireader.result import MRMCResult

_LEAST = 3
"""Readers of whom one can be left out: new readers need two."""
_MOST_TESTS = 2000
"""Tests of pairs at most that are made again."""


def readers_left_out(study: MRMCResult) -> LeftOut:
    """Return which decisions change without one reader.

    The whole analysis is made again without each reader, as it was asked for. It is not
    done (``why_not`` has the reason) with fewer than three readers, with covariances
    that are drawn at random, for more than 2,000 tests of pairs, and if the analysis
    does not exist without some reader.
    """
    readers = study.ratings.readers
    n_tests = len(readers) * len(study.as_columns())
    if len(readers) < _LEAST:
        return _nothing(f"there are {len(readers)} readers, and it takes {_LEAST}")
    if study.covariance_method == "bootstrap":
        return _nothing("the covariances are drawn at random")
    if n_tests > _MOST_TESTS:
        return _nothing(f"that is {n_tests} tests, and at most {_MOST_TESTS} are made")
    asked = {**study.asked, "margin": None}
    planned = rejected_pairs(study, study.alpha)
    changes: dict[frozenset[str], list[str]] = {}
    for reader in readers:
        try:
            others = mrmc(study.ratings.without_reader(reader), **asked)
        except (DesignError, InputError) as error:
            return _nothing(f"without {reader} it does not exist: {error}")
        own = rejected_pairs(others, study.alpha)
        for pair in planned | own:
            if planned.get(pair) != own.get(pair):
                changes.setdefault(pair, []).append(reader)
    return LeftOut(
        unit="reader",
        n_units=len(readers),
        changes={pair: tuple(names) for pair, names in changes.items()},
    )


def _nothing(why_not: str) -> LeftOut:
    """Return that no reader was left out."""
    return LeftOut(unit="reader", n_units=0, changes={}, why_not=why_not)
