"""The plan of an analysis of readers and cases: ``[readers]`` and ``[plan]``."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, get_args

from pycompare.base.errors import setting
from pycompare.base.typing import Hypothesis, LinkFunction
from pycompare.data.file_format import FileFormat
from pycompare.data.files import read_table
from pycompare.data.rating_files import read_marks, read_ratings
from pycompare.data.ratings import DesignName, Ratings
from pycompare.data.reader_studies import holds_marks, marks_of_workbook, study_table
from pycompare.designs.plans.analysis_plan import (
    AnalysisPlanFile,
    BlindablePlan,
    Opening,
    TableFile,
    known_adjustment,
)
from pycompare.designs.plans.keys import (
    ERROR_RATE,
    Flag,
    Number,
    Text,
    Whole,
    Word,
    broken,
    declare,
    faults,
    keys_of,
    rule,
)
from pycompare.designs.plans.plan_text import PlanText
from pycompare.designs.plans.problems import refuse_any
from pycompare.designs.plans.statements import as_in_plan, statements_of_no_margin
from pycompare.designs.plans.threshold_keys import RateRange
from pycompare.methods.multireader import words
from pycompare.methods.multireader.mixed_outcomes import GLMMResult, glmm
from pycompare.methods.multireader.mrmc import mrmc
from pycompare.methods.multireader.result import MRMCResult
from pycompare.methods.multireader.single_modality import (
    SingleModalityResult,
    single_modality,
)
from pycompare.methods.multireader.standalone_reader import StandaloneResult, standalone

_ANY_NUMBER = Number(float("-inf"), expected="a number")


def _column(name: str, about: str) -> Any:
    """Declare the column of a role."""
    kind = Text(f"the name of the column of {name}s", metavar="COLUMN")
    return declare(None, kind, about, option=f"--{name}", group="Columns")


@dataclass(frozen=True, kw_only=True)
class ReadersTable:
    """The table ``[readers]`` of a plan file: columns, and the analysis."""

    modality: str | None = _column(
        "modality",
        "Column of modalities, or algorithms. Required, as are reader, case and "
        "rating, unless the file is of iMRMC or RJafroc.",
    )
    reader: str | None = _column("reader", "Column of readers, or training sets.")
    case: str | None = _column("case", "Column of cases.")
    rating: str | None = _column("rating", "Column of ratings, see better.")
    truth: str | None = _column("truth", "Column of the true classes.")
    cluster: str | None = _column(
        "cluster", "Column of groups of dependent cases, as of a patient."
    )
    positive: str | None = declare(
        None,
        Text("the label of the positive class", metavar="LABEL"),
        "Positive class.",
        option="--positive",
        group="Columns",
    )
    design: str = declare(
        "factorial",
        Word(get_args(DesignName)),
        "Design: which readers rated which cases in which modality.",
        option="--design",
        group="Columns",
    )
    marks: bool = declare(
        False,
        Flag(),
        "The file has free-response marks: one row per mark, any number per case, "
        "without truth and positive. Needs lesion, case_file and n_lesions, unless it "
        "is an FROC workbook of RJafroc.",
        option="--marks",
        group="Marks",
    )
    lesion: str | None = declare(
        None,
        Text("the name of the column of lesions", metavar="COLUMN"),
        "Column of the lesion that a mark is on, empty if it is on none.",
        option="--lesion",
        group="Marks",
    )
    case_file: str | None = declare(
        None,
        Text("the file of cases", metavar="FILE"),
        "File with one row per case, those without a mark too (in a plan relative to "
        "the plan file). Its column of cases has the same name.",
        option="--case-file",
        group="Marks",
    )
    n_lesions: str | None = declare(
        None,
        Text("the name of the column of numbers of lesions", metavar="COLUMN"),
        "Column of case_file: how many lesions a case has, 0 of a normal case.",
        option="--n-lesions",
        group="Marks",
    )
    method: str = declare(
        "or",
        Word(get_args(words.ReaderMethod)),
        "Obuchowski-Rockette, or Dorfman-Berbaum-Metz.",
        option="--method",
    )
    covariance: str = declare(
        "jackknife",
        Word(get_args(words.CovarianceName)),
        "How covariances over cases are estimated.",
        option="--covariance",
    )
    readers: str = declare(
        "random",
        Word(get_args(words.Effect)),
        "Random: conclusions concern new readers. Fixed: these readers.",
        option="--readers",
    )
    cases: str = declare(
        "random",
        Word(get_args(words.Effect)),
        "Random: conclusions concern new cases. Fixed: these cases.",
        option="--cases",
    )
    figure: str = declare(
        "auc",
        Word(get_args(words.FigureName)),
        "Figure of merit; mean is the mean rating. Of marks: wafroc, in which all "
        "cases with lesions count equally, or afroc, in which all lesions do.",
        option="--figure",
    )
    error: str = declare(
        "own",
        Word(get_args(words.ErrorName)),
        "Error term of a pair: its own modalities, or all of them.",
        option="--error",
    )
    df: str = declare(
        "hillis",
        Word(get_args(words.DfRule)),
        "Degrees of freedom for random readers and cases.",
        option="--df",
    )
    pair_tests: str | None = declare(
        None,
        Word(get_args(words.PairTestsName)),
        "Pairs for new readers and new cases: the largest of three p-values "
        "(these readers, these cases, both new), or Hillis' test as published. "
        "Default: largest for three or more modalities with their own error.",
        option="--pair-tests",
    )
    better: str | None = declare(
        None,
        Word(("higher", "lower")),
        "Direction of the ratings. lower: lower ratings speak for the positive "
        "class; of the figure mean, which needs it: lower means are better. Default: "
        "higher, but for the mean.",
        option="--better",
    )
    threshold: float | None = declare(
        None,
        _ANY_NUMBER,
        "Of sensitivity, specificity and mixed: a rating at or above it (with "
        "better lower: at or below) is positive.",
        option="--threshold",
    )
    fpr_range: tuple[float, float] | None = declare(
        None,
        RateRange(),
        "False positive rates of the partial AUC.",
        option="--fpr-range",
    )
    resamples: int | None = declare(
        None,
        Whole(2, expected="a whole number from 2 on"),
        "Resamples of the bootstrap. Default: 2000.",
        option="--resamples",
    )
    only: str | None = declare(
        None,
        Text("the name of a modality"),
        "Estimate the mean figure of this modality, without comparisons.",
        option="--only",
        group="One modality",
    )
    null: float | None = declare(
        None,
        _ANY_NUMBER,
        "Test the mean of the modality in only against this value.",
        option="--null",
        group="One modality",
    )
    standalone: str | None = declare(
        None,
        Text("the name of a reader"),
        "Compare this standalone reader, such as an AI system, with the mean of the "
        "other readers, for each modality.",
        option="--standalone",
        group="Standalone reader",
    )
    mixed: str | None = declare(
        None,
        Word(get_args(words.OutcomeName)),
        "Sensitivity analysis of a 0/1 outcome. mean: the ratings themselves, 0 "
        "or 1. The others: 1 for a correct decision at the threshold.",
        option="--mixed",
        group="Mixed model of 0/1 outcomes",
    )
    link: str | None = declare(
        None,
        Word(get_args(LinkFunction)),
        "Scale of the effects. Default: logit.",
        option="--link",
        group="Mixed model of 0/1 outcomes",
    )
    reader_effects: bool = declare(
        False,
        Flag(),
        "Modalities differ from reader to reader (random modality x reader).",
        option="--reader-effects",
        group="Mixed model of 0/1 outcomes",
    )

    def __post_init__(self) -> None:
        """Reject what no data could make right."""
        refuse_any(faults(self))


@dataclass(frozen=True, kw_only=True)
class ReadersDecisions:
    """The table ``[plan]`` of a plan of readers and cases."""

    control: str | None = declare(
        None,
        Text("the name of a modality"),
        "Compare each other modality with this one only.",
        option="--control",
    )
    margin: float | None = declare(
        None,
        Number(0, expected="a positive difference"),
        "Also test superiority, non-inferiority and equivalence.",
        option="--margin",
    )
    hypothesis: str | None = declare(
        None,
        Word(get_args(Hypothesis)),
        "Required with a margin; it comes first in all conclusions. superiority: "
        "modalities differ; it has no margin. non-inferiority: the others are not "
        "worse than the control by the margin. equivalence: differences lie within the "
        "margin. Default: superiority.",
        option="--hypothesis",
    )
    adjust: str = declare(
        "holm",
        Text("the name of an adjustment", known_adjustment),
        "Adjustment over the pairs compared.",
        option="--adjust",
    )
    alpha: float | None = declare(
        None,
        ERROR_RATE,
        "Family-wise significance level. Superiority and non-inferiority to a "
        "control are tested one-sided at half of it. Default: 0.05, or 1 - level.",
        option="--alpha",
    )
    level: float | None = declare(
        None,
        Number(0, 1, "a confidence level between 0 and 1"),
        "Confidence level of the intervals that describe. Those of pairs follow "
        "from alpha. Default: 1 - alpha.",
        option="--level",
    )
    seed: int | None = declare(
        None,
        Whole(0, expected="a whole number, 0 or more"),
        "Random seed of the bootstrap.",
        option="--seed",
    )
    blind: bool = declare(
        False,
        Flag(),
        "Blinded analysis: codes stand for the names of the modalities in every output "
        "until pycompare unblind. The key is written beside the report.",
        option="--blind",
    )
    population: str | None = as_in_plan("population")
    treatment: str | None = as_in_plan("treatment")
    variable: str | None = as_in_plan("variable")
    intercurrent_events: str | None = as_in_plan("intercurrent_events")
    summary_measure: str | None = as_in_plan("summary_measure")
    margin_reason: str | None = as_in_plan("margin_reason")
    margin_source: str | None = as_in_plan("margin_source")

    def __post_init__(self) -> None:
        """Reject what no data could make right."""
        refuse_any(faults(self))


_OF_MODEL = ("link", "reader_effects")
_OF_COMPARISONS = (
    *("method", "error", "df", "pair_tests", "control", "margin", "hypothesis"),
    *("adjust", "alpha", "seed", "resamples", "mixed", *_OF_MODEL),
)
"""Keys that one modality has no use for."""
_OF_MODALITIES = (
    *(name for name in _OF_COMPARISONS if name not in ("adjust", "alpha")),
    *("only", "null", "level", "blind"),
)
"""Keys that a comparison of a reader with the others has no use for."""
_COLUMNS = ("modality", "reader", "case", "rating", "truth", "positive", "cluster")
_OF_MARKS = (
    *("modality", "reader", "case", "rating"),
    *("lesion", "case_file", "n_lesions"),
)
_OF_CASES = (
    *("truth", "positive", "cluster", "design", "threshold", "fpr_range"),
    *("mixed", *_OF_MODEL),
)
"""Keys of ratings of cases, which marks do not have."""


@dataclass(frozen=True, kw_only=True)
class ReadersPlan(ReadersDecisions, ReadersTable, BlindablePlan):
    """Decisions about readers and cases before a p-value is seen.

    The keys of both tables; each is documented where it is declared.

    Raises
    ------
    PlanError
        With all problems.

    Examples
    --------
    >>> from pycompare.designs.plans.readers_plan import ReadersPlan
    >>> plan = ReadersPlan(modality="test", reader="reader", case="case", rating="x")
    >>> plan.method, plan.figure, plan.adjust
    ('or', 'auc', 'holm')
    """

    def __post_init__(self) -> None:
        """Reject what no data could make right, of all keys together."""
        super().__post_init__()
        refuse_any(broken(_RULES, self))
        if self.fpr_range is not None:
            object.__setattr__(self, "fpr_range", tuple(self.fpr_range))

    def renamed(self, names: Mapping[str, str]) -> ReadersPlan:
        """Return the plan with other names of modalities; unknown ones are left."""
        control, only = self.control, self.only
        return dataclasses.replace(
            self,
            control=control and names.get(control, control),
            only=only and names.get(only, only),
        )

    def read(self, path: str | PathLike[str], form: FileFormat) -> Ratings:
        """Read the ratings, or the marks."""
        if self.marks:
            return self._read_marks(path, form)
        columns: dict[str, Any] = {name: getattr(self, name) for name in _COLUMNS}
        return read_ratings(
            path,
            **columns,
            design=self.design,  # type: ignore[arg-type]
            sep=form.sep,
            decimal=form.decimal,
            sheet=form.sheet,
            header=form.header,
        )

    def _read_marks(self, path: str | PathLike[str], form: FileFormat) -> Ratings:
        """Read marks and the file of cases."""
        columns: dict[str, Any] = {name: getattr(self, name) for name in _OF_MARKS}
        return read_marks(
            path,
            **columns,
            sep=form.sep,
            decimal=form.decimal,
            sheet=form.sheet,
            header=form.header,
        )

    def analysed(
        self, ratings: Ratings
    ) -> tuple[MRMCResult | SingleModalityResult | StandaloneResult, GLMMResult | None]:
        """Return the analysis, and the mixed model if one is planned."""
        if self.standalone is not None:
            return self._against_readers(ratings, self.standalone), None
        if self.only is not None:
            return self._alone(ratings, self.only), None
        given: Any = {name: getattr(self, name) for name in (*_OF_MRMC, *_FIGURE)}
        # The threshold of the mixed model alone is none of the figure.
        if self.mixed and self.figure not in ("sensitivity", "specificity"):
            given["threshold"] = None
        study = mrmc(ratings, **given)
        return study, None if self.mixed is None else self._model(study)

    def _model(self, study: MRMCResult) -> GLMMResult:
        """Return the mixed model beside a comparison."""
        random: Any = get_args(words.RandomName)[: 3 if self.reader_effects else 2]
        given: Any = {"outcome": self.mixed, "link": self.link or "logit"}
        return glmm(
            study.ratings,
            threshold=self.threshold,
            better="higher" if self.mixed == "mean" else self.better or "higher",  # type: ignore[arg-type]
            random=random,
            control=study.control,
            adjust=study.adjust,
            level=study.descriptive_level,
            **given,
        )

    def _alone(self, ratings: Ratings, only: str) -> SingleModalityResult:
        """Return the mean of one modality."""
        given: Any = {name: getattr(self, name) for name in _FIGURE}
        given |= {} if self.level is None else {"level": self.level}
        return single_modality(ratings, modality=only, null=self.null, **given)

    def _against_readers(self, ratings: Ratings, reader: str) -> StandaloneResult:
        """Return the comparison of a standalone reader with the others."""
        given: Any = {name: getattr(self, name) for name in (*_FIGURE, "adjust")}
        return standalone(ratings, reader=reader, alpha=self.alpha, **given)


_FIGURE = (
    *("covariance", "readers", "cases", "figure", "threshold", "fpr_range"),
    "better",
)
_OF_MRMC = (
    *("method", "error", "df", "pair_tests", "control", "margin", "hypothesis"),
    *("adjust", "alpha", "level", "seed", "resamples"),
)


@rule("null", "only")
def _null_alone(plan: ReadersPlan) -> str | None:
    """Reject a value for the mean of no modality."""
    if plan.null is None or plan.only is not None:
        return None
    told = setting("null") + " tests the mean of one modality: name it, "
    return told + setting("only", ...)


@rule("only")
def _comparisons_of_one(plan: ReadersPlan) -> str | None:
    """Reject keys for comparisons if one modality is analysed."""
    name = None if plan.only is None else _first_given(plan, _OF_COMPARISONS)
    if name is None:
        return None
    return (
        setting(name)
        + " is for comparisons, and "
        + setting("only", plan.only)
        + " names one modality: leave it out"
    )


def _first_given(plan: ReadersPlan, names: Sequence[str]) -> str | None:
    """Return the first of some keys that is not at its default."""
    keys = keys_of(ReadersPlan)
    return next((n for n in names if getattr(plan, n) != keys[n].default), None)


@rule("marks", *_OF_MARKS[4:])
def _keys_without_marks(plan: ReadersPlan) -> str | None:
    """Reject keys of marks if the file has ratings of cases."""
    name = None if plan.marks else _first_given(plan, _OF_MARKS[4:])
    if name is None:
        return None
    return setting(name) + " is of marks: give " + setting("marks", True)


@rule("marks", *_OF_CASES)
def _marks_of_cases(plan: ReadersPlan) -> str | None:
    """Reject keys of ratings of cases if the file has marks."""
    name = _first_given(plan, _OF_CASES) if plan.marks else None
    if name is None:
        return None
    return (
        setting(name)
        + " is of ratings of cases, and "
        + setting("marks", True)
        + " has the lesions of each case: leave it out"
    )


@rule("marks", "figure")
def _figure_of_marks(plan: ReadersPlan) -> str | None:
    """Reject a figure of ratings of marks, and the other way round."""
    of_marks = plan.figure in words.MARK_FIGURES
    if of_marks == plan.marks:
        return None
    if plan.marks:
        return (
            setting("marks", True)
            + " and "
            + setting("figure", plan.figure)
            + ": marks have the figures 'wafroc' and 'afroc'; choose one"
        )
    return (
        setting("figure", plan.figure)
        + " is of free-response marks: give "
        + setting("marks", True)
    )


@rule("standalone")
def _modalities_of_a_reader(plan: ReadersPlan) -> str | None:
    """Reject keys about modalities if a reader is compared with the others."""
    name = None if plan.standalone is None else _first_given(plan, _OF_MODALITIES)
    if name is None:
        return None
    return (
        setting(name)
        + " is of analyses of modalities, and "
        + setting("standalone", plan.standalone)
        + " compares a reader with the others: leave it out"
    )


@rule("mixed", *_OF_MODEL)
def _of_no_model(plan: ReadersPlan) -> str | None:
    """Reject keys of a mixed model that is not planned."""
    name = None if plan.mixed is not None else _first_given(plan, _OF_MODEL)
    return None if name is None else setting(name) + " is for " + setting("mixed")


_RULES = (
    *(statements_of_no_margin, _null_alone, _comparisons_of_one),
    *(_keys_without_marks, _marks_of_cases, _figure_of_marks),
    *(_modalities_of_a_reader, _of_no_model),
)


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadersPlanFile(AnalysisPlanFile):
    """A plan file with a table ``[readers]``."""

    tables: ClassVar[Mapping[str, type]] = {
        "data": TableFile,
        "readers": ReadersTable,
        "plan": ReadersDecisions,
    }
    holds: ClassVar[type] = ReadersPlan
    row: ClassVar[str] = "readers and cases need one row per modality, reader and case"
    files: ClassVar[tuple[str, ...]] = ("file", "case_file")
    to_fill_in: ClassVar[tuple[str, ...]] = _COLUMNS[:-1]
    called: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "modality": ("modality", "test", "algorithm", "model", "modalityid"),
        "reader": ("reader", "readerid", "rater", "judge"),
        "case": ("case", "caseid", "patient", "item"),
        "rating": ("rating", "score"),
        "truth": ("truth", "label", "class"),
        "lesion": ("lesion", "lesionid"),
    }

    @classmethod
    def opening(cls, path: Path, form: FileFormat, *, marks: bool) -> Opening:
        """Read ratings or marks; files of iMRMC and RJafroc have columns of their own.

        Parameters
        ----------
        path, form
            The file, and how it is written.
        marks : bool
            Whether a row is a free-response mark. A workbook of RJafroc states it.
        """
        of_marks, of_cases = {"marks": True}, ("marks", *_OF_MARKS[4:])
        if marks or holds_marks(path):
            tables = marks_of_workbook(path)
            if tables is not None:
                return Opening(
                    data=tables[0],
                    to_fill_in=("figure",),
                    given=of_marks,
                    left_out=(*_COLUMNS, *_OF_CASES, *_OF_MARKS),
                )
            return Opening(
                data=read_table(path, form)[0],
                to_fill_in=(*_OF_MARKS, "figure"),
                given=of_marks,
                left_out=_OF_CASES,
            )
        study = study_table(path)
        if study is not None:
            left_out = (*_COLUMNS, *of_cases)
            return Opening(data=study, to_fill_in=(), left_out=left_out)
        return dataclasses.replace(
            super().opening(path, form, marks=False), left_out=of_cases
        )

    def _together(self, read: PlanText) -> ReadersPlan:
        """Return the plan, whose file of cases is relative to the plan file."""
        plan: ReadersPlan = super()._together(read)
        if plan.case_file is None:
            return plan
        return dataclasses.replace(plan, case_file=str(self.folder / plan.case_file))
