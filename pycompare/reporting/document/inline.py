"""Text with emphasis, as data: what a label holds is never markup.

A text is a string, or a tuple of strings and marked parts. Renderers escape every
character of it in their own way.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Strong:
    """Words that carry the message."""

    text: str


@dataclass(frozen=True)
class Emphasis:
    """Words set apart, such as the name of a method."""

    text: str


@dataclass(frozen=True)
class Literal:
    """Text that a reader types or compares letter by letter: file names, options."""

    text: str


@dataclass(frozen=True)
class Link:
    """A reference to another place."""

    text: str
    target: str  # the key of a section ("#r"), or a file beside the document


Span = str | Strong | Emphasis | Literal | Link
Inline = str | tuple[Span, ...]


def spans(text: Inline) -> tuple[Span, ...]:
    """Return a text as its parts."""
    return (text,) if isinstance(text, str) else text


def plain(text: Inline) -> str:
    """Return a text without its marks.

    Examples
    --------
    >>> plain(("A is ", Strong("better"), "."))
    'A is better.'
    """
    return "".join(s if isinstance(s, str) else s.text for s in spans(text))


def joined(*texts: Inline, by: str = " ") -> Inline:
    """Join texts, without those that are empty.

    Examples
    --------
    >>> joined("One.", "", ("Two ", Strong("words"), "."))
    ('One.', ' ', 'Two ', Strong(text='words'), '.')
    """
    found: list[Span] = []
    for text in texts:
        if text:
            found += [*([by] if found else []), *spans(text)]
    return tuple(found)
