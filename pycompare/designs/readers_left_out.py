"""Decisions, or claims about a margin, when each reader is left out in turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pycompare.base.errors import DesignError, InputError
from pycompare.designs.decisions import rejected_pairs
from pycompare.designs.firmness import LeftOut
from pycompare.methods.multireader.mrmc import mrmc
from pycompare.methods.multireader.result import MRMCResult

if TYPE_CHECKING:
    import pandas as pd

_CLAIMS = {"non-inferiority": "non-inferior", "equivalence": "equivalent"}
"""The claim of each hypothesis about a margin."""
_LEAST = 3
"""Readers of whom one can be left out: new readers need two."""
_MOST_TESTS = 2000
"""Tests of pairs at most that are made again."""


def readers_left_out(study: MRMCResult) -> LeftOut:
    """Return which decisions change without one reader: of the study's hypothesis.

    With a margin these are the claims that pairs are within it, else the differences.
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
    asked, planned = dict(study.asked), _decided(study)
    if claims_of(study) is None:
        asked["margin"] = None
    changes: dict[frozenset[str], list[str]] = {}
    for reader in readers:
        try:
            others = mrmc(study.ratings.without_reader(reader), **asked)
        except (DesignError, InputError) as error:
            return _nothing(f"without {reader} it does not exist: {error}")
        own = _decided(others)
        for pair in planned | own:
            if planned.get(pair) != own.get(pair):
                changes.setdefault(pair, []).append(reader)
    return LeftOut(
        unit="reader",
        n_units=len(readers),
        changes={pair: tuple(names) for pair, names in changes.items()},
    )


def claims_of(study: MRMCResult) -> pd.DataFrame | None:
    """Return the claims of the hypothesis about the margin; None without a margin."""
    claims, name = study.claims, _CLAIMS.get(study.hypothesis)
    return None if claims is None or name is None else claims[claims["claim"] == name]


def stricter_claims(study: MRMCResult) -> tuple[int, int] | None:
    """Return how many claims keep by Bonferroni's adjustment, and of how many.

    None with one claim, or without a margin.
    """
    claims = claims_of(study)
    if claims is None or len(claims) < 2:
        return None
    stricter = len(claims) * claims["p_value"] <= claims["alpha"]
    return int((stricter == claims["shown"]).sum()), len(claims)


def _decided(study: MRMCResult) -> dict[frozenset[str], str]:
    """Return the pairs that are within the margin, or differ, with a word for each."""
    claims = claims_of(study)
    if claims is None:
        return dict(rejected_pairs(study, study.alpha))
    shown = claims[claims["shown"]]
    ends = zip(shown["algorithm_1"], shown["algorithm_2"], strict=True)
    return {frozenset(pair): _CLAIMS[study.hypothesis] for pair in ends}


def _nothing(why_not: str) -> LeftOut:
    """Return that no reader was left out."""
    return LeftOut(unit="reader", n_units=0, changes={}, why_not=why_not)
