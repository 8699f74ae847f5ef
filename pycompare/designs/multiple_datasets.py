"""Over data sets: typical differences, means and ranks; with folds each separately."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pycompare.base.made_rows import MadeRows
from pycompare.base.tables import Columns, LabelColumn
from pycompare.base.typing import Floats, Ints
from pycompare.data.scores import Scores
from pycompare.designs.analysis import (
    Analysis,
    ComparedPairs,
    Titled,
    adjusted_source,
    decided_by_source,
)
from pycompare.designs.decisions import (
    Decisions,
    Disagreement,
    decisions,
    disagreements,
    unable,
)
from pycompare.designs.draft import Draft
from pycompare.designs.flips import by_flips
from pycompare.designs.one_pair import OnePair, one_pairs
from pycompare.designs.pair_methods import FLIPS
from pycompare.designs.pair_methods import MEANS as OF_MEANS
from pycompare.designs.planned_pairs import (
    Decided,
    PlannedPairs,
    after_gate,
    decisive_of,
    gate_of,
)
from pycompare.designs.plans.fields import Compares
from pycompare.designs.plans.plan import Plan
from pycompare.designs.quantity import (
    MEANS,
    MODEL,
    QUANTITIES,
    RANKS,
    TYPICAL_DIFFERENCE,
    WINS,
    Quantity,
)
from pycompare.designs.rank_tests import (
    ALONE,
    MEAN_RANKS,
    RankAnalysis,
    draft_ranks,
)
from pycompare.designs.two_algorithms import signed_rank
from pycompare.kernels.signed_rank import MOST
from pycompare.methods.orders.cliques import listed_cliques, listed_letters
from pycompare.methods.over_datasets.dataset_tables import (
    dataset_means,
    named,
    on_each_dataset,
)
from pycompare.methods.over_datasets.sign_grid import sign_grid
from pycompare.methods.pairs.common import MANY, PairedTest, column_of
from pycompare.methods.pairs.corrected_pairs import corrected_pairs
from pycompare.methods.pairs.paired_t_pairs import paired_t_pairs
from pycompare.methods.pairs.signed_rank_pairs import (
    joint_signed_ranks,
    signed_rank_tests,
)
from pycompare.methods.pairs.ttest import paired_t
from pycompare.results.pair_rows import sides
from pycompare.results.result import (
    NumberSource,
    PairsResult,
    Test,
    plain,
    plain_list,
    rows_of,
)

# Analyses of folds load what data sets without folds do without.
if TYPE_CHECKING:
    import pandas as pd

    from pycompare.methods.linear.anova import AnovaResult
    from pycompare.methods.linear.dataset_interaction import DatasetInteraction
    from pycompare.methods.linear.fit import AnovaFit
    from pycompare.methods.over_datasets.wins import WinsResult


@dataclass(frozen=True, kw_only=True, eq=False)
class OverDatasets(ComparedPairs):
    """One way to compare the algorithms over data sets; see ``ComparedPairs``.

    Attributes
    ----------
    key : {"typical-difference", "ranks", "wins", "means", "model"}
        As in ``Plan.compares``.
    test : Test or None
        Of all algorithms together, or of the two; typical differences and sign tests
        have none for several.
    """

    kind = "over data sets"
    key: Compares
    test: Test | None

    @property
    def quantity(self) -> Quantity:
        """Quantity in which the pairs are compared."""
        return QUANTITIES[self.key]

    @property
    def in_unit(self) -> bool:
        """Whether differences are in the metric's own unit and direction."""
        return self.quantity.in_unit or isinstance(self.decisive, OnePair)


@dataclass(frozen=True, kw_only=True, eq=False)
class OnDataset(ComparedPairs):
    """The folds of one data set separately; see ``ComparedPairs``.

    Attributes
    ----------
    dataset : str
    n_folds : int
    pairs : tuple of PairsResult
        The first decides: corrected resampled t tests if the sizes of the data
        set's training and test sets are planned, with what assumes independent folds
        beside them; Tukey's comparisons, or Dunnett's with the control.
    omnibus : AnovaResult
        Blocked by folds.
    letters : Series of str or None
        Algorithms that share a letter do not differ on this data set; None with a
        control, and if more than 100,000 cliques would need one.
    sizes : dict of str to float, or None
        ``n_train``, ``n_test`` and ``overlap`` (the factor of n_test/n_train in the
        variance) of the data set.
    """

    kind = "means"
    dataset: str
    n_folds: int
    omnibus: AnovaResult
    letters: pd.Series | None
    sizes: dict[str, float] | None

    @property
    def in_unit(self) -> bool:
        """Whether differences are in the metric's own unit and direction: yes."""
        return True

    @property
    def means(self) -> pd.Series:
        """Means of the algorithms in the metric's own unit."""
        return self.omnibus.means


@dataclass(frozen=True, kw_only=True, eq=False)
class DatasetsAnalysis(Analysis):
    """Everything about one metric over several data sets; see ``Analysis``.

    Attributes
    ----------
    each : tuple of OnDataset
        Empty if data sets have no folds.
    wins : WinsResult or None
        Of every pair on every data set, from the same tests; None without folds.
    over : tuple of OverDatasets
        Typical differences, ranks and means, which need no folds, sign tests of wins
        and one model: the comparisons over data sets. There are no means if cells
        are missing, or if ratios are compared.
    compares : {"typical-difference", "ranks", "wins", "means", "model"}
        Which of them decides, as planned.
    disagree : dict of str to sequence of Disagreement
        For each other one the pairs on which it decides otherwise.
    ranks : RankAnalysis or None
        The whole rank analysis of the data sets' means; None for two algorithms, and
        if data sets are in clusters.
    two : tuple of PairedTest
        Two algorithms: Wilcoxon's and the t test of the data sets' means. Empty if
        data sets are in clusters: these have typical differences and nothing else.
    interaction : DatasetInteraction or None
        Whether differences change from data set to data set; None without the sizes of
        training and test sets. ``over`` has no model of all folds then, and nothing is
        decided on a data set: wins are counts for the sign tests.
    """

    kind = "data sets"
    of_pairs = True
    each: tuple[OnDataset, ...]
    wins: WinsResult | None
    over: tuple[OverDatasets, ...]
    compares: Compares
    disagree: dict[str, Sequence[Disagreement]]
    ranks: RankAnalysis | None
    two: tuple[PairedTest, ...]
    interaction: DatasetInteraction | None

    def by(self, key: str) -> OverDatasets:
        """Return one of the comparisons over data sets."""
        return next(comparison for comparison in self.over if comparison.key == key)

    @property
    def planned(self) -> OverDatasets:
        """The comparison of the primary analysis."""
        return next(over for over in self.over if over.decisive is self.decisive)

    def agreement(self) -> pd.DataFrame:
        """Return the statements of each comparison about each pair, as a frame."""
        return self.agreement_columns().pandas()

    def agreement_columns(self) -> Columns:
        """Return one row per pair: the statements of each comparison about it.

        Columns ``algorithm_1 algorithm_2``, and for each comparison ``p_adjusted_KEY``
        and ``better_KEY``: the algorithm in favour of which it rejects, else empty.
        KEY is ``typical_difference``, ``ranks``, ``means``, ``wins`` or ``model``.
        """
        return self._agreement

    @cached_property
    def _agreement(self) -> Columns:
        """The table of `agreement_columns`: results.json and files ask for it."""
        rows = Decisions.of(self.decisions).rows
        columns: dict[str, Any] = {
            "algorithm_1": LabelColumn(rows.names, rows.first),
            "algorithm_2": LabelColumn(rows.names, rows.second),
        }
        names = ("", *rows.names)
        for comparison in self.over:
            other = Decisions.of(comparison.decisions)
            at, _ = other.rows.located(rows)
            better = np.where(sides(other.winners, rows) > 0, rows.first, rows.second)
            codes = np.where(other.rejected[at], 1 + better, 0)
            stem = QUANTITIES[comparison.key].stem
            columns[f"p_adjusted_{stem}"] = column_of(
                len(at), partial(_p_of, other, at)
            )
            smallest = np.min_scalar_type(len(names))
            columns[f"better_{stem}"] = LabelColumn(names, codes.astype(smallest))
        return Columns(columns)

    def results(self) -> tuple[Titled, ...]:
        """Return title and result of everything computed, in the report's order."""
        return tuple(self.titled())

    def titled(self) -> Iterator[Titled]:
        """Yield title and result of everything computed."""
        with_folds = self.wins is not None
        if self.ranks is not None:
            ranked = "Ranks of data-set means" if with_folds else "Mean ranks"
            for title, result in self.ranks.results():
                yield f"{ranked}: {title}", result
        for test in self.two:
            yield f"Data-set means: {test.name}", test
        if not self.two:
            for comparison in self.over:
                is_typical = comparison.quantity == TYPICAL_DIFFERENCE
                for pairs in comparison.pairs if is_typical else ():
                    yield f"{pairs.method}, adjusted: {pairs.adjust}", pairs
        if self.wins is not None:
            if self.wins.r_call() is None:
                # What is no call of R as a whole is one of each data set.
                for on in self.each:
                    yield f"Data set {on.dataset}: {on.decisive.method}", on.decisive
            yield "Wins over data sets", self.wins
            for pairs in self.by(WINS.name).pairs:
                yield f"Sign tests of wins, adjusted: {pairs.adjust}", pairs
        means = "Data-set means" if with_folds else "Mean differences"
        for comparison in self.over:
            if comparison.quantity.of_means and self.ranks is not None:
                title = "All folds" if comparison.quantity == MODEL else means
                if comparison.test is None:
                    for pairs in comparison.pairs:
                        yield (
                            f"{title}: {pairs.method}, adjusted: {pairs.adjust}",
                            pairs,
                        )
                    continue
                from pycompare.designs.blocked_anova import title_of

                yield f"{title}: analysis of variance", comparison.test
                for pairs in comparison.pairs:
                    yield f"{title}: {title_of(pairs)}", pairs
        if self.interaction is not None:
            yield "Interaction of algorithm and data set", self.interaction

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values that JSON can hold, at full precision."""
        own = {
            f"p_adjusted_{comparison.quantity.stem}": source
            for comparison in self.over
            if (source := decided_by_source(comparison.pairs[0]).get("p_adjusted"))
        }
        agreement = plain(self.agreement_columns())
        rows = rows_of(agreement, ("algorithm_1", "algorithm_2"), own)
        return Analysis.to_dict(self) | {"agreement": rows}

    def plain_field(self, name: str) -> Any:
        """Return a field; parts are analyses too."""
        if name in ("each", "over"):
            return plain_list(getattr(self, name), lambda part: part.to_dict())
        if name == "disagree":
            return {key: self._disagreements(key) for key in self.disagree}
        wins = self.wins
        if name == "wins" and wins is not None and self.each and not wins.r_call():
            return self._told_wins(wins)
        return super().plain_field(name)

    def _told_wins(self, wins: WinsResult) -> Any:
        """Return the wins; their decisions repeat the tests of each data set."""
        told = plain(wins)
        turned = wins.by_position and self.metric.better == "higher"
        means = "minus means" if turned else "means"
        of_dataset = {on_dataset.dataset: on_dataset for on_dataset in self.each}
        place = {name: k for k, name in enumerate(wins.algorithms, start=1)}

        def of_row(_: int, row: Mapping[str, Any]) -> dict[str, NumberSource]:
            tested = of_dataset[row["dataset"]]
            pairs, omnibus = tested.pairs[0], tested.omnibus
            sources = {
                "p_value": NumberSource(pairs, "p_value"),
                "p_pairs": NumberSource(pairs, "p_adjusted"),
                "p_adjusted": adjusted_source(pairs),
            }
            return sources | {
                f"value_{end}": NumberSource(
                    omnibus, means, at=place[row[f"algorithm_{end}"]]
                )
                for end in (1, 2)
            }

        decisions = told["decisions"]
        labels = ("algorithm_1", "algorithm_2")
        told["decisions"] = rows_of(decisions, labels, of_row)
        return told

    def _disagreements(self, key: str) -> Any:
        """Return the pairs on which one comparison differs, with whose numbers."""
        other = decided_by_source(self.by(key).decisive)
        own = {
            f"{end}_{name}": source
            for end, sources in (("planned", self.decision_sources()), ("other", other))
            for name, source in sources.items()
        }
        apart = self.disagree[key]

        def row(at: int) -> dict[str, Any]:
            planned, other = apart[at].planned, apart[at].other
            return {
                "algorithm_1": planned.better,
                "algorithm_2": planned.worse,
                "planned_p_value": planned.p_value,
                "planned_p_adjusted": planned.p_adjusted,
                "other_better": other.better,
                "other_p_value": other.p_value,
                "other_p_adjusted": other.p_adjusted,
            }

        rows = MadeRows(len(apart), row)
        return rows_of(plain(rows), ("algorithm_1", "algorithm_2"), own)


def draft_datasets(scores: Scores, plan: Plan, metric: str) -> Draft:
    """Return everything about one metric over data sets, with folds or without."""
    metric_scores = scores.only(metric)
    with_folds = plan.design.nested
    means = dataset_means(metric_scores) if with_folds else metric_scores
    tested = on_each_dataset(_tests_on, plan, metric_scores) if with_folds else []
    found_wins = _wins(metric_scores, tested, plan) if with_folds else None
    several = scores.n_algorithms > 2
    ranks = (
        draft_ranks(
            means,
            _plan_of(plan, RANKS, many=_are_many(means, plan)).for_size(
                means.n_blocks, means.n_algorithms, complete=means.complete
            ),
            metric,
            one_unit=not plan.as_ratios,
        )
        if several
        else None
    )
    two = () if several else _two_tests(means, plan)
    ways: dict[Quantity, _Way] = {}
    if not several:
        ways[TYPICAL_DIFFERENCE] = _over_two(TYPICAL_DIFFERENCE, two[0], plan)
    elif means.n_blocks <= MOST:  # a plan that compares them has no more
        ways[TYPICAL_DIFFERENCE] = _over_typical_differences(means, plan)
    if found_wins is not None:
        ways[WINS] = _over_signs(found_wins, plan, metric_scores)
    if plan.as_ratios:  # differences have no common unit
        pass
    elif not several:
        ways[MEANS] = _over_two(MEANS, two[1], plan)
    elif with_folds or plan.quantity == MEANS:
        ways[MEANS] = _over_means(MEANS, means, plan)
    else:  # a sensitivity analysis needs no model of all algorithms
        ways[MEANS] = _by_t_tests(means, plan)
    if with_folds and plan.tests_within and not plan.as_ratios:
        ways[MODEL] = _over_means(MODEL, metric_scores, plan)
    by_quantity = {quantity: way.planned for quantity, way in ways.items()}
    if ranks is not None:
        by_quantity[RANKS] = ranks.planned[MEAN_RANKS]
    order = dict.fromkeys((plan.quantity, *QUANTITIES.values()))
    planned = {q.name: by_quantity[q] for q in order if q in by_quantity}
    if ranks is not None:
        planned |= {ALONE: ranks.planned[ALONE]} if ALONE in ranks.planned else {}
    compares = plan.compares
    assert compares is not None  # settled
    interaction = _interaction(metric_scores, plan) if with_folds else None
    each = tuple(named(on.dataset, partial(_on_dataset, on, plan)) for on in tested)

    def decide(decided: Decided) -> DatasetsAnalysis:
        ranked: Any = ranks and ranks.decided(
            {**decided, MEAN_RANKS: decided[RANKS.name]}
        )
        over = tuple(
            _over_ranks(ranked)
            if quantity == RANKS and ranked is not None
            else _compared(quantity, ways[quantity], decided[name], plan, metric_scores)
            for name, quantity in QUANTITIES.items()
            if quantity in by_quantity
        )
        return DatasetsAnalysis(
            metric=metric_scores.metrics[0],
            each=each,
            wins=found_wins,
            compares=compares,
            ranks=ranked,
            two=two,
            interaction=interaction,
            **_decided_by(over, decisive_of(decided), plan.alpha),
        )

    return Draft(planned, decide)


def _interaction(scores: Scores, plan: Plan) -> DatasetInteraction | None:
    """Test whether differences change between data sets, if sizes are known."""
    if not plan.tests_within:
        return None
    from pycompare.methods.linear.dataset_interaction import dataset_interaction

    return dataset_interaction(scores, **_fold_sizes(scores, plan))


def _p_of(decided: Decisions, at: Ints, rows: Ints) -> Floats:
    """Return the adjusted p-values of some pairs, whose places are ``at``."""
    return decided.p_adjusted_of(at[rows])


@dataclass(frozen=True)
class _Way:
    """One way to compare over data sets, before its family."""

    test: Test | None
    planned: tuple[PlannedPairs, ...]


def _decided_by(
    over: tuple[OverDatasets, ...], decisive: PairsResult, alpha: float
) -> dict[str, Any]:
    """Return what follows from the comparisons over data sets."""
    planned = next(comparison for comparison in over if comparison.decisive is decisive)
    return {
        "decisions": planned.decisions,
        "over": over,
        "disagree": {
            comparison.key: _disagreements(planned, comparison, alpha)
            for comparison in over
            if comparison is not planned
        },
    }


def _disagreements(
    planned: OverDatasets, other: OverDatasets, alpha: float
) -> Sequence[Disagreement]:
    """Return on which pairs a comparison differs that could reject them at all."""
    hopeless = unable(other.decisive, alpha)
    return disagreements(planned.decisions, other.decisions, hopeless)


_FOR_MANY = ("holm", "bonferroni")
"""Adjustments of a sensitivity analysis of very many pairs: others take minutes."""


def _are_many(scores: Scores, plan: Plan) -> bool:
    """Return whether mean ranks of very many pairs are a sensitivity analysis."""
    pairs = scores.n_algorithms * (scores.n_algorithms - 1) // 2
    return pairs > MANY and plan.control is None and plan.quantity != RANKS


def _plan_of(plan: Plan, quantity: Quantity, *, many: bool = False) -> Plan:
    """Return the plan of one comparison over data sets; ``many``: of very many pairs.

    The primary analysis has the plan's methods, the others their own
    defaults.
    """
    planned = plan.quantity == quantity
    common: dict[str, Any] = {
        "alpha": plan.alpha,
        "control": plan.control,
        "adjust": plan.adjust if planned else _FOR_MANY * many,
        "omnibus": plan.omnibus if planned else None,
        "family": plan.family,
    }
    if quantity == TYPICAL_DIFFERENCE:  # no test of all, no level of its own
        own = Plan(
            blocks="datasets",
            compares="typical-difference",
            decimals=plan.decimals,
            assumes=plan.assumes,
            scale=plan.scale,
            **common,
        )
        return own.of_tables(plan.n_tables)
    common |= {"level": plan.level, "gate": plan.gate}
    if quantity == RANKS:
        more: dict[str, Any] = {
            "p_values": plan.p_values,
            "std_error": plan.std_error,
            "decimals": plan.decimals,
        }
        monotone = plan.monotone and planned
        common |= more
        own = Plan(blocks="datasets", compares="ranks", monotone=monotone, **common)
        if own.seed is not None and plan.seed is not None:  # its methods draw
            own = replace(own, seed=plan.seed)
    else:
        word: Any = quantity.name
        own = Plan(blocks="folds-of-datasets", compares=word, seed=plan.seed, **common)
    return own.of_tables(plan.n_tables)


def _methods(plan: Plan, own: Plan, scores: Scores) -> tuple[str, ...]:
    """Return the methods of one comparison; one is enough for one pair."""
    if own.quantity != plan.quantity:  # whose methods fit the size already
        size = scores.n_blocks, scores.n_algorithms
        own = own.for_size(*size, complete=scores.complete)
    names = own.adjust
    several = scores.n_algorithms > 2 or plan.family == "all"
    return names if several else names[:1]


def _over_ranks(ranks: RankAnalysis) -> OverDatasets:
    """Return the comparison of mean ranks."""
    return OverDatasets(
        metric=ranks.metric,
        decisions=ranks.decisions,
        pairs=ranks.pairs,
        cliques=ranks.cliques,
        key="ranks",
        test=ranks.omnibus,
        compared={RANKS.name: ranks.pairs},
    )


def _over_typical_differences(means: Scores, plan: Plan) -> _Way:
    """Return the signed rank tests of each pair's typical difference."""
    own = _plan_of(plan, TYPICAL_DIFFERENCE)
    tests = signed_rank_tests(
        means,
        control=own.control,
        alpha=own.alpha,
        decimals=own.decimals,
        assumes=own.assumes,
        scale=own.scale or "difference",
    )

    def planned_by(name: str) -> PlannedPairs:
        if name not in FLIPS:
            return PlannedPairs(tests, name)
        joint = joint_signed_ranks(
            means,
            name,
            control=own.control,
            alpha=own.alpha,
            decimals=own.decimals,
            scale=own.scale or "difference",
            seed=plan.seed or 0,
        )
        return PlannedPairs(joint, name)

    names = _methods(plan, own, means)
    return _Way(None, tuple(map(planned_by, names)))


def _over_signs(wins: WinsResult, plan: Plan, scores: Scores) -> _Way:
    """Return the exact sign tests of wins."""
    tests = sign_grid(wins, adjust="none", control=plan.control, level=plan.pair_level)
    names = _methods(plan, _plan_of(plan, WINS), scores)
    return _Way(None, tuple(PlannedPairs(tests, name) for name in names))


def _over_means(quantity: Quantity, scores: Scores, plan: Plan) -> _Way:
    """Return the analysis of variance of blocks that are data sets, or all folds."""
    from pycompare.designs.blocked_anova import planned_test
    from pycompare.methods.linear.anova import anova

    own = _plan_of(plan, quantity)
    sizes = _fold_sizes(scores, plan) if quantity == MODEL else {}
    test = planned_test(anova(scores, level=plan.confidence, **sizes), own)
    names = _methods(plan, own, scores)
    by_method = _mean_pairs(scores, own, names, test.fit, gate_of(test, plan))
    return _Way(test, by_method)


def _by_t_tests(scores: Scores, plan: Plan) -> _Way:
    """Return the paired t tests of mean differences by the default adjustment."""
    own = _plan_of(plan, MEANS)
    tests = paired_t_pairs(scores, adjust="none", control=own.control, alpha=own.alpha)
    names = _methods(plan, own, scores)
    if plan.family != "all":
        names = names[:1]
    return _Way(None, tuple(PlannedPairs(tests, name) for name in names))


def _mean_pairs(
    scores: Scores, own: Plan, names: tuple[str, ...], fit: AnovaFit, gate: Test | None
) -> tuple[PlannedPairs, ...]:
    """Compare pairs of means: of data sets with each pair's own variance.

    One error for all pairs if the method rests on it, and in one model of all folds.
    """
    from pycompare.designs.blocked_anova import post_hoc

    [metric] = scores.metrics

    @cache
    def t_tests() -> PairsResult:
        return paired_t_pairs(
            scores, adjust="none", control=own.control, alpha=own.alpha
        )

    def planned_by(name: str) -> PlannedPairs:
        if name in FLIPS:
            flipped = by_flips(scores, own, metric.name, name, "scores")
            return PlannedPairs(flipped, name, gate=gate)
        return pooled.get(name) or PlannedPairs(t_tests(), name, gate=gate)

    one_error = [
        name
        for name in names
        if name not in FLIPS and (own.quantity == MODEL or name in OF_MEANS)
    ]
    pooled = dict(zip(one_error, post_hoc(fit, own, one_error, gate), strict=True))
    return tuple(map(planned_by, names))


def _fold_sizes(scores: Scores, plan: Plan) -> dict[str, Any]:
    """Return the sizes of each data set's training and test sets; none unplanned."""
    each = {name: plan.sizes(name) for name in dict.fromkeys(scores.datasets or ())}
    known = {name: sizes for name, sizes in each.items() if sizes is not None}
    if len(known) < len(each):
        return {}
    return {
        size: {name: sizes[size] for name, sizes in known.items()}
        for size in ("n_train", "n_test")
    }


def _over_two(quantity: Quantity, test: PairedTest, plan: Plan) -> _Way:
    """Return one test of two algorithms as a comparison over data sets."""
    return _Way(test, one_pairs(test, _plan_of(plan, quantity)))


def _compared(
    quantity: Quantity,
    way: _Way,
    pairs: tuple[Any, ...],
    plan: Plan,
    scores: Scores,
) -> OverDatasets:
    """Return a comparison with its decisions."""
    key: Any = quantity.name
    return OverDatasets(
        metric=scores.metrics[0],
        key=key,
        test=way.test,
        compared={quantity.name: pairs},
        pairs=pairs,
        decisions=decisions(pairs[0], plan.alpha),
        cliques=() if plan.control else listed_cliques(pairs[0], alpha=plan.alpha),
    )


def _two_tests(means: Scores, plan: Plan) -> tuple[PairedTest, ...]:
    """Return Wilcoxon's and the paired t test of two algorithms' data-set means.

    Differences of scores without a common unit have no t test.
    """
    options: dict[str, Any] = {
        "metric": means.metrics[0].name,
        "algorithms": means.algorithms,
    }
    ranked = signed_rank(means, plan, options)
    if plan.as_ratios:
        return (ranked,)
    return ranked, paired_t(means, level=plan.pair_level, **options)


@dataclass(frozen=True)
class _DatasetTests:
    """The tests of one data set, before any gate."""

    dataset: str
    part: Scores
    omnibus: AnovaResult
    pairs: tuple[PairsResult, ...]


def _tests_on(plan: Plan, dataset: str, part: Scores) -> _DatasetTests:
    """Test the algorithms on one data set."""
    from pycompare.methods.linear.anova import anova

    omnibus = anova(part, level=plan.confidence)
    return _DatasetTests(
        dataset, part, omnibus, _pairs_on(dataset, part, plan, omnibus.fit)
    )


def _wins(scores: Scores, tested: Sequence[_DatasetTests], plan: Plan) -> WinsResult:
    """Count wins by the tests that decide on each data set."""
    from pycompare.methods.over_datasets.wins import WinsPlan, wins_of

    several = scores.n_algorithms > 2  # of two algorithms Tukey's is the paired t test
    method = _pairs_on if plan.corrects else "tukey"
    omnibus = plan.gate == "omnibus" and several
    return wins_of(
        scores,
        [(on.part, on.pairs[0], on.omnibus.p_value) for on in tested],
        WinsPlan(method, None, omnibus, plan.alpha, plan.control),
    )


def _pairs_on(
    dataset: str, part: Scores, plan: Plan, fit: AnovaFit
) -> tuple[PairsResult, ...]:
    """Compare the algorithms on one data set; the first result decides."""
    from pycompare.methods.linear.dunnett import dunnett_of
    from pycompare.methods.linear.pairs import contrasts_of
    from pycompare.methods.linear.tukey import tukey_of

    level, control = 1 - plan.alpha, plan.control
    independent = (
        tukey_of(contrasts_of(fit), level)
        if control is None
        else dunnett_of(contrasts_of(fit, control), level)
    )
    sizes: dict[str, Any] = plan.correction(part.n_blocks, dataset)
    if not sizes:
        return (independent,)
    corrected = corrected_pairs(
        part,
        **sizes,
        adjust=plan.t_method(part.n_algorithms),
        control=control,
        alpha=plan.alpha,
    )
    return corrected, independent


def _on_dataset(on: _DatasetTests, plan: Plan) -> OnDataset:
    """Return the analysis of the folds of one data set."""
    [metric] = on.part.metrics
    pairs = tuple(after_gate(table, on.omnibus, plan) for table in on.pairs)
    claims = plan.tests_within
    all_pairs = plan.control is None and claims
    return OnDataset(
        metric=metric,
        decisions=decisions(pairs[0], plan.alpha) if claims else (),
        pairs=pairs,
        compared={"means": pairs},
        cliques=listed_cliques(pairs[0], alpha=plan.alpha) if all_pairs else (),
        dataset=on.dataset,
        n_folds=on.part.n_blocks,
        omnibus=on.omnibus,
        letters=listed_letters(pairs[0], alpha=plan.alpha) if all_pairs else None,
        sizes=plan.correction(on.part.n_blocks, on.dataset) or None,
    )
