"""Settings as the command line spells them: ``--missing drop-block``."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from pycompare.base.errors import NAMED, Setting

PILOT_ROLES = (
    *("algorithm", "block", "metric", "label", "score", "positive"),
    *("modality", "reader", "case", "rating", "truth", "judge"),
)
"""Columns, and the positive class, of a pilot study's file."""
_ONLY_HERE = {
    "by": "--by",
    "timestamp": "--timestamp",
    "authority": "--authority",
    "wide": "--wide",
    "rest": "--rest",
    "classes": "--classes",
    "one_class": "--one-class",
    "undefined": "--undefined",
    "workers": "--workers",
    "scheduler": "--scheduler",
    "keep": "--keep",
    "metrics": "--metric",
    "metric": "--metric",
    "positive": "--positive",
    "threshold": "--threshold",
    "formats": "--format",
    "rounding": "--rounding",
    "fpr_range": "--fpr-range",
    "top_share": "--top-share",
    **{
        name: "--" + name.replace("_", "-")
        for name in (
            *("baseline", "candidate", "budget", "looks", "slices", "slice_margin"),
            *("small", "items_scope", "decided_by", "target"),
            *("model_1", "model_2", "winner", "voter", "both_bad"),
            *("ties", "position", "unconnected", "elo"),
            *("predictions", "model", "curves", "battles"),
        )
    },
    "effects": "--effect",
    **{
        name: "--" + name.replace("_", "-")
        for name in (
            *("sd", "correlation", "base", "answers", "fold_correlation"),
            *("per_cluster", "cluster_correlation"),
        )
    },
    "style": "--style",
    "date": "--date",
    "risk": "--risk",
    "data": "--data",
    "plan": "--plan",
    "outcome": "--mixed",
    "cross_check": "--cross-check",
    "paper": "--paper",
    "with_program": "--with-program",
    **{
        name: "--" + name.replace("_", "-")
        for name in (
            *("components", "component_cases", "prevalence"),
            *("modality_reader", "modality_case", "reader_case"),
            *(f"pilot_{role}" for role in PILOT_ROLES),
        )
    },
}
"""Options that are no keys of a plan."""
_REPEATED = (
    "algorithms",
    "percent",
    "na",
    "leave_out",
    "confirmed",
    "adjust",
    "margin",
    "slice_margin",
    "n_train",
    "n_test",
    "n_folds",
    "weights",
)
"""Settings with several values, each behind an option of its own."""
_PLACES = {
    "--positive": " LABEL",
    "-positive": " LABEL",
    "--classes": " LABEL LABEL",
    "--algorithms": " NAME, one for each",
    "--percent": " NAME, one for each",
    "--sep": " MARK",
    "--na": " MARK",
    "--leave-out": " KIND=NAME",
    "--confirm": " NAME:PLACE",
    "--sheet": " NAME",
    "--case-file": " FILE",
    "--timestamp": " FILE",
    "--only": " NAME",
    "--header": " LINE",
    "--margin": " NAME=NUMBER",
    "--effect": " NAME=X",
    "--stratum": " COLUMN",
    "--range": " NAME=LOW,HIGH",
}
"""What stands behind an option whose value the user must choose."""
_APPROXIMATE = ("normal", "chi2", "permutation")
"""Values of ``p_value`` that are no exact ones; the command line has one word."""


@lru_cache(maxsize=1)
def _options() -> dict[str, str]:
    """Return the option of each setting that has one."""
    from pycompare.data.roles import ROLES
    from pycompare.designs.plans.column_roles import Roles
    from pycompare.designs.plans.curves_plan import CurvesTable
    from pycompare.designs.plans.keys import keys_of
    from pycompare.designs.plans.plan import Plan
    from pycompare.designs.plans.readers_plan import ReadersDecisions, ReadersTable

    owners = (ReadersTable, ReadersDecisions, CurvesTable, Roles, Plan)
    keys = {name: key for owner in owners for name, key in keys_of(owner).items()}
    roles = {role.name: role.option for role in ROLES.values()}
    return (
        roles
        | _ONLY_HERE
        | {name: key.option for name, key in keys.items() if key.option}
    )


def as_option(part: Setting) -> str:
    """Spell a setting as an option, as a line of a plan file if it has none."""
    if part.name == "p_value" and part.value in _APPROXIMATE:
        return "--p-values approximate"
    if part.name == "binary" and part.value is False:
        return "--no-binary"
    option = _options().get(part.name)
    if option is None:
        return _in_plan(part)
    if part.value is ...:
        return option + _PLACES.get(option.removeprefix("--pilot"), "")
    if part.value is NAMED or part.value is True:
        return option
    if part.name == "range":
        return " ".join(f"{option} {shlex.quote(w)}" for w in _ranges(part.value))
    given = list(map(shlex.quote, _words(part.value)))
    if part.name in _REPEATED:
        return " ".join(f"{option} {word}" for word in given)
    return " ".join((option, *given))


def _in_plan(part: Setting) -> str:
    """Spell a setting that only a plan file, or Python, has."""
    from pycompare.designs.plans.keys import keys_of
    from pycompare.designs.plans.plan import Plan
    from pycompare.designs.plans.plan_text import as_toml

    return as_toml(part) if part.name in keys_of(Plan) else str(part)


def _ranges(value: Any) -> list[str]:
    """Return the ends of a range, or of that of each metric, as they are typed."""
    if isinstance(value, Mapping):
        return [f"{name}={_ends(ends)}" for name, ends in value.items()]
    return [_ends(value)]


def _ends(value: Any) -> str:
    """Return two ends with a comma between them; anything else as it is."""
    if not isinstance(value, tuple | list):
        return str(value)
    return ",".join(f"{v:g}" if isinstance(v, float) else str(v) for v in value)


def _words(value: Any) -> list[str]:
    """Return a value as the words that follow its option."""
    if isinstance(value, Mapping):
        return [f"{name}={number}" for name, number in value.items()]
    if isinstance(value, tuple | list):
        return [str(entry) for entry in value]
    return [str(value)]
