"""``compare``: the whole analysis of scores, in numbers and in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from pycompare.base.checked import checked
from pycompare.base.metric import Direction
from pycompare.base.parallel.place import working
from pycompare.base.parallel.progress import Say, discard
from pycompare.data.predictions import Predictions
from pycompare.data.reading.worst import Worst, of_failures
from pycompare.data.roles import RoleColumns
from pycompare.data.scores import Scores
from pycompare.designs import compare as analyses
from pycompare.designs.firmness import Firmness
from pycompare.designs.plans.call_roles import CallRoles
from pycompare.designs.plans.plan import Plan
from pycompare.designs.plans.plan_file import PlanFile
from pycompare.plotting import style
from pycompare.reporting.comparison_report import ComparisonReport, with_firmness
from pycompare.reporting.edition import Writing
from pycompare.reporting.pairs_frame import pair_interval, pairs_frame
from pycompare.reporting.render.html import data_uri
from pycompare.reporting.render.markup import tag, void

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from pycompare.reporting.document import Figure
    from pycompare.results.result import Estimate


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Comparison(analyses.Comparison):  # noqa: D101 - documented below
    __doc__ = analyses.Comparison.__doc__

    def summary(self) -> str:
        """Return the conclusion in plain sentences."""
        return "\n".join(ComparisonReport(self).conclusions())

    @property
    def firmness(self) -> tuple[Firmness, ...]:
        """How firm the decisions are: one a metric and group.

        It counts decision by decision the decisions of sensitivity analyses; see
        ``pycompare.designs.firmness.Firmness``.
        """
        return ComparisonReport(self).firmness()

    @property
    def pairs(self) -> pd.DataFrame:
        """Decisions about each pair: one row per pair, metric and group.

        Columns: ``metric``; ``group`` (None without groups, and of all data sets
        together); ``algorithm_1``, the one that did better, and ``algorithm_2``;
        ``quantity``, what ``estimate`` is (algorithm_1 minus algorithm_2, their
        ratio, or the share of the cases that algorithm_1 wins, as on the page);
        ``conf_low``, ``conf_high`` and their ``conf_level``; ``p_value`` (raw);
        ``p_adjusted``; ``significant`` (``p_adjusted <= alpha``). Missing numbers are
        NaN.
        """
        return pairs_frame(ComparisonReport(self))

    def interval(
        self,
        first: str,
        second: str,
        *,
        metric: str | None = None,
        group: str | None = None,
    ) -> Estimate:
        """Return the difference of two algorithms, with the interval that pages show.

        Parameters
        ----------
        first, second : str
            The estimate is first minus second, or their ratio, or the share of the
            cases that the first wins, as on the page.
        metric, group : str, optional
            Required if there are several.

        Returns
        -------
        Estimate
            Limits are NaN if the method has no interval (mean ranks).

        Raises
        ------
        InputError
            For an unknown name, or a pair that is not compared.

        Examples
        --------
        >>> import pycompare as pc
        >>> comparison = pc.compare(pc.example(), pc.Plan(blocks="datasets"))
        >>> print(comparison.interval("C4.5", "1-NN").summary())
        typical difference in accuracy, C4.5 minus 1-NN = 0.04800, 98.333% interval \
[0.009000, 0.1830] (typical differences, Wilcoxon signed rank tests, Holm adjustment)
        """
        return pair_interval(ComparisonReport(self), first, second, metric, group)

    def figure(self, *, width: float | None = None) -> Axes | None:
        """Draw the figure that shows the conclusion, the first one of the page.

        Parameters
        ----------
        width : float, optional
            In inches, such as 3.46 for one column of a paper.

        Returns
        -------
        matplotlib.axes.Axes or None
            None if there is nothing to show. ``pc.plotting.save`` writes it to a file.
        """
        shown = self._first_figure()
        if shown is None:
            return None
        with style.room_of(width):
            axes: Axes = shown.draw()
        return axes

    def _first_figure(self) -> Figure | None:
        results = (stated.result for stated in ComparisonReport(self).results())
        every = (
            result.figure if result.forest is None else result.forest.figure
            for result in results
            if result.leading
        )
        return next((figure for figure in every if figure is not None), None)

    def report(self, to: str | Path, **writing: Unpack[Writing]) -> Path:
        """Write the report folder; options as of ``pc.report``.

        Returns
        -------
        Path
            The folder.
        """
        from pycompare.reporting.comparison_folder import write

        return write(self, to, **writing)

    def methods_text(self) -> str:
        """Return methods and results in the past tense, as ``pc.methods_text`` does."""
        return ComparisonReport(self).words().paragraph

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values that JSON can hold, at full precision."""
        return with_firmness(self)

    def __repr__(self) -> str:
        return f"<Comparison of {self.scores!r}; summary() has the conclusion>"

    def _repr_html_(self) -> str:
        text = f'<pre style="white-space: pre-wrap">{escape(self.summary())}</pre>'
        shown = self._first_figure()
        if shown is None:
            return text
        width = "max-width: 100%"
        image = void("img", src=data_uri(shown.svg), alt=shown.alt, style=width)
        return f"{text}{tag('figure', image)}"


@checked
def compare(
    scores: Any,
    plan: Plan | PlanFile | None = None,
    *,
    algorithm: str | None = None,
    block: str | None = None,
    dataset: str | None = None,
    replicate: str | None = None,
    group: str | None = None,
    cluster: str | None = None,
    judge: str | None = None,
    stratum: str | None = None,
    algorithms: Sequence[str] | None = None,
    metric: str | None = None,
    better: Direction | None = None,
    metrics: Mapping[str, Direction] | None = None,
    missing: str | None = None,
    percent: Sequence[str] | None = None,
    worst: Worst = None,
    transpose: bool | None = None,
    number: str | None = None,
    metric_column: str | None = None,
    value: str | None = None,
    truth: str | None = None,
    one_is: str | None = None,
    na: Sequence[str] | None = None,
    leave_out: Sequence[str] | None = None,
    confirmed: Sequence[str] | None = None,
    workers: int | None = None,
    scheduler: str | Any | None = None,
    progress: Say = discard,
) -> Comparison:
    """Compare algorithms measured on common blocks, as planned.

    The kind of blocks decides the analysis. The plan names it (``Plan.blocks``), or the
    columns of the data do; no score and no p-value ever does:

    - Blocks are independent data sets: typical differences of all pairs by adjusted
      signed rank tests, with mean ranks (Friedman) and mean differences beside them;
      for two algorithms Wilcoxon's signed rank test, with the sign test and the paired
      t test beside it. ``Plan.compares`` decides otherwise.
    - Blocks are folds of one data set, three algorithms or more: blocked analysis of
      variance with Tukey's (or the control's Dunnett's) comparisons; checks of the
      residuals, corrected resampled t tests and the whole rank analysis beside them.
    - Blocks are folds of several data sets: the analysis of variance of each (corrected
      resampled t tests beside it, which then decide wins, if the plan has the sizes of
      the sets), wins over data sets, and five comparisons over them, of which
      ``Plan.compares`` decides: typical differences, mean ranks and mean differences of
      data-set means, sign tests of wins, and one model of all folds.
    - Blocks are folds of one data set, two algorithms: paired t test, corrected if the
      plan has the sizes of the sets, with Wilcoxon's and the sign test beside it.

    Several runs of each algorithm on each block (``replicate``) are averaged cell by
    cell for all of this; the plan has to say whether their own analysis is added
    (``Plan.replicates``).

    Each metric has its analysis; over folds, and over the means of data sets with
    folds, several metrics are also compared at once, by a multivariate analysis of
    variance. If a margin is planned (``Plan.margin``), each pair is also tested for
    equivalence, or each algorithm for non-inferiority to the control.

    If the scores have groups (domains) of data sets, each group has all of this by
    itself, and the plan states whether its pairs are adjusted with those of the other
    groups and metrics (``Plan.family``).

    Parameters
    ----------
    scores : Scores, Predictions, a table, or results of cross_validate
        Scores: complete, or read with ``missing="model"``: then Skillings-Mack replaces
        Friedman and what needs complete blocks is left out, and the analysis of
        variance is that of the general linear model.
        Predictions are measured first, in the plan's metrics (names of measures) and at
        its thresholds. At one threshold the analyses are those above. At several, over
        folds of one data set or more: MANOVA and T2 tests of pairs at each threshold,
        who wins by lower risk, wins over thresholds and sign tests over data sets.
        A table (DataFrame of pandas, polars or pyarrow, list of dict, dict of columns)
        is read as the arguments below say. Results of scikit-learn's ``cross_validate``
        by algorithm, or by data set and algorithm, are read by
        ``Scores.from_cross_validate``.
    plan : Plan or PlanFile, optional
        Default: all pairs, alpha 0.05. Over data sets signed rank tests decide, with
        the adjustment that the size of the table asks for; over folds corrected t tests
        if the plan has the sizes of the sets. With a plan file (``pc.read_plan``) its
        text and hash go into the report.
    algorithm, block, dataset, replicate, group, cluster, judge, stratum : str, optional
        Of a table with one row per score: its columns, as in ``Scores.from_frame``;
        ``algorithm`` and ``block`` are required. For results of cross_validate
        ``dataset`` is the data set's name.
    algorithms : sequence of str, optional
        Of a table with one column per algorithm: these columns, as in
        ``Scores.from_wide``; required. ``block`` may be the index.
    metric, better : str, optional
        The metric, and whether ``"higher"`` or ``"lower"`` is better: required of
        a table or results, or ``metrics``.
    metrics : mapping of str to {"higher", "lower"}, optional
        Several metrics, instead of ``metric`` and ``better``.
    missing, worst, percent, number, metric_column, value, truth, one_is, na, \
leave_out, confirmed
        As in ``Scores.from_frame``.
    transpose
        As in ``Scores.from_wide``.
    workers : int, optional
        Processes that work on metrics, groups and data sets. Default: as
        ``joblib.parallel_config`` is set, or 1.
    scheduler : str or dask client, optional
        Address of a dask.distributed scheduler, its file, or ``env``
        (DASK_SCHEDULER_ADDRESS). Its workers need the same pycompare.
    progress : callable, optional
        Called with the name of each step before it begins.

    Returns
    -------
    Comparison
        Bit for bit the same for any number of workers.
        Per metric the omnibus test, pairs with raw and adjusted p-values, effect sizes
        and decisions. Each decision is ``p_adjusted <= alpha``. The pairwise tests
        do not wait for the omnibus test, unless the plan states this
        (``gate="omnibus"``).

    Raises
    ------
    PlanError
        If the plan does not fit the scores: everything that does not, before anything
        is computed.
    InputError
        If the call does not define the columns of a table or which direction is
        better, with the call to write; if a table cannot be read; or if a measure of
        predictions is 0/0 somewhere and nothing is planned for that.
    DesignError
        If a test that makes the verdict cannot be made of these scores.

    Examples
    --------
    >>> import pycompare as pc
    >>> comparison = pc.compare(pc.example(), pc.Plan(blocks="datasets"))
    >>> comparison.plan.compares, comparison.plan.adjust[0]
    ('typical-difference', 'holm')
    >>> comparison.analyses[0].planned.cliques
    (('C4.5', 'NaiveBayes'), ('NaiveBayes', '1-NN'), ('CN2', '1-NN'))

    A table needs the roles of its columns:

    >>> table = {"svm": [0.9, 0.8, 0.7], "knn": [0.6, 0.7, 0.5]}
    >>> pc.compare(table)
    Traceback (most recent call last):
    pycompare.base.errors.InputError: the call does not state which columns are \
algorithms and which direction of the scores is better, and that is never guessed. \
Check and write: pc.compare(frame, algorithms=['svm', 'knn'], metric='score', \
better='higher|lower')
    >>> accuracies = pc.compare(
    ...     table, algorithms=["svm", "knn"], metric="accuracy", better="higher"
    ... )
    >>> accuracies.scores.algorithms
    ('svm', 'knn')

    The result has what comes next, by the same choices:

    >>> list(comparison.pairs.columns[:4])
    ['metric', 'group', 'algorithm_1', 'algorithm_2']
    >>> int(comparison.pairs["significant"].sum())
    7
    """
    checked_already = isinstance(scores, Scores | Predictions)
    roles = CallRoles(
        columns=RoleColumns(
            algorithm=algorithm,
            block=block,
            dataset=dataset,
            replicate=replicate,
            group=group,
            cluster=cluster,
            judge=judge,
            stratum=stratum,
        ),
        algorithms=algorithms,
        metric=metric,
        better=better,
        metrics=metrics,
        missing=missing,
        percent=percent,
        worst=of_failures(
            missing,
            worst,
            ranked=isinstance(plan, Plan) and plan.ranks_failures,
        ),
        transpose=transpose,
        number=number,
        metric_column=metric_column,
        value=value,
        truth=truth,
        one_is=one_is,
        range=plan.range if isinstance(plan, Plan) and not checked_already else None,
        na=na,
        leave_out=leave_out,
        confirmed=confirmed,
    )
    read = roles.read(scores, plan)
    given = Plan() if plan is None else plan
    asked = given.plan if isinstance(given, PlanFile) else given
    analyse = analyses.analyse_blinded if asked.blind else analyses.analyse
    with working(workers, scheduler):
        return Comparison(**vars(analyse(read, given, progress=progress)))
