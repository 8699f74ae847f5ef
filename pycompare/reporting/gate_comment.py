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
    several = len(result.members) > 1
    adj = "adj. " * (several and result.verdict != "pass")
    head = [
        _MARK,
        f"**{sign} Gate: {result.verdict}**",
        "",
        _escaped(gate_result.sentence(result)),
        "",
        f"| Criterion | Decision | Difference | Margin | {adj}p (not worse) | "
        f"{'adj. ' * several}p (worse) |",
        "|---|---|---|---|---|---|",
    ]
    notes = [f"Note: {_escaped(note)}." for note in result.notes]
    foot = ["", gate_result.guarantee(result), *notes, ""]
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
    passed = result.verdict == "pass"
    cells = [
        _escaped(gate_result.name_of(result, member)),
        member.decision,
        f"{number(test.difference, at)} \\[{number(member.conf_low, at)}, "
        f"{number(member.conf_high, at)}\\]",
        gate_result.plain(test.margin),
        *(
            gate_result.p_text(p, result.level).replace("<", "&lt;")
            for p in (
                test.p_not_worse if passed else member.p_not_worse_holm,
                member.p_worse_holm,
            )
        ),
    ]
    return f"| {' | '.join(cells)} |"
