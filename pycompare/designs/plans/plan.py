"""The plan: the decisions before a p-value is seen, checked when it is made."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pycompare.base.errors import PlanError
from pycompare.data.predictions import Predictions
from pycompare.data.scores import Scores
from pycompare.designs.pair_methods import (
    FLIPS,
    draws,
    method_name,
    sized_defaults,
    typical_defaults,
)
from pycompare.designs.plans.data_rules import (
    CLAIM_RULES,
    DATA_RULES,
    blocks_compared,
    gaps,
    group_problems,
)
from pycompare.designs.plans.fields import DEFAULT_COMPARES, PlanFields
from pycompare.designs.plans.judge_rules import JUDGE_RULES, JUDGED_DATA_RULES
from pycompare.designs.plans.keys import broken, faults
from pycompare.designs.plans.margin_rules import MARGIN_RULES
from pycompare.designs.plans.plan_rules import PLAN_RULES
from pycompare.designs.plans.plan_tables import stated, unknown_tables
from pycompare.designs.plans.plan_text import PlanText
from pycompare.designs.plans.posterior_rules import (
    POSTERIOR_DATA_RULES,
    POSTERIOR_RULES,
    tests_beside_posteriors,
)
from pycompare.designs.plans.prediction_rules import (
    DESIGN_RULES,
    OF_PREDICTIONS,
    PREDICTION_RULES,
    SCORE_RULES,
    THRESHOLD_RULES,
)
from pycompare.designs.plans.problems import refuse_any
from pycompare.designs.plans.ranking_rules import RANKED_DATA_RULES, RANKING_RULES
from pycompare.designs.plans.related_rules import relates
from pycompare.designs.plans.scope_rules import SCOPE_RULES, TEST_SET_RULES
from pycompare.designs.plans.task_rules import TASK_DATA_RULES, TASK_RULES
from pycompare.designs.plans.threshold_keys import as_thresholds, matrix
from pycompare.designs.plans.toml_text import table
from pycompare.designs.quantity import TYPICAL_DIFFERENCE

_CONFLICTS = (
    *(*PLAN_RULES, *JUDGE_RULES, *RANKING_RULES, *THRESHOLD_RULES, *SCOPE_RULES),
    *(*POSTERIOR_RULES, *TASK_RULES),
)
"""Rules of a plan, whatever the data are."""
_FITS = (
    *(*JUDGED_DATA_RULES, *RANKED_DATA_RULES, *DATA_RULES, *MARGIN_RULES),
    *(*SCORE_RULES, *POSTERIOR_DATA_RULES, *TASK_DATA_RULES),
)
_BY_NAME = (
    *("n_train", "n_test", "n_folds", "margin", "rope", "weights"),
    *("reference_low", "reference_high"),
)
"""Keys that may be tables; a plan has its own."""
_CLAIMS = (*CLAIM_RULES, tests_beside_posteriors)
"""Its requests that scores cannot meet; ``PREDICTION_RULES``: predictions."""


@dataclass(frozen=True, kw_only=True)
class Plan(PlanFields):  # noqa: D101 - documented where its keys are declared
    __doc__ = PlanFields.__doc__

    def __post_init__(self) -> None:
        """Reject settings that no data could make valid; fill in the blocks' own."""
        problems = faults(self)
        bad = {key for problem in problems for key in problem.keys}
        if not all(_is_compared(getattr(self, key)) for key in bad):
            refuse_any(problems)  # the rules compare values
        self.fill_in(bad)
        refuse_any((*problems, *broken(_CONFLICTS, self, skip=bad)))

    def fill_in(self, bad: set[str]) -> None:
        """Fill in open settings that follow from the given ones."""
        filled: dict[str, Any] = {}
        self.fill_in_thresholds(bad)
        over_data_sets = self.blocks in ("datasets", "folds-of-datasets")
        if over_data_sets and self.compares is None and not self.sweeps:
            object.__setattr__(self, "compares", DEFAULT_COMPARES)
        if self.level is None and "alpha" not in bad:
            filled["level"] = 1 - self.alpha
        if "overlap" not in bad and self.overlap != "enlarged":
            filled["overlap"] = 1
        if "metrics" not in bad:
            filled["metrics"] = tuple(self.metrics)
        if "adjust" not in bad:
            names = map(method_name, self.adjust or self.defaults)
            filled["adjust"] = tuple(dict.fromkeys(names))
        for name in _BY_NAME:
            given = getattr(self, name)
            if isinstance(given, Mapping):
                filled[name] = dict(given)
        if self.rope_loss is not None and "rope_loss" not in bad:
            filled["rope_loss"] = matrix(self.rope_loss)
        if self.range is not None and "range" not in bad:
            filled["range"] = _as_ends(self.range)
        weighted = self.weights is not None and "weights" not in bad
        if weighted and self.groups == "each":
            filled["groups"] = "each-and-all" if self.ranking is None else "all"
        special = self.sweeps or self.generalise is not None
        drawn = any(map(draws, filled.get("adjust", ()))) and not special
        drawn |= self.design.draws or self.ranking is not None
        if (drawn or self.posterior_draws) and self.seed is None:
            filled["seed"] = 0
        for name, value in filled.items():
            object.__setattr__(self, name, value)

    def fill_in_thresholds(self, bad: set[str]) -> None:
        """Keep thresholds and costs as tuples of floats; wrong ones are rejected."""
        kept: dict[str, object] = {}
        if self.thresholds is not None and "thresholds" not in bad:
            kept["thresholds"] = as_thresholds(self.thresholds)
        if self.loss_ratios is not None and "loss_ratios" not in bad:
            kept["loss_ratios"] = tuple(map(float, self.loss_ratios))
        if self.fpr_range is not None and "fpr_range" not in bad:
            kept["fpr_range"] = tuple(map(float, self.fpr_range))
        if self.loss is not None and "loss" not in bad:
            kept["loss"] = matrix(self.loss)
        kept |= dict.fromkeys(bad & {"thresholds", "loss_ratios", "loss", "fpr_range"})
        for name, value in kept.items():
            object.__setattr__(self, name, value)
        if self.sweeps and self.threshold_rule is None:
            object.__setattr__(self, "threshold_rule", "sign")
        if self.threshold_rule == "sign" and self.threshold_adjust is None:
            object.__setattr__(self, "threshold_adjust", "none")

    def settled(self, scores: Scores | Predictions) -> Plan:
        """Return the plan with nothing left open, or reject one that cannot be.

        Predictions that are measured at one threshold leave it as it is: what fits is
        seen of the scores.

        Raises
        ------
        PlanError
            With everything that does not fit: a name that is not there, an option that
            has no use with such blocks, blocks of another kind than the plan's.
        """
        one_run = scores
        if isinstance(scores, Predictions) and scores.replicates is not None:
            one_run = scores.of_run(scores.run_names[0])
        filled: dict[str, Any] = {"blocks": self.blocks_of(one_run)}
        if self.generalise is not None:
            filled["family"] = self.family or "metric"
            filled["protocol"] = self.protocol or "held-out"
        if isinstance(scores, Predictions):
            unfit = broken((*PREDICTION_RULES, *TEST_SET_RULES), self, scores)
            unfit += broken(DESIGN_RULES, self, one_run)
            if not (self.sweeps or self.generalise):
                refuse_any(unfit)
                return self
            if self.margin is not None:
                filled["margin_alpha"] = self.margin_error
        else:
            unfit = broken(_FITS, self, scores)
            apart = scores.groups is not None and self.groups != "all"
            if self.family is None and not (apart and self.compares != "bayes"):
                filled["family"] = "metric"
            if self.margin is not None:
                filled["margin_alpha"] = self.margin_error
            filled |= self.folds_of(scores)
        try:
            plan = dataclasses.replace(self, **filled)
            unfit += broken(_CLAIMS, plan)
            plan = plan.for_size(
                blocks_compared(plan, scores),
                scores.n_algorithms,
                complete=not (isinstance(scores, Scores) and gaps(plan, scores)),
                clusters=relates(plan, scores),
            )
        except PlanError as error:
            raise PlanError((*unfit, *error.problems)) from None
        refuse_any(unfit)
        if isinstance(scores, Scores):
            refuse_any(group_problems(plan, scores))
        return plan

    def folds_of(self, scores: Scores) -> dict[str, Any]:
        """Return the folds of one cross-validation, if the plan leaves them open."""
        cross_validated = self.protocol == "cross-validation" and self.n_train is None
        if not cross_validated or self.n_folds is not None:
            return {}
        counts = Counter(scores.datasets or ("",) * scores.n_blocks)
        if min(counts.values()) < 2 or self.blocks_of(scores) in ("datasets", "cases"):
            return {}  # refused elsewhere
        alike = len(set(counts.values())) == 1
        return {"n_folds": min(counts.values()) if alike else dict(counts)}

    def for_size(
        self,
        n_blocks: int,
        n_algorithms: int,
        *,
        complete: bool = True,
        clusters: bool = False,
    ) -> Plan:
        """Return the plan with the default methods that fit the size of the table.

        Methods that flip or permute blocks need complete tables, and independent
        blocks: there are none for data sets in ``clusters``. One pair has an analysis
        of its own, in which nothing is adjusted.
        """
        as_given = self.adjust != self.defaults or self.compares == "bayes"
        if as_given or n_algorithms == 2 or clusters:
            return self
        if self.quantity == TYPICAL_DIFFERENCE:
            if self.family == "all":
                return self
            return self.by(
                typical_defaults(
                    self.adjust,
                    n_blocks,
                    n_algorithms,
                    self.alpha,
                    control=self.control is not None,
                    complete=complete,
                    exchangeable=self.assumes != "symmetry",
                )
            )
        names = sized_defaults(self.adjust, n_blocks, n_algorithms, self.quantity)
        if not complete:
            names = tuple(name for name in names if name not in FLIPS)
        return self.by(names)

    def without_margins(self) -> Plan:
        """Return the plan without tests against a margin."""
        keys = ("margin", "hypothesis", "margin_alpha", "range")
        left_out: dict[str, Any] = dict.fromkeys(keys)
        return dataclasses.replace(self, **left_out)

    def of_tables(self, n_tables: int) -> Plan:
        """Return the plan of one of several tables whose pairs are one family."""
        if n_tables == 1:
            return self
        given = {f.name: getattr(self, f.name) for f in dataclasses.fields(Plan)}
        return _PlanOfTable(**given, n_tables=n_tables)

    def by(self, names: tuple[str, ...]) -> Plan:
        """Return the plan with other methods; a seed goes with those that draw."""
        folds = self.blocks not in ("datasets", "cases")
        drawn = folds or self.posterior_draws or any(map(draws, names))
        seed = self.seed if drawn else None
        if (names, seed) == (self.adjust, self.seed):
            return self
        return dataclasses.replace(self, adjust=names, seed=seed)

    def to_toml(self) -> str:
        """Return the plan as the table ``[plan]`` of a plan file.

        ``Plan.from_toml`` reads the same plan from it. Open settings are left out.
        """
        return table("plan", self)

    def without_predictions(self) -> Plan:
        """Return the plan of the scores that predictions are measured as."""
        left_out: dict[str, Any] = dict.fromkeys(OF_PREDICTIONS)
        return dataclasses.replace(self, **left_out)

    @classmethod
    def from_toml(cls, text: str) -> Plan:
        """Read the plan from text that holds the table ``[plan]`` and no other.

        Raises
        ------
        PlanError
            With all problems, each with its line. A whole plan file, with data and
            metrics, is read by ``pc.read_plan``.
        """
        read = PlanText(text, "plan")
        findings = list(unknown_tables(read, ("plan",)))
        plan = stated(read, "plan", cls, findings)
        read.refuse(findings)
        assert plan is not None
        return plan


@dataclass(frozen=True, kw_only=True)
class _PlanOfTable(Plan):
    """The plan of one of several tables; tests of one algorithm keep their level.

    The number of tables is no key of a plan: it follows from metrics and groups.
    """

    n_tables: int = 1


def _as_ends(given: Any) -> Any:
    """Return a range, or that of each metric, as pairs of floats."""
    if isinstance(given, Mapping):
        return {name: _as_ends(ends) for name, ends in given.items()}
    low, high = map(float, given)
    return low, high


def _is_compared(value: Any) -> bool:
    """Return whether a value answers a comparison by true or false; arrays do not."""
    try:
        return isinstance(bool(value == value), bool)
    except (TypeError, ValueError):
        return False
