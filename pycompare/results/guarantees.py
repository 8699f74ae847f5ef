"""The ledger of claims: which error rate a comparison of pairs has, and under what.

A guarantee is made of three parts: the basis (where the raw p-values come from, or the
joint test), the adjustment, and whether the family has a control. Its key joins it to
the rows of ``validation/family_wise.json``, the study that shows it; see
``validation/FAMILY_WISE.md``. Pages print guarantees from here and nothing else about
error rates. A guarantee without a row in the study claims nothing.

References
----------
.. [1] Hochberg, Y., Tamhane, A. C. (1987). Multiple Comparison Procedures. Wiley.
.. [2] Benavoli, A., Corani, G., Mangili, F. (2016). JMLR 17(5), 1-10.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from pycompare.base.formatting.counts import counted
from pycompare.base.hypotheses import (
    ACCURACIES,
    AUCS,
    EXCHANGEABLE,
    FIGURES_OF_MERIT,
    MARGIN,
    MARGIN_OF_RATIOS,
    MEAN_RANKS,
    MEAN_VECTORS,
    MEANS,
    NO_INTERACTION,
    PARTIAL_AUCS,
    PR_AREAS,
    STRENGTHS,
    SYMMETRY,
    SYMMETRY_OF_EXCHANGEABLE,
    SYMMETRY_OF_EXCHANGEABLE_LOGARITHMS,
    SYMMETRY_OF_LOGARITHMS,
    WEIGHTED_MEANS,
    WEIGHTED_RANKS,
    WINNING,
    Hypotheses,
)

ErrorKind = Literal["family-wise", "false discovery rate", "comparisonwise", "none"]
_ERRORS: dict[ErrorKind, str] = {
    "family-wise": "family-wise error",
    "false discovery rate": "false discovery rate",
    "comparisonwise": "comparisonwise error",
    "none": "none",
}
"""The kinds of errors in words."""
Form = Literal["exact", "asymptotic", "approximate"]


@dataclass(frozen=True)
class Units:
    """The kind of blocks of a comparison, for its claims.

    Attributes
    ----------
    condition : str
        The key of ``CONDITIONS`` that says of what each other they are independent.
    means : str
        First word of the basis of tests of means.
    independent : bool
        Whether blocks share no training data.
    """

    condition: str
    means: str = "means"
    independent: bool = True


BLOCKS = Units("independent-blocks")
CASES = Units("independent-cases")
FOLDS = Units("independent-folds", "folds", independent=False)
"""Folds of one data set."""
MODEL_OF_FOLDS = Units("independent-folds", "model", independent=False)
"""All folds of several data sets, in one model."""

CONDITIONS = {
    "complete-null": "no algorithm differs from another",
    "independent-blocks": "blocks are independent",
    "independent-cases": "cases are independent",
    "independent-samples": "all scores are independent, of other algorithms too",
    "known-range": "no score can lie outside the declared range",
    "independent-clusters": "clusters of cases are independent",
    "independent-families": "clusters of data sets are independent",
    "independent-readers": "readers are independent",
    "independent-voters": "voters are independent",
    "one-order": "one strength of each model describes all its battles",
    "drawn-labels": "labelled items were drawn at random",
    "independent-answers": "answers to an item are drawn independently",
    "independent-runs": "prompts, judges or trainings are a random sample",
    "independent-folds": "folds share no training data",
    "normal": "differences are normal",
    "equal-variances": "all differences have one variance",
    "exchangeable": "equal algorithms are exchangeable",
    "symmetric": "differences are symmetric about 0",
    "symmetric-families": "differences of a cluster are jointly symmetric about 0",
    "symmetric-logarithms-of-families": "logarithms of ratios of a cluster are jointly "
    "symmetric about 0",
    "symmetric-about-centre": "differences are symmetric about their centre",
    "symmetric-logarithms": "logarithms of ratios are symmetric about 0",
    "symmetric-logarithms-about-centre": "logarithms of ratios are symmetric about "
    "their centre",
    "jointly-symmetric-logarithms": "logarithms of ratios of equal algorithms are "
    "jointly symmetric",
    "jointly-symmetric": "differences of equal algorithms are jointly symmetric",
    "overlap-as-assumed": "folds correlate no more than the overlap term assumes",
    "new-test-sets": "each training set has its own test set",
    "these-data-sets": "data sets are fixed",
    "large-sample": "samples are large",
    "enough-readers": "readers are enough for the pairs' own error",
    "positive-dependence": "tests are independent or positively dependent",
    "normal-statistics": "tests are independent or of jointly normal statistics",
    "independent-tests": "tests are independent",
    "valid-p-values": "each p-value is valid whenever its own hypothesis is true",
    "transitive": "hypotheses are transitive (A = B and B = C imply A = C)",
}
"""What a guarantee may rest on: the study's word, and what a page prints."""
_BROKEN = {
    "independent-folds": "folds share training data",
    "new-test-sets": "all training sets have one test set",
    "enough-readers": "tests of pairs by their own error reject too often with so few "
    "readers",
}
"""What a page prints if a condition does not hold."""
_MOST_AT_ONCE = 3
"""Conditions that one sentence names."""
_FORMS: dict[Form, str] = {
    "exact": "exact",
    "asymptotic": "for large samples",
    "approximate": "approximate",
}
_FIRST = ("complete-null", "independent-folds")
"""Conditions that stand wherever the error rate does."""
_OF_LOGARITHMS = "-of-logarithms"
"""End of a basis whose tests are those of the basis before it, on logarithms."""
SAME = {"independent-blocks": ("independent-blocks", "independent-folds")}
"""Conditions that one word of the study breaks, if they are several."""


@dataclass(frozen=True)
class Basis:
    """Where the raw p-values of pairs come from, or a joint test of all pairs.

    Attributes
    ----------
    hypotheses : Hypotheses
    form : {"exact", "asymptotic", "approximate"}
    conditions : tuple of str
        Keys of ``CONDITIONS`` under which each pair has a valid p-value.
    joint : bool
        Whether the test is of all pairs together, and has no adjustment.
    broken : tuple of str
        Conditions that do not hold, so that nothing is claimed.
    """

    hypotheses: Hypotheses
    form: Form
    conditions: tuple[str, ...]
    joint: bool = False
    broken: tuple[str, ...] = ()


# The standard error of z is that of a table in which all algorithms are alike.
_RANKS_ALIKE = ("independent-blocks", "complete-null", "exchangeable")
_RANKS_NORMAL = (*_RANKS_ALIKE, "large-sample")
_POOLED = ("normal", "equal-variances")
_READERS = ("independent-readers", "independent-cases", "normal")
_FEW_READERS = ("enough-readers",)
_OF_CASES = ("independent-cases", "large-sample")
_LABELLED = ("independent-cases", "drawn-labels", "large-sample")
_CORRECTED = ("normal", "overlap-as-assumed", "new-test-sets")
_MCNEMAR: tuple[tuple[str, Form, tuple[str, ...]], ...] = (
    ("exact", "exact", ()),
    ("mid-p", "approximate", ()),
    ("chi2", "asymptotic", ("large-sample",)),
    ("chi2-corrected", "asymptotic", ("large-sample",)),
)
"""Forms of McNemar's p-values, how good they are, and under what."""
BASES = {
    "ranks/normal": Basis(MEAN_RANKS, "asymptotic", _RANKS_NORMAL),
    "ranks/exact": Basis(MEAN_RANKS, "exact", _RANKS_ALIKE),
    "ranks/conover-t": Basis(MEAN_RANKS, "approximate", _RANKS_NORMAL),
    "ranks/sign-flips": Basis(
        EXCHANGEABLE, "exact", ("independent-blocks", "exchangeable")
    ),
    "aligned-ranks/normal": Basis(MEAN_RANKS, "asymptotic", _RANKS_NORMAL),
    "aligned-ranks/sign-flips": Basis(
        EXCHANGEABLE, "exact", ("independent-blocks", "exchangeable")
    ),
    "quade-ranks/normal": Basis(MEAN_RANKS, "asymptotic", _RANKS_NORMAL),
    "quade-ranks/sign-flips": Basis(
        EXCHANGEABLE, "exact", ("independent-blocks", "exchangeable")
    ),
    "skillings-mack/normal": Basis(MEAN_RANKS, "asymptotic", _RANKS_NORMAL),
    "ranks/closed-permutation": Basis(
        EXCHANGEABLE, "exact", ("independent-blocks", "exchangeable"), joint=True
    ),
    "scores/closed-permutation": Basis(
        EXCHANGEABLE, "exact", ("independent-blocks", "exchangeable"), joint=True
    ),
    "ranks/max-t": Basis(
        MEAN_RANKS,
        "exact",
        ("independent-blocks", "exchangeable", "jointly-symmetric"),
        joint=True,
    ),
    "scores/max-t": Basis(
        MEANS, "exact", ("independent-blocks", "jointly-symmetric"), joint=True
    ),
    "means/pooled": Basis(MEANS, "exact", ("independent-blocks", *_POOLED)),
    "means/paired-t": Basis(MEANS, "exact", ("independent-blocks", "normal")),
    "means/unequal-variances": Basis(
        MEANS, "approximate", ("independent-samples", "normal")
    ),
    "means/sign-changes": Basis(MEANS, "exact", ("independent-blocks", "symmetric")),
    "folds/pooled": Basis(MEANS, "exact", ("independent-folds", *_POOLED)),
    "folds/paired-t": Basis(MEANS, "exact", ("independent-folds", "normal")),
    "folds/corrected": Basis(MEANS, "approximate", (*_CORRECTED, "equal-variances")),
    "folds/sign-changes": Basis(MEANS, "exact", ("independent-folds", "symmetric")),
    "folds/corrected-t": Basis(MEANS, "approximate", _CORRECTED),
    "model/pooled": Basis(
        MEANS, "exact", ("independent-folds", *_POOLED, "these-data-sets")
    ),
    "model/corrected": Basis(
        MEANS, "approximate", (*_CORRECTED, "equal-variances", "these-data-sets")
    ),
    "model/sign-changes": Basis(
        MEANS, "exact", ("independent-folds", "symmetric", "these-data-sets")
    ),
    "mean-vectors/paired-T2": Basis(
        MEAN_VECTORS, "exact", ("independent-blocks", "normal")
    ),
    "mean-vectors/two-sample-T2": Basis(
        MEAN_VECTORS, "exact", ("independent-blocks", *_POOLED)
    ),
    "mean-vectors/two-sample-unequal-T2": Basis(
        MEAN_VECTORS, "approximate", ("independent-blocks", "normal")
    ),
    "mean-vectors/contrast-T2": Basis(
        MEAN_VECTORS, "exact", ("independent-blocks", *_POOLED)
    ),
    "wins/sign": Basis(WINNING, "exact", ("independent-blocks",)),
    "superiority/sign": Basis(WINNING, "exact", ("independent-blocks",)),
    "margins/t": Basis(MARGIN, "exact", ("independent-blocks", "normal")),
    "margins/signed-ranks": Basis(
        MARGIN, "exact", ("independent-blocks", "symmetric-about-centre")
    ),
    "margins/signed-ranks-of-logarithms": Basis(
        MARGIN_OF_RATIOS,
        "exact",
        ("independent-blocks", "symmetric-logarithms-about-centre"),
    ),
    "margins/corrected-t": Basis(MARGIN, "approximate", _CORRECTED),
    "margins/exact-shares": Basis(MARGIN, "exact", ("independent-cases",)),
    "margins/score-shares": Basis(
        MARGIN, "asymptotic", ("independent-cases", "large-sample")
    ),
    "margins/effective-size-shares": Basis(
        MARGIN, "asymptotic", ("independent-cases", "large-sample")
    ),
    "margins/bounded-means": Basis(
        MARGIN, "approximate", ("independent-cases", "known-range")
    ),
    "margins/delong": Basis(MARGIN, "asymptotic", _OF_CASES),
    "margins/delong-clusters": Basis(
        MARGIN, "asymptotic", ("independent-clusters", "large-sample")
    ),
    "margins/multireader-t": Basis(MARGIN, "approximate", _READERS),
    "margins/multireader-few-readers-t": Basis(
        MARGIN, "approximate", (*_READERS, *_FEW_READERS), broken=_FEW_READERS
    ),
    "margins/multireader-largest": Basis(MARGIN, "approximate", _READERS),
    "margins/multireader-pooled-t": Basis(
        MARGIN, "approximate", (*_READERS, "equal-variances")
    ),
    "two/paired-t": Basis(MEANS, "exact", ("independent-blocks", "normal")),
    "two/corrected-t": Basis(MEANS, "approximate", _CORRECTED),
    "two/wilcoxon": Basis(SYMMETRY, "exact", ("independent-blocks", "symmetric")),
    "two/wilcoxon-of-logarithms": Basis(
        SYMMETRY_OF_LOGARITHMS, "exact", ("independent-blocks", "symmetric-logarithms")
    ),
    "signed-ranks-of-logarithms/closed-permutation": Basis(
        SYMMETRY_OF_LOGARITHMS,
        "exact",
        ("independent-blocks", "exchangeable"),
        joint=True,
    ),
    "signed-ranks-of-logarithms/exchangeable": Basis(
        SYMMETRY_OF_EXCHANGEABLE_LOGARITHMS,
        "exact",
        ("independent-blocks", "exchangeable"),
    ),
    "signed-ranks-of-logarithms/step-down-flips": Basis(
        SYMMETRY_OF_LOGARITHMS,
        "exact",
        ("independent-blocks", "jointly-symmetric-logarithms"),
        joint=True,
    ),
    "signed-ranks/closed-permutation": Basis(
        SYMMETRY, "exact", ("independent-blocks", "exchangeable"), joint=True
    ),
    "signed-ranks/clusters": Basis(
        SYMMETRY, "exact", ("independent-families", "symmetric-families")
    ),
    "signed-ranks-of-logarithms/clusters": Basis(
        SYMMETRY_OF_LOGARITHMS,
        "exact",
        ("independent-families", "symmetric-logarithms-of-families"),
    ),
    "signed-ranks/exchangeable": Basis(
        SYMMETRY_OF_EXCHANGEABLE, "exact", ("independent-blocks", "exchangeable")
    ),
    "signed-ranks/step-down-flips": Basis(
        SYMMETRY, "exact", ("independent-blocks", "jointly-symmetric"), joint=True
    ),
    "two/sign": Basis(WINNING, "exact", ("independent-blocks",)),
    **{
        f"{of}/mcnemar-{name}": Basis(ACCURACIES, form, ("independent-cases", *more))
        for name, form, more in _MCNEMAR
        for of in ("two", "cases")
    },
    "cases/exact-shares": Basis(ACCURACIES, "exact", ("independent-cases",)),
    "cases/score-shares": Basis(
        ACCURACIES, "asymptotic", ("independent-cases", "large-sample")
    ),
    "cases/effective-size-shares": Basis(
        ACCURACIES, "asymptotic", ("independent-cases", "large-sample")
    ),
    "cases/crossed": Basis(
        MEANS, "approximate", ("independent-cases", "independent-runs", "large-sample")
    ),
    "cases/these-items": Basis(
        MEANS, "asymptotic", ("independent-answers", "large-sample")
    ),
    "auc/delong": Basis(AUCS, "asymptotic", _OF_CASES),
    "auc/delong-clusters": Basis(
        AUCS, "asymptotic", ("independent-clusters", "large-sample")
    ),
    "partial-auc/bootstrap": Basis(PARTIAL_AUCS, "asymptotic", _OF_CASES),
    "auc-pr/bootstrap": Basis(PR_AREAS, "asymptotic", _OF_CASES),
    "multireader/t": Basis(FIGURES_OF_MERIT, "approximate", _READERS),
    "multireader/few-readers-t": Basis(
        FIGURES_OF_MERIT, "approximate", (*_READERS, *_FEW_READERS), broken=_FEW_READERS
    ),
    "multireader/largest": Basis(FIGURES_OF_MERIT, "approximate", _READERS),
    "multireader/pooled-t": Basis(
        FIGURES_OF_MERIT, "approximate", (*_READERS, "equal-variances")
    ),
    # In large samples flips need no joint symmetry; docs/equations.md has the proof.
    "weighted/max-t": Basis(WEIGHTED_MEANS, "asymptotic", _OF_CASES, joint=True),
    "weighted-ranks/max-t": Basis(WEIGHTED_RANKS, "asymptotic", _OF_CASES, joint=True),
    "battles/max-t": Basis(
        STRENGTHS,
        "asymptotic",
        ("independent-voters", "one-order", "large-sample"),
        joint=True,
    ),
    "labels/max-t": Basis(MEANS, "approximate", _LABELLED, joint=True),
    "labels/t": Basis(MEANS, "approximate", _LABELLED),
    "battles/t": Basis(
        STRENGTHS, "asymptotic", ("independent-voters", "one-order", "large-sample")
    ),
    "weighted/t": Basis(WEIGHTED_MEANS, "asymptotic", _OF_CASES),
    "cases/cluster-t": Basis(MEANS, "approximate", ("independent-clusters", "normal")),
}
_RANKED = Basis(EXCHANGEABLE, "asymptotic", ("independent-blocks",))
OMNIBUS = {
    "friedman": _RANKED,
    "aligned-ranks": _RANKED,
    "quade": _RANKED,
    "skillings-mack": _RANKED,
    "mack-skillings": _RANKED,
    "anova": Basis(MEANS, "exact", ("independent-blocks", *_POOLED)),
    "anova-corrected": Basis(MEANS, "approximate", (*_CORRECTED, "equal-variances")),
    "interaction": Basis(NO_INTERACTION, "exact", ("independent-blocks", *_POOLED)),
    "interaction-corrected": Basis(
        NO_INTERACTION, "approximate", (*_CORRECTED, "equal-variances")
    ),
    "manova": Basis(MEAN_VECTORS, "exact", ("independent-blocks", *_POOLED)),
    "permutation-manova": Basis(EXCHANGEABLE, "exact", ("independent-blocks",)),
    "strata-between": Basis(MEANS, "exact", ("independent-blocks", *_POOLED)),
    "strata-within": Basis(MEANS, "exact", ("independent-blocks", *_POOLED)),
    "cochran-q": Basis(
        ACCURACIES, "asymptotic", ("independent-cases", "exchangeable", "large-sample")
    ),
}
"""One test of all algorithms, or of a term: what its p-value rests on."""
_UNKNOWN = Basis(Hypotheses("the family's hypotheses"), "exact", ("valid-p-values",))
"""P-values of unknown origin, as ``pc.adjust`` takes them."""


@dataclass(frozen=True)
class AdjustmentRule:
    """What an adjustment does with valid p-values.

    Attributes
    ----------
    error : str
        Which error rate it keeps at alpha.
    conditions : tuple of str
        Keys of ``CONDITIONS`` that it adds to those of the p-values.
    """

    error: ErrorKind
    conditions: tuple[str, ...] = ()


_ANY = AdjustmentRule("family-wise")
_LOGICAL = AdjustmentRule("family-wise", ("transitive",))
_POSITIVE = AdjustmentRule("family-wise", ("positive-dependence",))
RULES = {
    "none": AdjustmentRule("comparisonwise"),
    "bonferroni": _ANY,
    "holm": _ANY,
    "sidak": AdjustmentRule("family-wise", ("normal-statistics",)),
    "holland": AdjustmentRule("family-wise", ("normal-statistics",)),
    "hochberg": _POSITIVE,
    "hommel": _POSITIVE,
    "finner": AdjustmentRule("family-wise", ("complete-null", "independent-tests")),
    "rom": AdjustmentRule("family-wise", ("independent-tests",)),
    "li": AdjustmentRule("family-wise", ("independent-tests",)),
    "BH": AdjustmentRule("false discovery rate", ("positive-dependence",)),
    "BY": AdjustmentRule("false discovery rate"),
    "nemenyi": AdjustmentRule("family-wise", ("complete-null",)),
    "shaffer": _LOGICAL,
    "shaffer-dynamic": _LOGICAL,
    "bergmann-hommel": _LOGICAL,
    "hochberg-rom": AdjustmentRule(
        "family-wise", ("transitive", "positive-dependence")
    ),
    "tukey": _ANY,
    "games-howell": AdjustmentRule("family-wise", ("complete-null",)),
    "scheffe": _ANY,
    "dunnett": _ANY,
    "dunnett-step-down": _ANY,
}
SHARPER = {
    "bonferroni": ("holm",),
    "holm": ("shaffer", "hochberg"),
    "shaffer": ("shaffer-dynamic",),
    "shaffer-dynamic": ("bergmann-hommel",),
    "bergmann-hommel": ("hochberg-rom",),
    "hochberg": ("hommel",),
    "hommel": ("hochberg-rom",),
    "sidak": ("holland",),
    "scheffe": ("tukey",),
    "dunnett": ("dunnett-step-down",),
}
"""Adjustments that reject, of the same p-values, all that this one rejects.

A row of the study about a sharper one shows the claim of this one too.
"""
NO_CLAIM = "no error rate is claimed (method not in the simulation study)"
NO_TEST = "none: no test"
OUTSIDE = "none: it is not part of the conclusion"
"""Error rates of all but comparisons of pairs."""
SHOWN = frozenset(
    {
        "aligned-ranks/normal/bergmann-hommel",
        "aligned-ranks/normal/holm",
        "aligned-ranks/normal/holm/control",
        "aligned-ranks/sign-flips/bergmann-hommel",
        "aligned-ranks/sign-flips/holm",
        "aligned-ranks/sign-flips/holm/control",
        "auc-pr/bootstrap/holm",
        "auc/delong/bergmann-hommel",
        "auc/delong/holm",
        "folds/corrected-t/bergmann-hommel",
        "folds/corrected-t/holm",
        "folds/corrected-t/holm/control",
        "folds/corrected-t/hommel/control",
        "folds/corrected/dunnett/control",
        "folds/corrected/tukey",
        "folds/paired-t/holm",
        "folds/paired-t/holm/control",
        "folds/pooled/bergmann-hommel",
        "folds/pooled/dunnett/control",
        "folds/pooled/holm/control",
        "folds/pooled/hommel/control",
        "folds/pooled/tukey",
        "folds/sign-changes/holm",
        "margins/corrected-t",
        "margins/corrected-t/holm",
        "margins/corrected-t/holm/control",
        "margins/t",
        "margins/t/holm",
        "margins/t/holm/control",
        "mean-vectors/contrast-T2/bergmann-hommel",
        "mean-vectors/paired-T2/bergmann-hommel",
        "mean-vectors/paired-T2/holm",
        "mean-vectors/two-sample-T2/bergmann-hommel",
        "mean-vectors/two-sample-unequal-T2/bergmann-hommel",
        "means/paired-t/bergmann-hommel",
        "means/paired-t/holm",
        "means/paired-t/holm/control",
        "means/paired-t/hommel/control",
        "means/pooled/bergmann-hommel",
        "means/pooled/dunnett-step-down/control",
        "means/pooled/dunnett/control",
        "means/pooled/holm/control",
        "means/pooled/hommel/control",
        "means/pooled/tukey",
        "means/sign-changes/holm",
        "model/corrected/bergmann-hommel",
        "model/corrected/dunnett/control",
        "model/corrected/holm/control",
        "model/corrected/hommel/control",
        "model/corrected/tukey",
        "model/pooled/bergmann-hommel",
        "model/pooled/dunnett/control",
        "model/pooled/holm/control",
        "model/pooled/hommel/control",
        "model/pooled/tukey",
        "model/sign-changes/holm",
        "omnibus/aligned-ranks",
        "omnibus/anova",
        "omnibus/anova-corrected",
        "omnibus/friedman",
        "omnibus/interaction",
        "omnibus/interaction-corrected",
        "omnibus/mack-skillings",
        "omnibus/manova",
        "omnibus/permutation-manova",
        "omnibus/quade",
        "omnibus/skillings-mack",
        "omnibus/strata-between",
        "omnibus/strata-within",
        "partial-auc/bootstrap/holm",
        "quade-ranks/normal/bergmann-hommel",
        "quade-ranks/normal/holm",
        "quade-ranks/normal/holm/control",
        "quade-ranks/sign-flips/bergmann-hommel",
        "quade-ranks/sign-flips/holm",
        "quade-ranks/sign-flips/holm/control",
        "ranks/closed-permutation",
        "ranks/closed-permutation/control",
        "ranks/exact/bergmann-hommel",
        "ranks/max-t",
        "ranks/max-t/control",
        "ranks/normal/bergmann-hommel",
        "ranks/normal/holland/control",
        "ranks/normal/holm",
        "ranks/normal/holm/control",
        "ranks/normal/hommel/control",
        "ranks/normal/nemenyi",
        "ranks/sign-flips/bergmann-hommel",
        "ranks/sign-flips/holm",
        "ranks/sign-flips/holm/control",
        "scores/closed-permutation",
        "scores/closed-permutation/control",
        "scores/max-t",
        "scores/max-t/control",
        "skillings-mack/normal/bergmann-hommel",
        "skillings-mack/normal/holm/control",
        "superiority/sign/holm",
        "superiority/sign/holm/control",
        "two/corrected-t",
        "two/paired-t",
        "two/sign",
        "two/wilcoxon",
        "two/wilcoxon/holm",
        "two/wilcoxon/holm/control",
        "wins/sign/holm",
        "wins/sign/holm/control",
    }
)
"""Keys whose claim the study shows; a test holds them against its rows."""
_OVER_CASES = (
    "cases/mcnemar-exact/bergmann-hommel",
    "cases/mcnemar-exact/holm/control",
    "cases/mcnemar-mid-p/bergmann-hommel",
    "cases/mcnemar-mid-p/holm/control",
    "cases/mcnemar-chi2/bergmann-hommel",
    "cases/mcnemar-chi2/holm/control",
    "cases/mcnemar-chi2-corrected/bergmann-hommel",
    "cases/mcnemar-chi2-corrected/holm/control",
    *(f"two/mcnemar-{form[0]}" for form in _MCNEMAR),
    "cases/cluster-t/bergmann-hommel",
    "cases/cluster-t/holm/control",
    "omnibus/cochran-q",
    "auc/delong-clusters/bergmann-hommel",
    "auc/delong-clusters/holm",
    "weighted/max-t",
    "weighted/max-t/control",
    "weighted/t/bergmann-hommel",
    "weighted/t/holm/control",
)
_OVER_READERS = (
    "multireader/largest/bergmann-hommel",
    "multireader/largest/holm",
    "multireader/largest/holm/control",
    "margins/multireader-largest/holm",
    "margins/multireader-largest/holm/control",
    "multireader/t/bergmann-hommel",
    "multireader/t/holm/control",
    "margins/multireader-t/holm",
    "margins/multireader-t/holm/control",
    "multireader/pooled-t/bergmann-hommel",
    "multireader/pooled-t/holm/control",
    "margins/multireader-pooled-t/holm",
    "margins/multireader-pooled-t/holm/control",
)
_TYPICAL = (
    "signed-ranks/closed-permutation",
    "signed-ranks/step-down-flips",
    "signed-ranks/step-down-flips/control",
    "signed-ranks/exchangeable/bergmann-hommel",
)
_MATCHED_SHARES = tuple(
    f"margins/{source}-shares{adjusted}"
    for source in ("exact", "score")
    for adjusted in ("", "/holm", "/holm/control")
)
_SHARE_PAIRS = tuple(
    f"cases/{source}-shares/{adjusted}"
    for source in ("exact", "score", "effective-size")
    for adjusted in ("holm", "bergmann-hommel", "holm/control")
)
_BOUNDED = tuple(
    f"margins/bounded-means{end}" for end in ("", "/holm", "/holm/control")
)
_AUC_MARGINS = tuple(
    f"margins/delong{units}{end}"
    for units in ("", "-clusters")
    for end in ("", "/holm", "/holm/control")
)
_CROSSED = tuple(
    f"cases/crossed{end}" for end in ("/holm", "/bergmann-hommel", "/holm/control")
)
_LABELS = (
    *("labels/max-t", "labels/max-t/control"),
    *(f"labels/t{end}" for end in ("/holm", "/bergmann-hommel", "/holm/control")),
)
_THESE_ITEMS = tuple(
    f"cases/these-items{end}" for end in ("/holm", "/bergmann-hommel", "/holm/control")
)
_TYPICAL_MARGINS = tuple(
    f"margins/signed-ranks{end}" for end in ("", "/holm", "/holm/control")
)
_BATTLES = (
    *("battles/max-t", "battles/max-t/control"),
    *("battles/t/holm", "battles/t/holm/control", "battles/t/bergmann-hommel"),
)
_CHALLENGES = ("weighted-ranks/max-t", "weighted-ranks/max-t/control")
_RELATED = tuple(
    f"signed-ranks/clusters{end}" for end in ("", "/holm", "/holm/control")
)
ELSEWHERE = {
    **dict.fromkeys(_RELATED, "validation/RELATED_DATASETS.md"),
    **dict.fromkeys(_TYPICAL_MARGINS, "validation/TYPICAL_MARGINS.md"),
    **dict.fromkeys(_LABELS, "validation/LABELS.md"),
    **dict.fromkeys(_CHALLENGES, "validation/CHALLENGES.md"),
    **dict.fromkeys(_BATTLES, "validation/BATTLES.md"),
    **dict.fromkeys(_AUC_MARGINS, "validation/AUC_MARGINS.md"),
    **dict.fromkeys(_THESE_ITEMS, "validation/ITEMS.md"),
    **dict.fromkeys(_CROSSED, "validation/CROSSED_PAIRS.md"),
    **dict.fromkeys(_TYPICAL, "validation/TYPICAL_DIFFERENCES.md"),
    **dict.fromkeys(
        (*_MATCHED_SHARES, "margins/effective-size-shares", *_BOUNDED, *_SHARE_PAIRS),
        "validation/MATCHED_SHARES.md",
    ),
    **dict.fromkeys(_OVER_READERS, "validation/MULTIREADER.md"),
    **dict.fromkeys(_OVER_CASES, "validation/CASES.md"),
    "means/unequal-variances/games-howell": "validation/CALIBRATION.md",
    "ranks/conover-t/holm": "validation/DURBIN_LEVEL.md",
}
"""Keys that a study of their own shows, and its page."""


@dataclass(frozen=True)
class CalibrationStudy:
    """How far off an approximation is at one size, as the study of calibration shows.

    Attributes
    ----------
    what : str
        Approximate parts.
    data : str
        Unit of measurement.
    rejected : float, optional
        Share of true hypotheses that are rejected at 0.05.
    covered : float, optional
        Share of 95% intervals that contain the true value.
    """

    what: str
    data: str
    rejected: float | None = None
    covered: float | None = None

    @property
    def text(self) -> str:
        """A note beside a result."""
        said = (
            (self.rejected, "of true hypotheses are rejected at 0.05"),
            (self.covered, "of 95% intervals contain the true value"),
        )
        shares = [f"{share:.1%} {of}" for share, of in said if share is not None]
        return (
            f"{self.what} are approximate: in simulations with {self.data}, "
            f"{', and '.join(shares)}"
        )


_OPPOSED = "benchmarks of 8, 50 and 500 cases, on two of which the algorithms differ"
_STUDIES = (
    "10 studies whose standard deviation between studies equals their mean standard "
    "error"
)
_UNEQUAL_STUDIES = (
    "5 studies whose standard errors differ by a factor of up to 10, with a standard "
    "deviation between studies of three times the smallest possible standard error"
)
_LITTLE_SPREAD = (
    "40 studies whose standard deviation between studies is a third of their mean "
    "standard error"
)
_LITTLE_IN_NETWORK = (
    "40 studies of 2 or 3 of 4 methods, whose standard deviation between studies is "
    "about a third of the standard errors"
)
_FEW_DECISIONS = (
    "100 cases, of which on average 2.6 are positive and treated by one rule only"
)
_FEW_ROWS = (
    "3, 6, 12 and 24 scores of 4 algorithms, with standard deviations of 8, 4, 2 and 1"
)
_NETWORK = (
    "12 studies of 2 or 3 of 4 methods, whose standard deviation between studies is "
    "about as large as the standard errors"
)
_DELONG: tuple[tuple[int, float | None, float], ...] = (
    (5, 0.095, 0.862),
    (10, 0.069, 0.909),
    (20, 0.058, 0.934),
    (30, None, 0.937),
)
"""Cases of the smaller class, rejected and covered shares; None: as it should be."""
MEASURED = {
    "auc_pr_pairs": CalibrationStudy(
        "p-values and intervals by resampling", "60 + 60 cases", 0.066, 0.939
    ),
    # Every claim has a larger error beside it: validation/AUC_MARGINS.md.
    "auc_margins": CalibrationStudy(
        "p-values of AUCs against a margin",
        "60 + 60 cases and AUCs of 0.8 and 0.9",
        0.061,
    ),
    "mrmc, 3 readers": CalibrationStudy(
        "p-values and intervals of few readers",
        "3 readers who differ much from one modality to another",
        0.065,
        0.933,
    ),
    "mrmc, 10 cases of a class": CalibrationStudy(
        "p-values and intervals with so few cases",
        "10 + 200 cases and AUCs of 0.74",
        0.059,
        0.938,
    ),
    "single_modality": CalibrationStudy(
        "the p-value and the interval", "5 readers of 50 + 50 cases", 0.063, 0.937
    ),
    "weighted_pairs, few cases": CalibrationStudy(
        "tests and intervals with so few cases", _OPPOSED, 0.126, 0.88
    ),
    "max_t, weighted, few cases": CalibrationStudy(
        "tests and intervals with so few cases", _OPPOSED, 0.126, 0.878
    ),
    "max_t, ranks, few cases": CalibrationStudy(
        "tests of mean ranks with so few cases", _OPPOSED, 0.127
    ),
    "weighted_means, few cases": CalibrationStudy(
        "intervals of one algorithm's weighted mean", _OPPOSED, covered=0.864
    ),
    **{
        f"delong, {n} cases of a class": CalibrationStudy(
            f"{'p-values and ' * (rejected is not None)}intervals with so few cases",
            f"{n} + 200 cases and AUCs of 0.75 to 0.9",
            rejected,
            covered,
        )
        for n, rejected, covered in _DELONG
    },
    "delong, omnibus, few cases": CalibrationStudy(
        "p-values of several AUCs with so few cases",
        "10 + 200 cases and 5 AUCs of 0.75",
        0.225,
    ),
    "delong, AUC near 1": CalibrationStudy(
        "intervals with an AUC near 1",
        "50 + 200 cases and AUCs of 0.9 and 0.98",
        covered=0.932,
    ),
    "calibration_error, strongly, U-shaped, n = 200": CalibrationStudy(
        "intervals of a large error with few cases",
        "200 cases and an error of 0.15",
        covered=0.938,
    ),
    "synthesis": CalibrationStudy(
        "the p-value and the interval of the mean", _STUDIES, 0.065, 0.93
    ),
    "synthesis: new study": CalibrationStudy(
        "prediction intervals", _STUDIES, covered=0.857
    ),
    "synthesis, unequal errors": CalibrationStudy(
        "the p-value and the interval of the mean", _UNEQUAL_STUDIES, 0.091, 0.913
    ),
    "synthesis, unequal errors: new study": CalibrationStudy(
        "prediction intervals", _UNEQUAL_STUDIES, covered=0.826
    ),
    "synthesis, little spread: new study": CalibrationStudy(
        "prediction intervals", _LITTLE_SPREAD, covered=0.833
    ),
    "network_synthesis, little spread: new study": CalibrationStudy(
        "prediction intervals", _LITTLE_IN_NETWORK, covered=0.888
    ),
    "net_benefit, few cases": CalibrationStudy(
        "their tests and intervals", _FEW_DECISIONS, 0.081, 0.919
    ),
    "replicated_anova, skewed runs": CalibrationStudy(
        "intervals of the component of runs",
        "8 blocks, 3 algorithms and 3 runs with exponential noise",
        covered=0.765,
    ),
    "replicated_anova, right or wrong": CalibrationStudy(
        "intervals of the component of runs",
        "5 answers to each of 50 items, most of them right",
        covered=0.574,
    ),
    "labels, few other grades": CalibrationStudy(
        "intervals of a mean label",
        "15 labels, of which on average one in ten differs from the common grade",
        covered=0.834,
    ),
    "welch_anova, few rows": CalibrationStudy("p-values", _FEW_ROWS, 0.086),
    "games_howell, few rows": CalibrationStudy("p-values of pairs", _FEW_ROWS, 0.068),
    "games_howell, few rows: smallest adjusted": CalibrationStudy(
        "adjusted p-values", _FEW_ROWS, 0.069
    ),
    "games_howell, few rows, all at once": CalibrationStudy(
        "simultaneous intervals", _FEW_ROWS, covered=0.932
    ),
    "network_synthesis": CalibrationStudy(
        "p-values and intervals of the pairs", _NETWORK, 0.057, 0.939
    ),
    "network_synthesis: new study": CalibrationStudy(
        "prediction intervals", _NETWORK, covered=0.892
    ),
    "multivariate_checks: box_m": CalibrationStudy(
        "p-values of Box's M", "2 metrics of 3 algorithms in 30 blocks (chi2)", 0.058
    ),
}
"""Approximations that are out of their tolerance: rows of ``validation/CALIBRATION.md``
to what their results say. A test holds the numbers against the study."""


def few_note(place: str, n: int, noun: str, fewest: int, known: str) -> list[str]:
    """Return the message that a sample is small, and how far off results then may be.

    ``known`` is the row of ``MEASURED``, of samples below ``fewest``.
    """
    if n >= fewest:
        return []
    few = f"{place} has {counted(n, noun)}, fewer than {fewest}"
    return [few, MEASURED[known].text]


@dataclass(frozen=True, kw_only=True)
class Guarantee:
    """An error rate that is at most alpha, over which hypotheses and under what.

    Attributes
    ----------
    key : str
        Basis, adjustment and ``control``, joined by ``/``.
    error : {"family-wise", "false discovery rate", "comparisonwise", "none"}
    hypotheses : Hypotheses
    form : {"exact", "asymptotic", "approximate"}
    conditions : tuple of str
        Keys of ``CONDITIONS``.
    rows : tuple of str
        Keys of the rows that show it, of the study or ``ELSEWHERE``; empty: nothing is
        claimed.
    broken : tuple of str
        Conditions that do not hold, as the plan specifies or the analysis shows.
    """

    key: str
    error: ErrorKind
    hypotheses: Hypotheses
    form: Form
    conditions: tuple[str, ...]
    rows: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()

    @property
    def claimed(self) -> bool:
        """Whether a page may print the error rate."""
        return self.error != "none" and bool(self.rows) and not self.broken

    def promises(self, violated: Iterable[str]) -> bool:
        """Return whether the error is at most alpha although some conditions fail."""
        failed = {name for word in violated for name in SAME.get(word, (word,))}
        return self.error != "none" and not failed & set(self.conditions)

    def where(self, violated: Iterable[str]) -> Guarantee:
        """Return the rest of it if the plan states that conditions fail."""
        failed = tuple(name for name in self.conditions if name in set(violated))
        return replace(self, broken=_every((self.broken, failed), _condition_order))

    def of(self, units: Units) -> Guarantee:
        """Return the guarantee with the names of the independent units."""
        return self._independent(units.condition, BLOCKS.condition)

    def limited_to(self, fixed: Iterable[str]) -> Guarantee:
        """Return the guarantee about these very readers, or cases."""
        known = {f"independent-{name}" for name in fixed}
        return replace(
            self, conditions=tuple(c for c in self.conditions if c not in known)
        )

    def of_clusters(self) -> Guarantee:
        """Return the guarantee if cases of a cluster may depend on each other."""
        units = (BLOCKS.condition, CASES.condition)
        return self._independent("independent-clusters", *units)

    def _independent(self, name: str, *units: str) -> Guarantee:
        """Return the guarantee with another condition than independent units."""
        swap = dict.fromkeys(units, name)
        names = tuple(swap.get(each, each) for each in self.conditions)
        return replace(self, conditions=names)

    @property
    def about(self) -> str:
        """The error in words: ``family-wise error of equal means``."""
        return f"{_ERRORS[self.error]} of {self.hypotheses.name}"

    @property
    def text(self) -> str:
        """The claim with all its conditions, for a table of methods."""
        if self.broken:
            return f"{self.about}: not controlled, since {self.reasons}"
        if not self.claimed:
            return f"{self.about}: not claimed (method not in the simulation study)"
        return self.whole

    @property
    def whole(self) -> str:
        """The error rate with all its conditions, shown or not."""
        return f"{self.about}, {self.how}"

    @property
    def how(self) -> str:
        """How good the error rate is, and under which conditions."""
        return f"{_FORMS[self.form]}{self.given}"

    @property
    def given(self) -> str:
        """The conditions: `` if ...``; empty without any."""
        return f" if {self.assumed}" if self.assumed else ""

    @property
    def assumed(self) -> str:
        """The conditions as a list in words; empty without any."""
        return _listed(self._in_words)

    @property
    def _in_words(self) -> list[str]:
        # Exchangeability is no condition where it is the hypothesis.
        return [
            CONDITIONS[name]
            for name in self.conditions
            if not (name == "exchangeable" and self.hypotheses == EXCHANGEABLE)
            and name != "large-sample"
        ]

    @property
    def reasons(self) -> str:
        """Why it does not hold."""
        return _listed([_BROKEN[name] for name in self.broken])

    def stated(self, alpha: float) -> str:
        """Return the claim with all its conditions and alpha, in one sentence or two.

        The last one has no full stop.
        """
        if self.broken:
            return f"{self.error} error not controlled, since {self.reasons}"
        if not self.claimed:
            return f"alpha = {alpha:g}, and {NO_CLAIM}"
        is_rate = self.error == "false discovery rate"
        level = f"{'at most' if is_rate else 'alpha ='} {alpha:g}"
        first, more = (
            _listed(part)
            for part in (self._in_words[:_MOST_AT_ONCE], self._in_words[_MOST_AT_ONCE:])
        )
        given = f" if {first}" if first else ""
        rest = f". It also requires that {more}" if more else ""
        return f"{self.error} {level}, {_FORMS[self.form]}{given}{rest}"

    def brief(self, alpha: float) -> str:
        """Return the claim printed with a result: ``family-wise alpha = 0.05``."""
        if self.broken:
            return f"{self.error} error not controlled: {self.reasons}"
        if not self.claimed:
            return "no error rate is claimed"
        told = [CONDITIONS[name] for name in _FIRST if name in self.conditions]
        only = f" if {_listed(told)}" if told else ""
        if self.error == "false discovery rate":
            return f"{self.error} {alpha}{only}"
        return f"{self.error} alpha = {alpha}{only}"


def guarantee(key: str) -> Guarantee:
    """Return the guarantee of a key such as ``ranks/sign-flips/bergmann-hommel``.

    Without an adjustment it is that of one test, or of a joint test of all pairs.
    An adjustment that the hypotheses do not allow has the error ``none``.

    Examples
    --------
    >>> found = guarantee("wins/sign/holm")
    >>> found.error, found.promises(["normal"]), found.promises(["independent-blocks"])
    ('family-wise', True, False)
    >>> guarantee("wins/sign/bergmann-hommel").error
    'none'
    """
    parts = key.split("/")
    if parts[0] == "omnibus":
        return _omnibus(key)
    end = parts[2:]
    basis = BASES["/".join(parts[:2])]
    names = [part for part in end if part != "control"]
    if basis.joint or not names:
        error: ErrorKind = "family-wise" if basis.joint else "comparisonwise"
        return guarantee_under(key, basis, AdjustmentRule(error))
    return guarantee_under(key, basis, RULES[names[0]])


def guarantee_under(key: str, basis: Basis, rule: AdjustmentRule) -> Guarantee:
    """Return the guarantee of a basis and the rule of an adjustment."""
    transitive = basis.hypotheses.transitive and basis is not _UNKNOWN
    allowed = basis.hypotheses.transitive or "transitive" not in rule.conditions
    added = [c for c in rule.conditions if not (c == "transitive" and transitive)]
    return Guarantee(
        key=key,
        error=rule.error if allowed else "none",
        hypotheses=basis.hypotheses,
        form=basis.form,
        conditions=tuple(dict.fromkeys((*basis.conditions, *added))),
        rows=tuple(sorted(_shown_by(key))) if allowed else (),
        broken=basis.broken,
    )


def _omnibus(key: str) -> Guarantee:
    """Return the guarantee of one test of all algorithms."""
    basis = OMNIBUS[key.removeprefix("omnibus/")]
    return guarantee_under(key, basis, AdjustmentRule("comparisonwise"))


def _shown_by(key: str) -> set[str]:
    """Return the study's keys that show a claim: its own, or a sharper one's."""
    # A test of logarithms is the test of scores that are logarithms.
    key = key.replace(_OF_LOGARITHMS, "")
    parts = key.split("/")
    keys = {key} & {*SHOWN, *ELSEWHERE}
    if len(parts) > 2:
        for name in SHARPER.get(parts[2], ()):
            keys |= _shown_by("/".join([*parts[:2], name, *parts[3:]]))
    return keys


def of_adjustment(name: str) -> Guarantee:
    """Return what an adjustment does with valid p-values of unknown origin."""
    return guarantee_under(f"p-values/{name}", _UNKNOWN, RULES[name])


_DEPENDENCE = (
    "comparisons that share algorithms and blocks are not independent, and positive "
    "dependence is not proven for two-sided ones."
)
_MISSED = "among real differences it may reject true hypotheses too often."


def dependence_limits(name: str) -> list[str]:
    """Return what an adjustment asks of the tests that pairs may not give."""
    asked = RULES[name].conditions if name in RULES else ()
    limits = []
    for word in ("positive-dependence", "independent-tests"):
        if word in asked:
            limits.append(f"holds if {CONDITIONS[word]}; {_DEPENDENCE}")
    if name == "finner":
        limits.append(f"holds if {CONDITIONS['complete-null']}; {_MISSED}")
    return limits


class Guaranteed(Protocol):
    """The statements of a result about itself."""

    @property
    def basis(self) -> str:
        """Where its p-values come from: a key of ``BASES``."""
        ...

    @property
    def adjust(self) -> str:
        """Its adjustment."""
        ...

    @property
    def control(self) -> str | None:
        """Its control."""
        ...

    @property
    def clustered(self) -> bool:
        """Whether its blocks are clusters of cases."""
        ...

    @property
    def fixed(self) -> tuple[str, ...]:
        """The fixed units: readers, cases."""
        ...

    @property
    def decided_in(self) -> Members | None:
        """The family in which it is decided; None: separately."""
        ...


class Members(Protocol):
    """A family of comparisons whose p-values are adjusted together."""

    @property
    def members(self) -> tuple[Any, ...]:
        """The comparisons as they are decided in it."""
        ...


def guarantee_of(compared: Guaranteed, units: Units = BLOCKS) -> Guarantee:
    """Return the guarantee of a comparison of pairs.

    ``units`` defines the blocks of means, which their result does not know.
    """
    basis = compared.basis
    if basis == "means/corrected" and units == BLOCKS:
        units = FOLDS  # what shares training data is a fold
    if basis.startswith("means/"):
        basis = f"{units.means}/{basis.removeprefix('means/')}"
    single = basis.startswith("two/") and compared.adjust == "none"
    name = [] if single or BASES[basis].joint else [compared.adjust]
    # One pair is no family: with a control it is the same test.
    end = ["control"] if compared.control is not None and not single else []
    claim = guarantee("/".join([basis, *name, *end])).limited_to(compared.fixed)
    return claim.of_clusters() if compared.clustered else claim.of(units)


def weakest(claims: Iterable[Guarantee]) -> Guarantee:
    """Return the guarantee of one family whose members have different ones.

    Its rate and form are the weakest, its conditions those of all members, in whatever
    order they come. It is claimed only if each member's own is.
    """
    known = sorted(set(claims), key=lambda claim: claim.key)
    if len(known) == 1:
        return known[0]
    errors = {claim.error for claim in known}
    return Guarantee(
        key=" + ".join(claim.key for claim in known),
        error=errors.pop() if len(errors) == 1 else "none",
        hypotheses=_joined_hypotheses({claim.hypotheses for claim in known}),
        form=max((claim.form for claim in known), key=list(_FORMS).index),
        conditions=_every((claim.conditions for claim in known), _condition_order),
        rows=_every(claim.rows for claim in known)
        if all(claim.rows for claim in known)
        else (),
        broken=_every((claim.broken for claim in known), _condition_order),
    )


def _joined_hypotheses(kinds: Iterable[Hypotheses]) -> Hypotheses:
    """Return the hypotheses of a family that has several kinds of them."""
    known = sorted(kinds, key=lambda kind: kind.name)
    why_not = next((kind.why_not for kind in known if kind.why_not), "")
    return Hypotheses(_listed([kind.name for kind in known]), why_not)


def _every(
    names: Iterable[tuple[str, ...]], order: Callable[[str], Any] | None = None
) -> tuple[str, ...]:
    """Return each name once, in order."""
    return tuple(sorted({name for some in names for name in some}, key=order))


def _condition_order(name: str) -> tuple[bool, int]:
    """Return the place of a condition in a sentence: independent units come first."""
    return not name.startswith("independent-"), list(CONDITIONS).index(name)


def _listed(texts: Sequence[str]) -> str:
    """Join clauses as English does."""
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} and {texts[-1]}"
