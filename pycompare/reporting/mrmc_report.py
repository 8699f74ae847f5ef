"""A folder with an analysis of readers and cases: its page, pictures, R code."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Unpack

from pycompare.base.arguments import check_alpha
from pycompare.base.errors import InputError, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.numbers import p_equals
from pycompare.base.interop.r_program import Program, no_program, program_of_few
from pycompare.data.ratings import Ratings
from pycompare.data.source import source_of
from pycompare.designs.firmness import LeftOut
from pycompare.designs.plans.readers_plan import ReadersPlan
from pycompare.designs.readers_left_out import readers_left_out
from pycompare.methods.multireader.mixed_outcomes import GLMMResult, mixed_beside
from pycompare.methods.multireader.result import MRMCResult
from pycompare.methods.multireader.single_modality import SingleModalityResult
from pycompare.methods.multireader.standalone_reader import StandaloneResult
from pycompare.methods.orders.rank_sets import RankSets
from pycompare.reporting.analyses.multireader.parts import AnyReaders
from pycompare.reporting.analyses.multireader.report import (
    SINGLE,
    MixedOutcomes,
    answer,
    doubts,
    headed,
    mrmc_report,
    outcome,
    reported,
    sample,
    single_report,
    sites,
)
from pycompare.reporting.analyses.multireader.standalone import (
    ALONE,
    reported_standalone,
    standalone_answer,
    standalone_report,
)
from pycompare.reporting.content import ranks, wording
from pycompare.reporting.content.paper_words import of_claims
from pycompare.reporting.document import plain as as_text
from pycompare.reporting.edition import Writing
from pycompare.reporting.evidence.comparison_log import other_data
from pycompare.reporting.evidence.data_files import of_ratings
from pycompare.reporting.evidence.manifest import Evidence, Step
from pycompare.reporting.evidence.r_ratings import RatingsInR
from pycompare.reporting.folder import FolderMark
from pycompare.reporting.key_beside import write_with_key
from pycompare.reporting.provenance import Origin, provenance
from pycompare.reporting.submission_words import (
    Words,
    stated_attributes,
    stated_margin,
)
from pycompare.reporting.write import Contents
from pycompare.results.result import Result, Told, plain, rejected

KIND = FolderMark("pycompare mrmc")
_NOT_IN_R = (
    "R has no such analysis here, with covariances by bootstrap, or with DeLong's or "
    "unbiased ones of another design than the factorial or of clusters"
)


def write(
    result: AnyReaders,
    to: str | Path,
    *,
    mixed: GLMMResult | None = None,
    alpha: float | None = None,
    file: str | Path | None = None,
    origin: Origin | None = None,
    **writing: Unpack[Writing],
) -> Path:
    """Write the folder of an analysis of readers and cases."""
    used = alpha_of(result) if alpha is None else alpha
    check_alpha(used)
    if isinstance(result, MRMCResult) and used != result.alpha:
        raise InputError(
            setting("alpha", alpha)
            + f": the comparison was made with {result.alpha:g}; give it to pc.mrmc"
        )
    if origin is None:
        rated = int(result.ratings.read.sum())
        origin = Origin(source=None if file is None else source_of(Path(file), rated))
    parts = partial(contents, result, mixed, used, origin)
    return write_with_key(KIND, to, parts, origin.blinding, **writing)


def alpha_of(result: AnyReaders) -> float:
    """Return the significance level of a result."""
    if isinstance(result, MRMCResult):
        return result.alpha
    if isinstance(result, StandaloneResult) and result.alpha is not None:
        return result.alpha
    return round(1 - result.level, 12)


def contents(
    result: AnyReaders,
    given: GLMMResult | None,
    alpha: float,
    made_from: Origin,
    command: Sequence[str] | None,
) -> Contents:
    """Return the contents of the folder; ``command`` is the command line."""
    data, rated = of_ratings(result.ratings), int(result.ratings.read.sum())
    assert data.sha256 is not None
    origin = provenance(
        source=made_from.source,
        plan_file=made_from.plan_file,
        blinding=made_from.blinding,
        data=(data.kind, data.sha256),
        command=command,
        seed=result.seed if isinstance(result, MRMCResult) else None,
        randomness=_randomness(result),
    )
    told = {"alpha": alpha} | result.to_dict() | {"alpha": alpha}
    held: Any = Told(told, result)
    asked, drawn = {**result.asked, "alpha": alpha}, {}
    if isinstance(result, StandaloneResult):
        program = _r_program_of(result, None, rated)
        report = standalone_report(result, alpha, origin)
        steps = _steps_of_standalone(result, alpha, made_from.asked_by)
    elif isinstance(result, SingleModalityResult):
        program = _r_program_of(result, None, rated)
        report = single_report(result, alpha, origin)
        steps = _steps_of_one(result, alpha, made_from.asked_by)
    else:
        mixed = mixed_beside(result) if given is None else given
        ranked = ranks.shown(result, alpha)
        program = _r_program_of(result, mixed, rated, ranked)
        left_out = readers_left_out(result)
        report = mrmc_report(result, mixed, alpha, origin, left_out)
        steps = _steps(result, alpha, left_out, made_from.asked_by)
        held |= plain(
            {
                "mixed": mixed,
                "rank_sets": ranked,
                "left_out": _without_each(left_out),
            }
        )
        asked |= {"mixed": None if given is None else dict(given.asked)}
        drawn = {"seed": result.seed, "resamples": result.resamples}
    evidence = Evidence(
        data=data,
        asked=asked,
        settled=asked | drawn,
        steps=steps,
        deviations=list(other_data(made_from.trail)),
    )
    return Contents(
        report=report,
        program=program,
        results=lambda: held,
        evidence=evidence,
        words=partial(readers_words, result, alpha, made_from.plan),
    )


def readers_words(
    result: AnyReaders, alpha: float, plan: ReadersPlan | None = None
) -> Words:
    """Return the statements of a report for submission about an analysis of readers."""
    population = f"conclusions concern {result.population}"
    if isinstance(result, StandaloneResult):
        readers = counted(result.n_readers, "reader")
        both = f"{result.standalone} with the mean of {readers} in {result.figure}"
        measure = f"{result.figure} of {result.standalone} minus the mean of readers"
        told = f"We used {ALONE}. {reported_standalone(result, alpha)}"
        return Words(
            question=f"Does {result.standalone} differ from the mean of readers in "
            f"{result.figure}?",
            opening=f"We compared {both} on {sites(result)}; {population}.",
            attributes=stated_attributes(plan, str(result.figure)),
            others=[(result.figure, told, measure)],
            dropped=_gaps(result.ratings),
            references=[result.reference],
        )
    if isinstance(result, SingleModalityResult):
        mean = f"mean {result.figure} of {result.modality}"
        tested = (
            "" if result.null is None else f", and does it differ from {result.null:g}"
        )
        told = f"We used the {SINGLE}. {reported(result, alpha)}"
        return Words(
            question=f"What is the {mean}{tested}?",
            opening=f"We estimated the {mean} {sample(result)}; {population}.",
            attributes=stated_attributes(plan, str(result.figure)),
            others=[(result.figure, told, mean)],
            dropped=_gaps(result.ratings),
            references=[result.reference],
        )
    conclusion = outcome(result, alpha)
    many = f"{wording.count(len(result.algorithms))} modalities"
    whom = f"Which of the {many} differ from each other"
    if len(result.algorithms) == 2:
        whom = f"Do {' and '.join(result.algorithms)} differ"
    if result.control is not None and len(result.algorithms) > 2:
        whom = f"Does {result.control} differ from each other modality"
    if result.hypothesis == "non-inferiority":
        whom = f"Is each other modality non-inferior to {result.control}"
        if len(result.algorithms) == 2:
            [other] = [name for name in result.algorithms if name != result.control]
            whom = f"Is {other} non-inferior to {result.control}"
    elif result.hypothesis == "equivalence":
        whom = f"Which of the {many} are equivalent"
        if len(result.algorithms) == 2:
            whom = f"Are {' and '.join(result.algorithms)} equivalent"
    variable = wording.direction(conclusion.metric)
    return Words(
        question=f"{whom} in mean {result.figure}?",
        opening=f"We compared {many} in {variable} {sample(result)}; {population}.",
        attributes=stated_attributes(plan, variable),
        margin=stated_margin(plan),
        outcomes=[(result.figure, conclusion)],
        claims=of_claims(result),
        references=[result.reference],
        dropped=_gaps(result.ratings),
    )


def _gaps(ratings: Ratings) -> list[str]:
    """Return which ratings there were, if some combinations have none."""
    if ratings.design == "factorial":
        return []
    rated, every = int(ratings.read.sum()), ratings.read.size
    return [
        f"The design was {ratings.design}: {rated} of {every} combinations of "
        f"modality, reader and case were rated."
    ]


def _randomness(result: AnyReaders) -> str:
    """Return the random factors, and the meaning of it for the conclusion."""
    if not isinstance(result, MRMCResult) or result.seed is None:
        return "none: nothing in this report is random"
    return (
        f"{result.seed}, for {result.resamples} resamples of the cases, from which the "
        f"covariances are estimated: the conclusion depends on it"
    )


def _r_program_of(
    result: AnyReaders,
    mixed: MixedOutcomes,
    n: int,
    ranked: RankSets | None = None,
) -> Program:
    """Return the R program; without calls if there are too many ratings."""
    inputs = RatingsInR(result.ratings)
    if result.r_call() is None:
        return no_program(_NOT_IN_R)
    if not isinstance(result, MRMCResult):
        title = (
            f"Standalone reader: {result.standalone}"
            if isinstance(result, StandaloneResult)
            else f"One modality: {result.modality}"
        )
        return program_of_few([(title, result)], n, "ratings", inputs)
    beside: list[tuple[str, Result]] = []
    if isinstance(mixed, GLMMResult):
        beside.append((mixed.method, mixed))
    if ranked is not None:
        beside.append(("Confidence sets of ranks", ranked))
    return program_of_few([(result.method, result), *beside], n, "ratings", inputs)


def _without_each(left_out: LeftOut) -> dict[str, Any]:
    """Return which decisions change without one reader, for results.json."""
    changes = {
        " - ".join(sorted(pair)): list(names)
        for pair, names in left_out.changes.items()
    }
    return {
        "unit": left_out.unit,
        "n_units": left_out.n_units,
        "changes": changes,
        "why_not": left_out.why_not,
    }


def _steps(
    result: MRMCResult, alpha: float, left_out: LeftOut, asked_by: str
) -> list[Step]:
    """Return every step of an analysis of readers and cases."""
    ratings, table = result.ratings, result.as_columns()
    significant = int(result.rejected(alpha).sum())
    claims = [] if result.claims is None else [_claims(result)]
    return [
        Step(
            step="Read the ratings",
            why=asked_by,
            decided=f"{counted(len(ratings.modalities), 'modality', 'modalities')}, "
            f"{counted(result.n_readers, 'reader')}, "
            f"{counted(len(ratings.cases), 'case')}, {ratings.design}",
        ),
        Step(
            step=f"{result.omnibus.name}",
            why="test of all modalities at once",
            decided=f"{p_equals(result.omnibus.p_value)}; no decision",
        ),
        Step(
            step=f"{result.method}, adjusted: {result.adjust}",
            why=f"primary analysis: {result.population}",
            decided=f"{significant} of {counted(len(table), 'pair')} significant at "
            f"alpha = {alpha:g}",
        ),
        *claims,
        Step(
            step="The other scopes of conclusions",
            why="sensitivity analysis",
            decided="no decision",
        ),
        Step(
            step="Each reader left out",
            why="sensitivity analysis",
            decided=left_out.why_not
            or f"{counted(len(left_out.changes), 'decision')} of "
            f"{len(table)} change without one of {left_out.n_units} readers",
        ),
    ]


def _steps_of_one(
    result: SingleModalityResult, alpha: float, asked_by: str
) -> list[Step]:
    """Return every step of the analysis of one modality."""
    tested = (
        "no test"
        if result.null is None
        else f"{p_equals(result.p_value)} against {result.null:g}; alpha = {alpha:g}"
    )
    return [
        Step(
            step="Read the ratings",
            why=asked_by,
            decided=f"{result.modality}, {counted(result.n_readers, 'reader')}, "
            f"{counted(len(result.ratings.cases), 'case')}, {result.ratings.design}",
        ),
        Step(
            step=f"Mean {result.figure} of {result.modality}",
            why=f"primary analysis: {result.population}",
            decided=tested,
        ),
    ]


def _steps_of_standalone(
    result: StandaloneResult, alpha: float, asked_by: str
) -> list[Step]:
    """Return every step of the comparison of a standalone reader."""
    table = result.as_columns()
    significant = int(rejected(table["p_adjusted"], alpha).sum())
    return [
        Step(
            step="Read the ratings",
            why=asked_by,
            decided=f"{result.standalone} and {counted(result.n_readers, 'reader')}, "
            f"{counted(len(table), 'modality', 'modalities')}, "
            f"{counted(len(result.ratings.cases), 'case')}, {result.ratings.design}",
        ),
        Step(
            step=f"{result.standalone} against the mean of readers, adjusted: "
            f"{result.adjust}",
            why=f"primary analysis: {result.population}",
            decided=f"{significant} of {counted(len(table), 'difference')} significant "
            f"at alpha = {alpha:g}",
        ),
    ]


def _claims(result: MRMCResult) -> Step:
    """Return the claims against the margin."""
    n = 0 if result.claims is None else len(result.claims)
    return Step(
        step=f"Claims against the margin {result.margin:g}",
        why="a margin is given",
        decided=f"{counted(n, 'claim')} tested",
    )


def conclusion(result: AnyReaders) -> str:
    """Return the conclusion and its scope as text."""
    alpha = alpha_of(result)
    if isinstance(result, StandaloneResult):
        text = as_text(standalone_answer(result, alpha))
    elif isinstance(result, SingleModalityResult):
        text = as_text(answer(result, alpha))
    else:
        text = as_text(headed(result, alpha))
    asked = "".join(f"\n{wording.sentence(note)}" for note in doubts(result))
    return (
        f"{result.ratings.counts}.\n{text}{asked}\n"
        f"Scope of conclusions: {result.population}."
    )
