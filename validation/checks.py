"""The registry: every statistic, its R function, its cases, the digits wanted."""

from __future__ import annotations

from .agreement import Check
from .checks_agreement import agreement_checks
from .checks_cases import case_checks
from .checks_curves import curve_checks
from .checks_family import family_checks
from .checks_hotelling import hotelling_checks
from .checks_libraries import library_checks
from .checks_linear import linear_checks
from .checks_manova import manova_checks
from .checks_measures import measure_checks
from .checks_model_libraries import model_library_checks
from .checks_models import model_checks
from .checks_multireader import multireader_checks
from .checks_multivariate_permutation import multivariate_permutation_checks
from .checks_pairs import two_algorithm_checks
from .checks_permutation import permutation_checks
from .checks_power import power_checks
from .checks_ranks import rank_checks
from .checks_replicates import replicate_checks
from .checks_wins import wins_checks


def all_checks() -> list[Check]:
    """Return every check there is."""
    return [
        *rank_checks(),
        *two_algorithm_checks(),
        *case_checks(),
        *permutation_checks(),
        *agreement_checks(),
        *linear_checks(),
        *manova_checks(),
        *hotelling_checks(),
        *multivariate_permutation_checks(),
        *model_checks(),
        *measure_checks(),
        *curve_checks(),
        *multireader_checks(),
        *power_checks(),
        *wins_checks(),
        *replicate_checks(),
        *family_checks(),
        *library_checks(),
        *model_library_checks(),
    ]
