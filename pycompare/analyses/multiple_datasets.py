"""Folds of several data sets: each by itself, then four ways to compare over them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import pandas as pd

from pycompare.analyses.analysis import (
    Analysis,
    ComparedPairs,
    Titled,
    decided_by_source,
)
from pycompare.analyses.blocked_anova import planned_test, post_hoc, title_of
from pycompare.analyses.decisions import (
    Disagreement,
    decisions,
    disagreements,
    unable,
)
from pycompare.analyses.draft import Draft
from pycompare.analyses.flips import by_flips
from pycompare.analyses.one_pair import OnePair, one_pairs
from pycompare.analyses.planned_pairs import Decided, PlannedPairs, after_gate, gate_of
from pycompare.analyses.rank_tests import ALONE, RANKS, RankAnalysis, draft_ranks
from pycompare.analyses.two_algorithms import signed_rank
from pycompare.data.scores import Scores
from pycompare.linear.anova import AnovaResult, anova
from pycompare.linear.dataset_interaction import (
    DatasetInteraction,
    dataset_interaction,
)
from pycompare.linear.dunnett import dunnett_of
from pycompare.linear.fit import Fit
from pycompare.linear.pairs import contrasts_of
from pycompare.linear.tukey import tukey_of
from pycompare.orders.cliques import cliques
from pycompare.orders.letters import letters
from pycompare.over_datasets.dataset_tables import dataset_means, each_dataset, named
from pycompare.over_datasets.sign_grid import sign_grid
from pycompare.over_datasets.wins import Asked, WinsResult, wins_of
from pycompare.pairs.common import PairedTest
from pycompare.pairs.corrected_pairs import corrected_pairs
from pycompare.pairs.paired_t_pairs import paired_t_pairs
from pycompare.pairs.ttest import paired_t
from pycompare.plans.fields import Verdict
from pycompare.plans.plan import Plan
from pycompare.plans.post_hoc import FLIPS, MEANS, draws
from pycompare.results import PairsResult, Test, plain, plain_list, rows_of

KEYS: tuple[Verdict, ...] = ("ranks", "sign", "means", "model")


@dataclass(frozen=True, kw_only=True, eq=False)
class OverDatasets(ComparedPairs):
    """One way to compare the algorithms over data sets; see ``ComparedPairs``.

    Attributes
    ----------
    key : {"ranks", "sign", "means", "model"}
        As in ``Plan.verdict``.
    test : Test or None
        Of all algorithms together, or of the two; sign tests have none for several.
    """

    kind = "over data sets"
    key: Verdict
    test: Test | None

    @property
    def in_unit(self) -> bool:
        """Whether differences are in the metric's own unit and direction."""
        return self.key in ("means", "model") or isinstance(self.decisive, OnePair)


@dataclass(frozen=True, kw_only=True, eq=False)
class OnDataset(ComparedPairs):
    """The folds of one data set by themselves; see ``ComparedPairs``.

    Attributes
    ----------
    dataset : str
    n_folds : int
    pairs : tuple of PairsResult
        The first decides: corrected resampled t tests where the sizes of the data
        set's training and test sets are planned, with what assumes independent folds
        beside them; Tukey's comparisons, or Dunnett's with the control.
    omnibus : AnovaResult
        Blocked by folds.
    letters : Series of str or None
        Algorithms that share a letter do not differ on this data set; None with a
        control.
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
    def means(self) -> pd.Series:
        """Means of the algorithms in the metric's own unit."""
        return self.omnibus.means


@dataclass(frozen=True, kw_only=True, eq=False)
class DatasetsAnalysis(Analysis):
    """Everything about one metric over several data sets; see ``Analysis``.

    Attributes
    ----------
    each : tuple of OnDataset
    wins : WinsResult
        Of every pair on every data set, from the same tests.
    over : tuple of OverDatasets
        Ranks, sign tests, means, one model: the comparisons over data sets.
    verdict : {"ranks", "sign", "means", "model"}
        Which of them decides, as planned.
    disagree : dict of str to tuple of Disagreement
        For each other one the pairs on which it decides otherwise.
    ranks : RankAnalysis or None
        The whole rank analysis of the data sets' means; None for two algorithms.
    two : tuple of PairedTest
        Two algorithms: Wilcoxon's and the t test of the data sets' means.
    interaction : DatasetInteraction or None
        Whether differences change from data set to data set; None without the sizes of
        training and test sets. ``over`` has no model of all folds then, and nothing is
        decided on a data set: wins are counts for the sign tests.
    """

    kind = "data sets"
    each: tuple[OnDataset, ...]
    wins: WinsResult
    over: tuple[OverDatasets, ...]
    verdict: Verdict
    disagree: dict[str, tuple[Disagreement, ...]]
    ranks: RankAnalysis | None
    two: tuple[PairedTest, ...]
    interaction: DatasetInteraction | None

    def by(self, key: str) -> OverDatasets:
        """Return one of the comparisons over data sets."""
        return next(found for found in self.over if found.key == key)

    @property
    def planned(self) -> OverDatasets:
        """The comparison of the primary analysis."""
        return self.by(self.verdict)

    def agreement(self) -> pd.DataFrame:
        """Return one row a pair: what each comparison says of it.

        Columns ``algorithm_1 algorithm_2``, and for each comparison ``p_adjusted_KEY``
        and ``better_KEY``: the algorithm in favour of which it rejects, else empty.
        """
        known = {
            found.key: {made.pair: made for made in found.decisions}
            for found in self.over
        }
        rows = []
        for planned in self.decisions:
            row: dict[str, Any] = {
                "algorithm_1": planned.better,
                "algorithm_2": planned.worse,
            }
            for key, made in known.items():
                other = made[planned.pair]
                row[f"p_adjusted_{key}"] = other.p_adjusted
                row[f"better_{key}"] = other.better if other.rejected else ""
            rows.append(row)
        return pd.DataFrame(rows)

    def results(self) -> tuple[Titled, ...]:
        """Return title and result of everything computed, in the report's order."""
        return tuple(self.titled())

    def titled(self) -> Iterator[Titled]:
        """Yield title and result of everything computed."""
        if self.ranks is not None:
            for title, result in self.ranks.results():
                yield f"Ranks of data-set means: {title}", result
        for test in self.two:
            yield f"Data-set means: {test.name}", test
        if self.wins.r_call() is None:
            # What is no call of R as a whole table of wins is one of each data set.
            for on in self.each:
                yield f"Data set {on.dataset}: {on.decisive.method}", on.decisive
        yield "Wins over data sets", self.wins
        for pairs in self.by("sign").pairs:
            yield f"Sign tests of wins, adjusted: {pairs.adjust}", pairs
        titles = {"means": "Data-set means", "model": "All folds"}
        for found in self.over:
            if found.key in titles and isinstance(found.test, AnovaResult):
                title = titles[found.key]
                yield f"{title}: analysis of variance", found.test
                for pairs in found.pairs:
                    yield f"{title}: {title_of(pairs)}", pairs
        if self.interaction is not None:
            yield "Interaction of algorithm and data set", self.interaction

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values that JSON can hold, at full precision."""
        own = {
            f"p_adjusted_{found.key}": source
            for found in self.over
            if (source := decided_by_source(found.pairs[0]).get("p_adjusted"))
        }
        rows = rows_of(plain(self.agreement()), ("algorithm_1", "algorithm_2"), own)
        return Analysis.to_dict(self) | {"agreement": rows}

    def plain_field(self, name: str) -> Any:
        """Return a field; parts are analyses too."""
        if name in ("each", "over"):
            return plain_list(getattr(self, name), lambda part: part.to_dict())
        return super().plain_field(name)


def draft_datasets(scores: Scores, plan: Plan, metric: str) -> Draft:
    """Return everything about one metric over folds of several data sets."""
    one = scores.only(metric)
    means = dataset_means(one)
    tested = [
        named(name, partial(_tests_on, name, part, plan))
        for name, part in each_dataset(one)
    ]
    found_wins = _wins(one, tested, plan)
    several = scores.n_algorithms > 2
    ranks = (
        draft_ranks(
            means,
            _plan_of(plan, "ranks").for_size(means.n_blocks, means.n_algorithms),
            metric,
        )
        if several
        else None
    )
    two = () if several else _two_tests(means, plan)
    ways = {
        "sign": _over_signs(found_wins, plan, one),
        "means": _over_means("means", means, plan)
        if several
        else _over_two("means", two[1], plan),
    }
    if plan.tests_within:
        ways["model"] = _over_means("model", one, plan)
    if not several:
        ways["ranks"] = _over_two("ranks", two[0], plan)
    key = plan.verdict
    assert key is not None  # settled
    planned: dict[str, tuple[PlannedPairs, ...]] = {
        name: way.planned for name, way in ways.items()
    }
    if ranks is not None:
        planned["ranks"] = ranks.planned[RANKS]
    order = (key, *(k for k in KEYS if k != key))
    planned = {name: planned[name] for name in order if name in planned}
    if ranks is not None:
        planned |= {ALONE: ranks.planned[ALONE]} if ALONE in ranks.planned else {}
    interaction = (
        dataset_interaction(one, **_fold_sizes(one, plan))
        if plan.tests_within
        else None
    )
    each = tuple(named(on.dataset, partial(_on_dataset, on, plan)) for on in tested)

    def decide(made: Decided) -> DatasetsAnalysis:
        ranked: Any = ranks and ranks.decided({**made, RANKS: made["ranks"]})
        over = tuple(
            _over_ranks(ranked)
            if name == "ranks" and ranked is not None
            else _compared(name, ways[name], made[name], plan, one)
            for name in KEYS
            if name in planned
        )
        return DatasetsAnalysis(
            metric=one.metrics[0],
            each=each,
            wins=found_wins,
            verdict=key,
            ranks=ranked,
            two=two,
            interaction=interaction,
            **_verdict(over, key, plan.alpha),
        )

    return Draft(planned, decide)


@dataclass(frozen=True)
class _Way:
    """One way to compare over data sets, before its family."""

    test: Test | None
    planned: tuple[PlannedPairs, ...]


def _verdict(
    over: tuple[OverDatasets, ...], key: Verdict, alpha: float
) -> dict[str, Any]:
    """Return what follows from the comparisons over data sets; ``key`` decides."""
    planned = next(found for found in over if found.key == key)
    return {
        "decisions": planned.decisions,
        "over": over,
        "disagree": {
            found.key: tuple(
                each
                for each in disagreements(planned.decisions, found.decisions)
                if each.planned.pair not in unable(found.decisive, alpha)
            )
            for found in over
            if found is not planned
        },
    }


def _plan_of(plan: Plan, key: Verdict) -> Plan:
    """Return the plan of one comparison over data sets.

    The primary analysis has the plan's methods, the others their own
    defaults.
    """
    planned = plan.verdict == key
    common: dict[str, Any] = {
        "alpha": plan.alpha,
        "control": plan.control,
        "level": plan.level,
        "gate": plan.gate,
        "adjust": plan.adjust if planned else (),
        "omnibus": plan.omnibus if planned else None,
        "family": plan.family,
    }
    if key == "ranks":
        more: dict[str, Any] = {
            "p_values": plan.p_values,
            "std_error": plan.std_error,
            "decimals": plan.decimals,
        }
        monotone = plan.monotone and planned
        drawn = any(map(draws, plan.adjust)) if planned else plan.family != "all"
        more["seed"] = plan.seed if drawn else None
        own = Plan(blocks="datasets", monotone=monotone, **common, **more)
    else:
        own = Plan(blocks="folds-of-datasets", verdict=key, seed=plan.seed, **common)
    return own.of_tables(plan.n_tables)


def _methods(plan: Plan, key: Verdict, scores: Scores) -> tuple[str, ...]:
    """Return the methods of one comparison; one is enough for one pair."""
    own = _plan_of(plan, key).for_size(scores.n_blocks, scores.n_algorithms)
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
        compared={"ranks": ranks.pairs},
    )


def _over_signs(found: WinsResult, plan: Plan, one: Scores) -> _Way:
    """Return the exact sign tests of wins."""
    tests = sign_grid(found, adjust="none", control=plan.control, level=plan.pair_level)
    names = _methods(plan, "sign", one)
    return _Way(None, tuple(PlannedPairs(tests, name) for name in names))


def _over_means(key: Verdict, scores: Scores, plan: Plan) -> _Way:
    """Return the analysis of variance of blocks that are data sets, or all folds."""
    own = _plan_of(plan, key)
    sizes = _fold_sizes(scores, plan) if key == "model" else {}
    test = planned_test(anova(scores, level=plan.confidence, **sizes), own)
    names = _methods(plan, key, scores)
    by_method = _mean_pairs(scores, own, names, test.fit, gate_of(test, plan))
    return _Way(test, by_method)


def _mean_pairs(
    scores: Scores, own: Plan, names: tuple[str, ...], fit: Fit, gate: Test | None
) -> tuple[PlannedPairs, ...]:
    """Compare pairs of means: of data sets with each pair's own variance.

    One error for all pairs where the method rests on it, and in one model of all folds.
    """
    [metric] = scores.metrics

    @cache
    def t_tests() -> PairsResult:
        return paired_t_pairs(
            scores, adjust="none", control=own.control, level=own.pair_level
        )

    def planned_by(name: str) -> PlannedPairs:
        if name in FLIPS:
            made = by_flips(scores, own, metric.name, name, "scores")
            return PlannedPairs(made, name, gate=gate)
        return pooled.get(name) or PlannedPairs(t_tests(), name, gate=gate)

    one_error = [
        name
        for name in names
        if name not in FLIPS and (own.verdict == "model" or name in MEANS)
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


def _over_two(key: Verdict, test: PairedTest, plan: Plan) -> _Way:
    """Return one test of two algorithms as a comparison over data sets."""
    return _Way(test, one_pairs(test, _plan_of(plan, key)))


def _compared(
    key: Verdict, way: _Way, pairs: tuple[Any, ...], plan: Plan, scores: Scores
) -> OverDatasets:
    """Return a comparison with its decisions."""
    return OverDatasets(
        metric=scores.metrics[0],
        key=key,
        test=way.test,
        compared={key: pairs},
        pairs=pairs,
        decisions=decisions(pairs[0], plan.alpha),
        cliques=() if plan.control else cliques(pairs[0], alpha=plan.alpha),
    )


def _two_tests(means: Scores, plan: Plan) -> tuple[PairedTest, ...]:
    """Return Wilcoxon's and the paired t test of two algorithms' data-set means."""
    options: dict[str, Any] = {
        "metric": means.metrics[0].name,
        "algorithms": means.algorithms,
    }
    return (
        signed_rank(means, plan, options),
        paired_t(means, level=plan.pair_level, **options),
    )


@dataclass(frozen=True)
class _Tests:
    """The tests of one data set, before any gate."""

    dataset: str
    part: Scores
    omnibus: AnovaResult
    pairs: tuple[PairsResult, ...]


def _tests_on(dataset: str, part: Scores, plan: Plan) -> _Tests:
    """Test the algorithms on one data set."""
    omnibus = anova(part, level=plan.confidence)
    return _Tests(dataset, part, omnibus, _pairs_on(dataset, part, plan, omnibus.fit))


def _wins(one: Scores, tested: Sequence[_Tests], plan: Plan) -> WinsResult:
    """Count wins by the tests that decide on each data set."""
    several = one.n_algorithms > 2  # of two algorithms Tukey's is the paired t test
    method = _pairs_on if plan.corrects else "tukey"
    omnibus = plan.gate == "omnibus" and several
    return wins_of(
        one,
        [(on.part, on.pairs[0], on.omnibus.p_value) for on in tested],
        Asked(method, None, omnibus, plan.alpha, plan.control),
    )


def _pairs_on(
    dataset: str, part: Scores, plan: Plan, fit: Fit
) -> tuple[PairsResult, ...]:
    """Compare the algorithms on one data set; the first result decides."""
    level, control = plan.confidence, plan.control
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
        level=level,
    )
    return corrected, independent


def _on_dataset(on: _Tests, plan: Plan) -> OnDataset:
    """Return the analysis of the folds of one data set."""
    [metric] = on.part.metrics
    pairs = tuple(after_gate(found, on.omnibus, plan) for found in on.pairs)
    claims = plan.tests_within
    all_pairs = plan.control is None and claims
    return OnDataset(
        metric=metric,
        decisions=decisions(pairs[0], plan.alpha) if claims else (),
        pairs=pairs,
        compared={"means": pairs},
        cliques=cliques(pairs[0], alpha=plan.alpha) if all_pairs else (),
        dataset=on.dataset,
        n_folds=on.part.n_blocks,
        omnibus=on.omnibus,
        letters=letters(pairs[0], alpha=plan.alpha) if all_pairs else None,
        sizes=plan.correction(on.part.n_blocks, on.dataset) or None,
    )
