"""The claims of the hypotheses of a family, and which logic holds among them.

Shaffer's and Bergmann-Hommel's procedures use that A = B and B = C imply A = C. That
is so if a hypothesis equates one number (or vector, or role) of each algorithm. It
is not so if a hypothesis is about the two algorithms together: A may beat B as often
as B beats A, B and C likewise, and A still beat C more often than not.

References
----------
.. [1] Gabriel, K. R. (1969). Simultaneous test procedures: some theory of multiple
   comparisons. Annals of Mathematical Statistics 40, 224-250.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Hypotheses:
    """The kind of null hypothesis that a family has for each pair.

    Attributes
    ----------
    name : str
        The hypotheses in words, such as ``equal means``.
    why_not : str
        Why A = B and B = C do not imply A = C; empty if they do.
    """

    name: str
    why_not: str = ""

    @property
    def transitive(self) -> bool:
        """Whether two hypotheses that share an algorithm imply a third one."""
        return not self.why_not


MEANS = Hypotheses("equal means")
WEIGHTED_MEANS = Hypotheses("equal weighted means")
MEAN_VECTORS = Hypotheses("equal mean vectors")
MEAN_RANKS = Hypotheses("equal mean ranks")
WEIGHTED_RANKS = Hypotheses("equal weighted mean ranks")
EXCHANGEABLE = Hypotheses("exchangeable algorithms")
NO_INTERACTION = Hypotheses("no interaction of algorithm and data set")
ACCURACIES = Hypotheses("equal accuracies")
AUCS = Hypotheses("equal AUCs")
FIGURES_OF_MERIT = Hypotheses("equal mean figures of merit")
STRENGTHS = Hypotheses("equal strengths")
LOG_ODDS = Hypotheses("equal fixed effects of modalities")
PARTIAL_AUCS = Hypotheses("equal partial AUCs")
PR_AREAS = Hypotheses("equal areas under precision-recall curves")
WINNING = Hypotheses(
    "equal probabilities of winning",
    "A may win against B as often as it loses, B against C likewise, and A still win "
    "against C more often",
)
SYMMETRY = Hypotheses(
    "differences symmetric about 0",
    "A - B and B - C may be symmetric about 0, and A - C not",
)
SYMMETRY_OF_EXCHANGEABLE = Hypotheses(
    "differences symmetric about 0, if equal algorithms are exchangeable"
)
SYMMETRY_OF_LOGARITHMS = Hypotheses(
    "logarithms of ratios symmetric about 0",
    "log A/B and log B/C may be symmetric about 0, and log A/C not",
)
SYMMETRY_OF_EXCHANGEABLE_LOGARITHMS = Hypotheses(
    "logarithms of ratios symmetric about 0, if equal algorithms are exchangeable"
)
MARGIN_OF_RATIOS = Hypotheses(
    "a ratio at the margin or beyond",
    "A may differ from B, and B from C, by the margin, and A not from C",
)
MARGIN = Hypotheses(
    "a difference of at least the margin",
    "A may differ from B, and B from C, by the margin, and A not from C",
)
ONE_SIDED = Hypotheses(
    "A wins no more often than B",
    "A may win no more often than B, B no more often than C, and A more often than C",
)
