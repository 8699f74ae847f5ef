"""The words that choose an analysis of readers and cases."""

from __future__ import annotations

from typing import Literal

Effect = Literal["random", "fixed"]
"""Whether conclusions concern new readers (or cases), or those at hand."""
ReaderMethod = Literal["or", "dbm"]
"""Obuchowski-Rockette, or Dorfman-Berbaum-Metz."""
DfRule = Literal["hillis", "1992"]
"""Degrees of freedom if readers and cases are random."""
CovarianceName = Literal["jackknife", "delong", "unbiased", "bootstrap"]
FigureName = Literal[
    "auc", "partial_auc", "sensitivity", "specificity", "mean", "afroc", "wafroc"
]
MARK_FIGURES: tuple[FigureName, ...] = ("afroc", "wafroc")
"""Figures of merit of free-response marks."""
ErrorName = Literal["own", "pooled"]
"""Error of a pair: that of its two modalities, or of all."""
PairTestsName = Literal["largest", "published"]
"""Pairs of three or more modalities: the largest of three p-values, or Hillis' own."""
OutcomeName = Literal["mean", "accuracy", "sensitivity", "specificity"]
"""The event coded 1 in a mixed model of 0/1 outcomes."""
RandomName = Literal["case", "reader", "modality x reader"]
"""Random effects of a mixed model."""
R_FILES = ("adjust", "roc", "delong_clusters", "multireader")
"""Files of r_reference that repeat an analysis of readers and cases."""
LARGEST_R_FILES = (*R_FILES, "signed_rank_pairs")
"""The same, with intervals at the level of the last step."""
