"""Specification curve: the comparison made again under every other reasonable plan.

A specification is a test, an adjustment and a form of the scores that are valid for
the design: the ledger of guarantees promises its family-wise error under conditions
that the plan does not break, and it concerns the same scope. The primary analysis is
one of them. It is a sensitivity analysis, which chooses nothing.

References
----------
.. [1] Simonsohn, U., Simmons, J. P., Nelson, L. D. (2020). Specification curve
   analysis. Nature Human Behaviour 4, 1208-1214.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from pycompare.analyses.analysis import Analysis
from pycompare.analyses.decisions import Decision, decisions
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.analyses.one_pair import OnePair
from pycompare.analyses.specification_curve import SpecificationCurve
from pycompare.data.runs import over_runs
from pycompare.data.scores import Scores
from pycompare.errors import DesignError, InputError, PlanError
from pycompare.metric import Metric
from pycompare.multiplicity.guarantees import Where, guarantee_of
from pycompare.parallel.progress import each
from pycompare.plans.plan import Plan
from pycompare.plans.post_hoc import OF_TYPICAL_DIFFERENCES
from pycompare.results import PairsResult
from pycompare.typing import Floats

if TYPE_CHECKING:
    import pandas as pd


Parts = tuple[GroupComparison, ...]
Compare = Callable[[Scores, Plan], Parts]
AS_SCORED = "as scored"
_LARGEST_Z = 37.0
"""Beyond it p-values of doubles are 0."""
_ROUNDED = (3, 2)
"""Decimals of scores that are ranked, besides those of the plan."""
_RANK_TESTS = ("friedman", "aligned-ranks", "quade")
_ADJUSTED = ("bergmann-hommel", "holm", "bonferroni")


@dataclass(frozen=True)
class _Form:
    """Scores in another form, and the decimals they are ranked by."""

    names: tuple[str, ...]  # one a metric
    scores: Scores
    decimals: int | None


def specification_curves(
    scores: Scores, plan: Plan, parts: Parts, compare: Compare
) -> list[list[SpecificationCurve]]:
    """Return one curve a part and metric; ``parts`` are the comparison as planned.

    ``compare`` makes the comparison of scores by a plan.
    """
    found: list[list[list[pd.DataFrame]]] = [[[] for _ in p.analyses] for p in parts]
    for form, names, made in _all_made(scores, plan, parts, compare):
        for place, part in enumerate(made):
            for at, analysis in enumerate(part.analyses):
                rows = _rows(analysis, names, plan, form.names[at])
                found[place][at] += list(rows)
    return [
        [
            _curve(rows, analysis.decisions)
            for rows, analysis in zip(tables, part.analyses, strict=True)
        ]
        for tables, part in zip(found, parts, strict=True)
    ]


def _all_made(
    scores: Scores, plan: Plan, parts: Parts, compare: Compare
) -> Iterator[tuple[_Form, Plan, Parts]]:
    """Yield each plan with its comparison, the primary one first."""
    alone = dataclasses.replace(plan.without_margins(), specifications=False)
    as_scored = _Form((AS_SCORED,) * len(parts[0].analyses), scores, plan.decimals)
    yield as_scored, alone, parts
    two = scores.n_algorithms == 2
    metrics = [analysis.metric for analysis in parts[0].analyses]
    variants = [
        (form, variant)
        for form in (as_scored, *_forms(scores, alone, metrics))
        for variant in _variants(alone, form.decimals, alone=two)
    ]
    for form, variant in each(variants, "specification", often=True):
        try:
            settled = variant.settled(form.scores)
            yield form, settled, compare(form.scores, settled)
        except (PlanError, DesignError, InputError):
            continue  # such a plan does not fit these data


# ---- plans ---------------------------------------------------------------------------


def _variants(plan: Plan, decimals: int | None, *, alone: bool) -> Iterator[Plan]:
    """Yield the plans that differ in tests and adjustments; ``alone``: of one pair."""
    if alone:
        yield dataclasses.replace(plan, decimals=decimals)
        return
    ranked = plan.pairs_of == "ranks"
    tests: tuple[Any, ...] = _RANK_TESTS if ranked else (plan.omnibus,)
    for test in tests:
        for names in _methods(plan, test):
            for p_values in ("by-size", "mid-p") if plan.blocks == "cases" else (None,):
                try:
                    yield dataclasses.replace(
                        plan.by(names),
                        omnibus=test,
                        decimals=decimals,
                        p_values=p_values or plan.p_values,
                    )
                except PlanError:
                    continue  # a rule of plans refuses the method for such blocks


_OF_RANKS = ("sign-flips", "closed-permutation", "max-t")
"""Comparisons of mean ranks with a variance for each pair."""


def _methods(plan: Plan, test: str | None) -> list[tuple[str, ...]]:
    """Return the methods of each plan: those that one analysis makes at once."""
    if plan.pairs_of == "ranks":
        of_friedman = test == "friedman" and plan.blocks == "datasets"
        return [(name,) for name in (_OF_RANKS if of_friedman else ("sign-flips",))]
    if plan.blocks == "cases":
        return [(*_ADJUSTED, "max-t"), ("holm", "bonferroni", "max-t")]
    if plan.pairs_of == "wins":
        return [("holm", "bonferroni")]
    if plan.pairs_of == "typical-difference":
        return [("holm", "bonferroni"), *((name,) for name in OF_TYPICAL_DIFFERENCES)]
    own = [(name,) for name in (*_ADJUSTED, "max-t")]
    pooled = "dunnett" if plan.control is not None else "tukey"
    return [*own, (pooled,)]


# ---- forms of the scores -------------------------------------------------------------


def _forms(scores: Scores, plan: Plan, metrics: Sequence[Metric]) -> Iterator[_Form]:
    """Yield the scores rounded, where they are ranked, or transformed."""
    if plan.blocks == "cases":
        return  # right and wrong have no other form
    if plan.pairs_of in ("ranks", "typical-difference"):
        for decimals in _ROUNDED:
            changed = not np.array_equal(
                np.round(scores.values, decimals), scores.values, equal_nan=True
            )
            if changed and plan.decimals is None and _within_one(scores.values):
                names = (f"rounded to {decimals} decimals",) * len(metrics)
                yield _Form(names, scores, decimals)
    if plan.decimals is None:
        yield from _transformed(scores, metrics)


def _transformed(scores: Scores, metrics: Sequence[Metric]) -> Iterator[_Form]:
    """Yield the scores on a scale that has no ends, each metric on its own."""
    held = scores.values if scores.runs is None else scores.runs
    values, names = np.array(held, float), {}
    for at, metric in enumerate(scores.metrics):
        name, function = _scale(values[:, :, at])
        values[:, :, at] = function(values[:, :, at])
        names[metric.name] = name
    if set(names.values()) == {AS_SCORED}:
        return
    made = dataclasses.replace(
        scores,
        values=values if scores.runs is None else over_runs(values),
        runs=None if scores.runs is None else values,
    )
    yield _Form(tuple(names[metric.name] for metric in metrics), made, None)


def _scale(values: Floats) -> tuple[str, Callable[[Floats], Floats]]:
    """Return an increasing function for scores of a kind, and its name."""
    known = values[~np.isnan(values)]
    if _within_one(known):
        if known.min() > 0 and known.max() < 1:
            return "logit", lambda p: np.log(p) - np.log1p(-p)
        return "arcsine square root", lambda p: np.arcsin(np.sqrt(p))
    if known.min() > 0:
        return "logarithm", np.log
    return AS_SCORED, lambda x: x


def _within_one(values: Floats) -> bool:
    """Tell whether all scores are proportions."""
    return bool(np.nanmin(values) >= 0 and np.nanmax(values) <= 1)


# ---- decisions -----------------------------------------------------------------------


def _rows(
    analysis: Analysis, plan: Plan, planned: Plan, form: str
) -> Iterator[pd.DataFrame]:
    """Yield one table for each valid comparison of pairs in one analysis."""
    for place, (slot, made) in enumerate(analysis.compared.items()):
        for at, pairs in enumerate(made):
            if not isinstance(pairs, PairsResult):
                continue
            primary = plan.adjust == planned.adjust and (place, at) == (0, 0)
            if primary or _is_valid(pairs, slot, plan):
                yield _table(pairs, plan.alpha, form)


def _is_valid(pairs: PairsResult, slot: str, plan: Plan) -> bool:
    """Tell whether the ledger promises the error, for conclusions of the same scope."""
    if slot == "model":
        return False  # these data sets only
    where: Where = plan.blocks if plan.blocks in ("folds", "cases") else "blocks"
    claim = guarantee_of(pairs, where).where(plan.violated)
    if not claim.claimed or "complete-null" in claim.conditions:
        return False
    return claim.error == "family-wise" or len(pairs.table) == 1


def _table(pairs: PairsResult, alpha: float, form: str) -> pd.DataFrame:
    """Return the decisions of one comparison of pairs."""
    import pandas as pd

    rows = []
    for one in decisions(pairs, alpha):
        deviate = float(-special.ndtri(one.p_value / 2))
        rows.append(
            {
                "test": pairs.method,
                "adjust": "none" if isinstance(pairs, OnePair) else pairs.called,
                "scores": form,
                "first": one.better,
                "second": one.worse,
                "better": one.better if one.rejected else "",
                "p_value": one.p_value,
                "p_adjusted": one.p_adjusted,
                "z": min(deviate, _LARGEST_Z),
                "significant": one.rejected,
            }
        )
    return pd.DataFrame(rows)


def _curve(
    tables: Sequence[pd.DataFrame], primary: Sequence[Decision]
) -> SpecificationCurve:
    """Return the curve of one analysis; what is there twice counts once."""
    import pandas as pd

    kept: dict[tuple[str, ...], pd.DataFrame] = {}
    for table in tables:  # ranks are those of transformed scores: that is no other one
        kept.setdefault((*table.loc[0, ["test", "adjust"]], _p_values(table)), table)
    known = {one.pair: one for one in primary}
    rows = pd.concat(
        [table.assign(specification=k) for k, table in enumerate(kept.values(), 1)],
        ignore_index=True,
    )
    chosen = [known[frozenset(p)] for p in zip(rows["first"], rows["second"])]  # noqa: B905
    turned = rows["first"] != [one.better for one in chosen]
    rows = rows.assign(
        algorithm_1=[one.better for one in chosen],
        algorithm_2=[one.worse for one in chosen],
        z=np.where(turned, -rows["z"], rows["z"]),
        agrees=rows["better"] == [one.better if one.rejected else "" for one in chosen],
    )
    return SpecificationCurve(table=rows[_COLUMNS], pairs=_by_pair(rows, primary))


def _p_values(table: pd.DataFrame) -> str:
    """Return all p-values of a specification, whatever their order, as one text."""
    by_pair = {
        frozenset((row.first, row.second)): (row.p_value, row.p_adjusted)
        for row in table.itertuples()
    }
    return repr(sorted((sorted(pair), *p) for pair, p in by_pair.items()))


_COLUMNS = [
    "specification", "test", "adjust", "scores", "algorithm_1", "algorithm_2",
    "better", "p_value", "p_adjusted", "z", "significant", "agrees",
]  # fmt: skip


def _by_pair(rows: pd.DataFrame, primary: Sequence[Decision]) -> pd.DataFrame:
    """Return one row a pair, in the order of the primary analysis."""
    import pandas as pd

    made = []
    of_pair = dict(list(rows.groupby(["algorithm_1", "algorithm_2"], sort=False)))
    for one in primary:
        mine = of_pair[(one.better, one.worse)]
        made.append(
            {
                "algorithm_1": one.better,
                "algorithm_2": one.worse,
                "primary": one.better if one.rejected else "",
                "agreeing": int(mine["agrees"].sum()),
                "share": float(mine["agrees"].mean()),
                "p_low": float(mine["p_adjusted"].min()),
                "p_high": float(mine["p_adjusted"].max()),
            }
        )
    return pd.DataFrame(made)
