"""``report``: a folder with the page, the numbers, the pictures and the R code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, Unpack

from pycompare.base.checked import checked
from pycompare.base.errors import InputError, setting
from pycompare.base.parallel.progress import discard, heard_by
from pycompare.reporting.edition import Writing

if TYPE_CHECKING:
    from pycompare.designs.compare import Comparison
    from pycompare.designs.curve_comparison import CurveComparison
    from pycompare.designs.planned_analysis import PlannedAnalysis
    from pycompare.designs.plans.model_plan import ModelPlan
    from pycompare.designs.release import GateResult
    from pycompare.methods.battles.strengths import (
        BattlesResult,
        GroupedBattlesResult,
    )
    from pycompare.methods.models.linear_model import LinearModel
    from pycompare.methods.multireader.mixed_outcomes import GLMMResult
    from pycompare.methods.multireader.result import MRMCResult
    from pycompare.methods.multireader.single_modality import SingleModalityResult
    from pycompare.methods.multireader.standalone_reader import StandaloneResult
    from pycompare.sizes.planned_power import PlannedPower
    from pycompare.sizes.power import PowerResult

    Reported: TypeAlias = (
        Comparison
        | CurveComparison
        | LinearModel
        | MRMCResult
        | SingleModalityResult
        | StandaloneResult
        | BattlesResult
        | GroupedBattlesResult
        | PowerResult
        | GateResult
        | PlannedPower
        | PlannedAnalysis
    )


@dataclass(frozen=True)
class _ReportKind:
    """Which function returns the result, which one writes its report, own options."""

    function: str
    writer: str
    options: tuple[str, ...] = ()


_KINDS = {
    "Comparison": _ReportKind("compare", "pycompare.reporting.comparison_folder.write"),
    "CurveComparison": _ReportKind(
        "compare_curves", "pycompare.reporting.curves_report.write"
    ),
    "LinearModel": _ReportKind(
        "linear_model",
        "pycompare.reporting.model_report.write",
        ("plan", "file"),
    ),
    "MRMCResult": _ReportKind(
        "mrmc",
        "pycompare.reporting.mrmc_report.write",
        ("mixed", "alpha", "file"),
    ),
    "SingleModalityResult": _ReportKind(
        "single_modality",
        "pycompare.reporting.mrmc_report.write",
        ("alpha", "file"),
    ),
    "StandaloneResult": _ReportKind(
        "standalone", "pycompare.reporting.mrmc_report.write", ("file",)
    ),
    "BattlesResult": _ReportKind("battles", "pycompare.reporting.battles_report.write"),
    "GroupedBattlesResult": _ReportKind(
        "battles", "pycompare.reporting.battles_report.write"
    ),
    "PowerResult": _ReportKind("power", "pycompare.reporting.power_report.write"),
    "GateResult": _ReportKind("gate", "pycompare.reporting.gate_report.write"),
    "PlannedAnalysis": _ReportKind(
        "run_plan", "pycompare.reporting.planned_report.write"
    ),
    "PlannedPower": _ReportKind(
        "planned_power", "pycompare.reporting.planned_power_report.write"
    ),
}
"""By the class of the result, whose module is imported only if there is such a one."""


@checked
def report(
    result: Reported,
    to: str | Path,
    *,
    plan: ModelPlan | None = None,
    file: str | Path | None = None,
    mixed: GLMMResult | None = None,
    alpha: float | None = None,
    progress: Callable[[str], None] = discard,
    **writing: Unpack[Writing],
) -> Path:
    """Write the report folder of a result: page, JSON, tables, figures, R code.

    Parameters
    ----------
    result : Comparison, CurveComparison, LinearModel, MRMCResult, \
SingleModalityResult, StandaloneResult, BattlesResult, GroupedBattlesResult, \
PowerResult, GateResult, PlannedPower or PlannedAnalysis
        From ``compare``, ``compare_curves``, ``linear_model``, ``mrmc``,
        ``single_modality``, ``standalone``, ``battles``, ``power``, ``gate``,
        ``planned_power`` or ``run_plan``. The
        page of a planned study has the sentence for a grant application or a protocol,
        and the power of sizes around its own; that of a plan file has the sizes asked
        for.
    to : str or Path
        Folder; must not exist. It is written aside and renamed: never half-written.
    plan : ModelPlan, optional
        Of a linear model: which means and comparisons are shown, and alpha; by default
        those of each factor.
    file : str or Path, optional
        Of a linear model or an analysis of readers: the file that the data were read
        from, for its name and hash.
    mixed : GLMMResult, optional
        Of a comparison of readers: ``glmm`` of the same ratings, as a sensitivity
        analysis. By default that of the outcomes behind a sensitivity, specificity or
        mean of 0/1 ratings.
    alpha : float, optional
        Of one modality, whose mean differs significantly from ``null`` if its p-value
        <= alpha; by default 1 minus the level of the interval. A comparison of
        modalities has its own.
    progress : callable, optional
        Called with the name of each step before it begins.
    overwrite : bool, default False
        Replace an earlier report; a folder that is not one is rejected all the same.
    formats : sequence of str, default ("html",)
        Of the document: ``html``, ``docx``, ``latex``, ``md``, ``pdf``, ``rtf``,
        ``text``.
    style : {"page", "statistical-report"}
        The order of its parts: the most important first, or as submissions want it:
        synopsis, objectives and estimands, analysis sets, planned methods, results,
        sensitivity analyses, assumptions, deviations, software, references, programs.
    rounding : {"half-even", "half-away"}
        How numbers that are shown are rounded: to the nearest, ties to the even digit
        (as C, R and Python) or away from zero (as SAS).
    cross_check : bool, default False
        Run ``reproduce.R`` while the report is made, and show how many digits of each
        number R repeats. R and the packages that the program names must be installed.
    paper : bool, default False
        Also write each figure for a paper: PDF and SVG at the width of one column
        (3.46 inches) and of two (7.2 inches). Paragraph, LaTeX table and BibTeX are in
        ``paper/`` of every report.
    with_program : bool, default False
        Print the R program in documents for paper (PDF, DOCX, RTF, ...), too; by
        default they name ``reproduce.R``, which is beside them.
    command : sequence of str, optional
        The command line, to be printed in the report.
    started : datetime, optional
        When the analysis began; by default the report's own beginning.

    Returns
    -------
    Path
        The folder. Beside that of a blinded comparison (``Plan(blind=True)``) is the
        key, FOLDER.key.json.

    Raises
    ------
    InputError
        For another kind of result or an option of another kind, or if the folder exists
        and may not be replaced.
    ReferenceUnavailable
        If a cross-check is wanted and R or one of its packages is missing.

    Examples
    --------
    >>> import pycompare as pc
    >>> from tempfile import TemporaryDirectory
    >>> comparison = pc.compare(pc.example(), pc.Plan(blocks="datasets"))
    >>> with TemporaryDirectory() as folder:
    ...     report = pc.report(comparison, f"{folder}/report")
    ...     sorted(path.name for path in report.iterdir())
    ['data', 'figures', 'manifest.json', 'paper', 'report.html', 'reproduce.R', \
'results.json', 'tables']

    The power of a planned study:

    >>> from pycompare import sizes
    >>> power = pc.power(sizes.Sign(win=0.75), trials=200)
    >>> with TemporaryDirectory() as folder:
    ...     pc.report(power, f"{folder}/power", formats=["text"]).name
    'power'
    """
    kind = _kind(result)
    options = {
        "plan": plan,
        "file": file,
        "mixed": mixed,
        "alpha": alpha,
    }
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if name not in kind.options:
            raise InputError(f"{setting(name)} {_whose(name, kind)}: leave it out")
    module, _, name = kind.writer.rpartition(".")
    with heard_by(progress):
        folder: Path = getattr(import_module(module), name)(
            result, to, **given, **writing
        )
    return folder


def _kind(result: Reported) -> _ReportKind:
    """Return which report a result has, or reject it."""
    for base in type(result).__mro__:
        if base.__module__.startswith("pycompare.") and base.__name__ in _KINDS:
            return _KINDS[base.__name__]
    functions = dict.fromkeys(kind.function for kind in _KINDS.values())
    raise InputError(
        f"{type(result).__name__} has no report; give a result of one of "
        + ", ".join(f"pc.{name}" for name in functions)
    )


def _whose(option: str, kind: _ReportKind) -> str:
    """Return which reports an option is for, if it is given for another one."""
    takers = [f"pc.{k.function}" for k in _KINDS.values() if option in k.options]
    return f"is for results of {' or '.join(takers)}, not of pc.{kind.function}"
