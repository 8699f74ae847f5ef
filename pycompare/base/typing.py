"""Names of types that many modules share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Singles = NDArray[np.float32]
Ints = NDArray[np.int64]
Indices = NDArray[np.intp]
BinsName = Literal["equal-width", "equal-mass"]
"""Bins of probabilities."""
ItemsScope = Literal["sampled", "fixed"]
"""Scope of conclusions about items: items like these, or just these items."""
DecidedBy = Literal["scores", "bounded", "t"]
"""Tests of a gate."""
SmallSets = Literal["reject", "report"]
"""What becomes of items with which equal answers cannot pass a gate."""
Hypothesis = Literal["superiority", "non-inferiority", "equivalence"]
"""What a plan sets out to show."""
LinkFunction = Literal["logit", "probit"]
"""Scale of a model of 0/1 outcomes."""
Sizes = float | Mapping[str, float]
"""One number for all data sets, or one for each."""
StdError = Literal["permutation", "textbook"]
"""Rule of the standard error of mean ranks."""
Assumes = Literal["symmetry", "exchangeability"]
"""What the closed test of typical differences assumes."""
WeightRule = Literal["equal", "cases"]
"""Weights of groups of cases without numbers: the same for all, or their cases."""
GroupWeights = Mapping[str, float] | WeightRule
"""Weights of groups of cases: a number for each, or a rule."""
RankingScheme = Literal["rank-then-aggregate", "aggregate-then-rank", "test-then-rank"]
"""How a challenge ranks algorithms over cases."""
Aggregate = Literal["mean", "median"] | float
"""What a challenge makes of an algorithm's cases; a number is a quantile."""
TiedRanks = Literal["mean", "min"]
"""Ranks of ties, and of failed cases behind all scores: their mean, or the first."""
ThresholdRule = Literal["sign", "any"]
"""How tests at several thresholds decide one data set."""
Standardise = Literal["sd", "none"]
"""Whether metrics are divided by their standard deviations."""
SignTies = Literal["split", "drop"]
"""What a sign test does with data sets on which neither is better."""
PairIndices = list[tuple[int, int]]
"""Pairs of algorithms by their positions."""
