"""The registry: every statistic, its R function, its cases, the digits wanted."""

from __future__ import annotations

from ..agreement import Check
from .agents import agent_checks
from .agreement import agreement_checks
from .cases import case_checks
from .curves import curve_checks
from .diagnostics import diagnostic_checks
from .family import family_checks
from .hotelling import hotelling_checks
from .learners import learner_checks
from .libraries import library_checks
from .linear import linear_checks
from .manova import manova_checks
from .measures import measure_checks
from .model_libraries import model_library_checks
from .models import model_checks
from .multireader import multireader_checks
from .multivariate_permutation import multivariate_permutation_checks
from .pairs import two_algorithm_checks
from .permutation import permutation_checks
from .power import power_checks
from .ranks import rank_checks
from .replicates import replicate_checks
from .wins import wins_checks


def all_checks() -> list[Check]:
    """Return every check there is."""
    return [
        *rank_checks(),
        *two_algorithm_checks(),
        *case_checks(),
        *permutation_checks(),
        *agreement_checks(),
        *agent_checks(),
        *learner_checks(),
        *linear_checks(),
        *manova_checks(),
        *hotelling_checks(),
        *multivariate_permutation_checks(),
        *model_checks(),
        *measure_checks(),
        *curve_checks(),
        *diagnostic_checks(),
        *multireader_checks(),
        *power_checks(),
        *wins_checks(),
        *replicate_checks(),
        *family_checks(),
        *library_checks(),
        *model_library_checks(),
    ]
