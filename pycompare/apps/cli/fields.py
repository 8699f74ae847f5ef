"""Options made from the fields of a dataclass and of its docstring."""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any

import click

from pycompare.apps.cli.options import Decorator, option


def options_of(owner: type, group: str, *, required: bool = True) -> list[Decorator]:
    """Return an option for each field of a dataclass.

    With ``required=False`` the command itself asks for those without a default.
    """
    texts = texts_of(owner)
    return [
        _of_field(field, texts, group, required) for field in dataclasses.fields(owner)
    ]


def _of_field(
    field: dataclasses.Field[Any], texts: dict[str, str], group: str, ask: bool
) -> Any:
    """Return the option of one field."""
    required = field.default is dataclasses.MISSING
    if "Mapping" in str(field.type):
        return option(
            "--" + field.name.replace("_", "-"),
            field.name,
            callback=_parse_named,
            metavar="NAME=X,...",
            help=texts[field.name],
            group=group,
        )
    several = "Sequence" in str(field.type)
    number = int if "int" in str(field.type) else float
    text = "str" in str(field.type) or "Literal" in str(field.type)
    silent = required or field.default is None
    shown = "" if silent else f"  [default: {_words(field.default)}]"
    return option(
        "--" + field.name.replace("_", "-"),
        field.name,
        required=required and ask,
        default=None if required else field.default,
        type=str if text else number,
        multiple=several,
        metavar="WORD" if text else "X",
        help=texts[field.name] + (" Repeatable." if several else "") + shown,
        group=group,
    )


def _parse_named(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> dict[str, float] | None:
    """Turn ``NAME=X,NAME=X`` into a mapping of numbers."""
    if value is None:
        return None
    by_name: dict[str, float] = {}
    for part in value.split(","):
        name, equals, number = (text.strip() for text in part.partition("="))
        try:
            parsed = float(number)
        except ValueError:
            equals = ""
        if not equals or not name or name in by_name:
            why = "is given twice" if name in by_name else "is no NAME=NUMBER"
            raise click.BadParameter(
                f"{part.strip()!r} {why}; write NAME=NUMBER,NAME=NUMBER", ctx, param
            )
        by_name[name] = parsed
    return by_name


def _words(default: Any) -> str:
    """Return a default as the words that follow its option."""
    several = isinstance(default, tuple)
    return " ".join(map(str, default)) if several else str(default)


def texts_of(owner: type) -> dict[str, str]:
    """Return the text of the docstrings about each field, inherited ones included."""
    texts: dict[str, str] = {}
    for part in reversed(owner.__mro__):
        _, _, attributes = inspect.cleandoc(part.__doc__ or "").partition(
            "Attributes\n----------\n"
        )
        names: list[str] = []
        for line in attributes.splitlines():
            if not line.strip():
                break
            if line.startswith(" "):
                for name in names:
                    texts[name] = f"{texts[name]} {line.strip()}".strip()
            else:
                names = [name.strip() for name in line.partition(" : ")[0].split(",")]
                texts |= dict.fromkeys(names, "")
    return texts
