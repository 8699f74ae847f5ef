"""Numbers of results.json that R's functions do not compute, by their place, and why.

Reasons are of names, never of values: a number that a fault made whole or undefined is
no count and not undefined.
"""

from __future__ import annotations

import re

NO_REASON = "not computed by the R functions"
"""Statements about a number that is not known here."""
DRAWN = "random draws of Python's"
_COUNTS = (
    "cases", "clusters", "n", "n_1", "n_2", "n_blocks", "n_cases", "n_clusters",
    "n_datasets", "n_missing", "n_negative", "n_outcomes",
    "n_permutations", "n_positive", "n_readers", "n_repeats", "n_runs", "n_ties",
    "n_tasks", "n_units", "n_used", "dimension", "fold", "folds", "levels", "place",
    "repeat", "wins", "ties", "losses",
)  # fmt: skip
_SETTINGS = (
    "alpha", "bound", "cost_ratio", "decimals", "descriptive_level", "highest", "level",
    "lowest", "margin", "margin_high", "margin_low", "n_test", "n_train", "overlap",
    "resamples", "seed", "threshold", "weight", "margin_alpha", "budget", "target",
)  # fmt: skip

WITHOUT_R = {
    rf"(^|/)({'|'.join(_SETTINGS)})$": "settings of the analysis",
    r"(^|/)(n_folds|thresholds|threshold)(/[^/]+)?$": "settings of the analysis",
    rf"(^|/)({'|'.join(_COUNTS)})$": "counts of the data",
    r"(^|/)runs_per_task/\d+$": "counts of the data",
    r"/(wins|ties|losses|totals)/[^/]+(/\d+)?$": "counts of the data",
    r"variance_ratio": "settings of the analysis, divided",
    r"_disagrees?/": "decisions of another analysis, repeated",
    r"(^|/)positions/": "estimates, turned round",
    r"(pairs/[a-z-]+/\d+/table|over/\d+/pairs)/\d+/(std_error|df)$": (
        "a test of two has none"
    ),
    r"(together/permutation/(p_value|share|rank)|ranks/omnibus/p_value)$": (
        "random permutations"
    ),
    r"posterior/.*(mc_error|effective_draws)$": DRAWN,
    r"labels/(means/\d+/)?(labels|items)$": "counts of the data",
    r"challenge/usual_share$": "random draws of Python's",
    r"challenge/table/\d+/rank_(low|high)$": "sets of ranks, with numbers of their own",
    r"challenge/weights/": "settings of the analysis",
    r"challenge/(tasks/\d+/cases|n_(cases|clusters|resamples))$": "counts of the data",
    r"^(strength|groups/.+)/(table/\d+/(p_adjusted|(conf|joint)_(low|high))"
    r"|strengths/\d+/(conf|elo)_(low|high)|rank_sets/.+)$": "random draws of Python's",
    r"^(strength|groups/.+)/(voters|strengths/\d+/battles)$": "counts of the data",
    r"(^|/)prior_weight$": "settings of the analysis",
    r"(precision_recall|whole_curves/\d+)/": "the bootstrap, of which R draws others",
    r"/intervals/\d+/(estimate|std_error|conf_low|conf_high)$": (
        "intervals by the bootstrap, of which R draws others"
    ),
    r"canonical_variates/\d+/(raw|standardised|structure)$": (
        "variates of equal eigenvalues, which have no directions of their own"
    ),
    r"checks/box_m(_f)?/(statistic|p_value)$": "Box's M needs a table without gaps",
    r"Comparisons of .*/std_(effect|low|high)$": (
        "R's function of mixed models standardises no differences"
    ),
    r"Tests of terms/\d+/(epsilon|p)_(gg|hf)$": (
        "corrections for sphericity of models by formula"
    ),
    r"Tests of terms/\d+/": "residuals, which are not tested",
    r"(^|/)components/\d+/conf_(low|high)$": "limits of components need the jackknife",
    r"^(statistic|p_value)$": "no value that the figure is tested against",
    r"omnibus/(statistic|p_value|table|means|[a-z]+_eta2|omega2)(/|$)": (
        "R's analysis of variance needs an error"
    ),
    r"(omnibus|test)/df/[01]$": "products of R's epsilon and degrees of freedom",
    r"checks/(shapiro_wilk|levene|brown_forsythe|nonadditivity)/": (
        "tests of residuals need an error"
    ),
    r"runs/\d+/strata/": "R's function needs a variance in each stratum",
    r"together/(means|orderings|univariate|manova/dropped|pairs/dropped)/": (
        "a metric that the others determine, which R's functions do not get"
    ),
    r"wins/decisions/\d+/p_omnibus$": "R's function of these wins has no omnibus test",
    r"(neighbours/\d+/n_needed|table/\d+/items_needed(_twice)?)$": "a search for a "
    "sample size",
    r"^(looks_used|exit_status)$": "counts of the data",
    r"(^|/)negative_by_chance$": "random permutations",
    r"neighbours/\d+/estimate$": "the share of one algorithm in discordant cases",
    r"(superiority/table|over/\d+/pairs)/\d+/p_smallest$": (
        "adjusted in one table only"
    ),
}
"""Places as regular expressions, and why R has no number; the first counts."""


def reason_of(place: str) -> str:
    """Return why R has no number for a place of results.json."""
    for pattern, why in WITHOUT_R.items():
        if re.search(pattern, place):
            return why
    return NO_REASON
