"""The error rates that reports print: guarantees of the ledger under the plan."""

from __future__ import annotations

from pycompare.designs.plans.plan import Plan
from pycompare.results.guarantees import (
    NO_CLAIM,
    Guarantee,
    Guaranteed,
    Where,
    guarantee,
    guarantee_of,
    of_units,
    weakest,
)
from pycompare.results.result import Test


def error_rate(compared: Guaranteed, plan: Plan, where: Where) -> Guarantee:
    """Return the guarantee of a comparison, with what the plan says of its folds.

    It is that of the family in which the comparison is decided: the weakest among all
    members.
    """
    members = (
        (compared,) if compared.decided_in is None else compared.decided_in.members
    )
    claims = (guarantee_of(member, where) for member in members)
    return weakest(claims).where(plan.violated)


def test_rate(test: Test, plan: Plan, where: Where) -> str:
    """Return the error rate of one test, with what the plan says of its folds."""
    if not test.basis:
        return NO_CLAIM
    # One test against a margin is a family of its own.
    alone = "/none" if test.basis.startswith("margins/") else ""
    claim = guarantee(f"{test.basis}{alone}")
    if test.clustered:
        return claim.of_clusters().text
    return _rate(claim, plan, where)


def key_rate(key: str, plan: Plan, where: Where) -> str:
    """Return the error rate of a test of the ledger."""
    return _rate(guarantee(key), plan, where)


def _rate(claim: Guarantee, plan: Plan, where: Where) -> str:
    """Return a claim, with what the plan says of its folds."""
    named = of_units(claim, where)
    return named.text if where == "blocks" else named.where(plan.violated).text


def of_blocks(plan: Plan) -> Where:
    """Return what the blocks are of the comparison that the plan names."""
    if plan.blocks in ("folds", "cases"):
        return plan.blocks
    return "model" if plan.compares == "model" else "blocks"


def of_margin(compared: Guaranteed, plan: Plan) -> Guarantee:
    """Return the guarantee of tests against a margin, which compare data-set means."""
    return error_rate(compared, plan, "folds" if plan.blocks == "folds" else "blocks")
