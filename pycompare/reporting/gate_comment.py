"""A comment on a pull request: the verdict of a gate in Markdown."""

from __future__ import annotations

import re

from pycompare.designs import gate_result
from pycompare.designs.gate_result import GateMember, GateResult

_MARK = "<!-- pycompare-gate -->"
MOST = 60_000
"""Characters that hosts take."""
_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+!|~])")
_SIGNS = {"pass": "\N{WHITE HEAVY CHECK MARK}", "fail": "\N{CROSS MARK}"}
_OPEN = "\N{LARGE YELLOW CIRCLE}"


def _escaped(name: str) -> str:
    """Return a name as Markdown text: no link, mention, table or markup."""
    text = " ".join(name.split()).replace("&", "&amp;")
    text = text.replace("<", "&lt;").replace(">", "&gt;")
    return _SPECIAL.sub(r"\\\1", text).replace("@", "@\N{ZERO WIDTH SPACE}")


def comment(result: GateResult) -> str:
    """Return the comment, at most as long as hosts take."""
    at = gate_result.places_of(result.members)
    sign = _SIGNS.get(result.verdict, _OPEN)
    head = [
        _MARK,
        f"**{sign} Gate: {result.verdict}**",
        "",
        _escaped(gate_result.sentence(result)),
        "",
        "| Member | Difference | Margin | p not worse | p worse (Holm) | Decision |",
        "|---|---|---|---|---|---|",
    ]
    foot = ["", gate_result.guarantee(result), ""]
    left = MOST - sum(len(line) + 1 for line in (*head, *foot)) - 100
    rows: list[str] = []
    for member in result.members:
        line = _row(result, member, at)
        left -= len(line) + 1
        if left < 0:
            rows.append(f"| {len(result.members) - len(rows)} more | | | | | |")
            break
        rows.append(line)
    return "\n".join([*head, *rows, *foot])


def _row(result: GateResult, member: GateMember, at: int) -> str:
    """Return one member as a row of the table."""
    number, test = gate_result.number, member.tested
    cells = [
        _escaped(gate_result.name_of(result, member)),
        f"{number(test.difference, at)} \\[{number(member.conf_low, at)}, "
        f"{number(member.conf_high, at)}\\]",
        f"{test.margin:g}",
        _p(test.p_not_worse),
        _p(member.p_worse_holm),
        member.decision,
    ]
    return f"| {' | '.join(cells)} |"


def _p(p: float) -> str:
    """Return a p-value with three decimals."""
    return "&lt; 0.001" if p < gate_result.SMALLEST else f"{p:.3f}"
