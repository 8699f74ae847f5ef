"""Elements of HTML: every value in them is escaped, and only elements are markup."""

from __future__ import annotations

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&#39;", '"': "&#34;"}
"""That of ``&`` is the first: the others hold one."""


class Markup(str):
    """Text that stands in a page as it is; any other string is a value."""

    __slots__ = ()


def markup(*parts: str) -> Markup:
    """Return parts one after another, with values escaped.

    Examples
    --------
    >>> markup(tag("b", "x < y"), " & z")
    '<b>x &lt; y</b> &amp; z'
    """
    return Markup("".join([_escaped(part) for part in parts]))


def _escaped(value: str) -> str:
    """Return a value of which no character is markup, or markup as it is."""
    if isinstance(value, Markup):
        return value
    for mark, entity in _ENTITIES.items():
        if mark in value:
            value = value.replace(mark, entity)
    return value


def tag(name: str, /, *content: str, **attributes: str | None) -> Markup:
    """Return an element with its content.

    An attribute that is None is left out. ``aria_label`` is written ``aria-label``,
    ``class_`` without its last character.

    Examples
    --------
    >>> tag("td", "a", " & b", class_="n", id=None, data_l='"1"')
    '<td class="n" data-l="&#34;1&#34;">a &amp; b</td>'
    """
    return Markup(f"{void(name, **attributes)}{markup(*content)}</{name}>")


def void(name: str, /, **attributes: str | None) -> Markup:
    """Return an element that has no content, or the beginning of one.

    Examples
    --------
    >>> void("img", src="data:,", alt="")
    '<img src="data:," alt="">'
    """
    written = [
        f' {key.rstrip("_").replace("_", "-")}="{_escaped(value)}"'
        for key, value in attributes.items()
        if value is not None
    ]
    return Markup(f"<{name}{''.join(written)}>")
