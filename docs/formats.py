"""The page of result files, from the declarations of the readers."""

from __future__ import annotations

from collections.abc import Iterator

from pycompare.data.readers.formats import Format
from pycompare.data.readers.known import all_formats

CHOICES = {
    "filter": "filter, `--filter`",
    "block": "block, `--block`",
    "dataset": "dataset, `--dataset`",
}
"""How each choice of a format is made in Python and on the command line."""


def formats() -> str:
    """Return all formats in Markdown, those of items first."""
    return "\n".join(line for kind in all_formats().values() for line in entry(kind))


def entry(kind: Format) -> Iterator[str]:
    """Yield one format: what is read as what, and its trap."""
    yield f"## {kind.program}: `{kind.name}`\n"
    yield f"- Files: {kind.files}"
    yield f"- Read: {kind.columns}"
    yield f"- A block is {kind.block}"
    yield f"- Compared as: {'cases' if kind.items else 'data sets or folds'}"
    yield f"- Better direction: {kind.metrics}"
    if kind.takes:
        yield f"- Choices: {'; '.join(CHOICES[name] for name in kind.takes)}"
    if kind.gaps:
        policy, rule = kind.gaps
        yield f'- Missing scores: {rule} (`missing = "{policy}"`)'
    yield f"- To watch: {kind.trap}\n"
