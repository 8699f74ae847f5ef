"""Options made from declarations: fields of a dataclass, arguments of a function.

Texts come from their docstrings.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable, Container
from pathlib import Path
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


def arguments_of(
    function: Callable[..., Any], group: str, *names: str
) -> list[Decorator]:
    """Return an option for each of some named arguments of a function."""
    parameters = inspect.signature(function).parameters
    texts = _texts_below("Parameters", function.__doc__)
    return [
        _of_argument(parameters[name], _spelled(texts[name], parameters), group)
        for name in names
    ]


def _of_argument(parameter: inspect.Parameter, text: str, group: str) -> Any:
    """Return the option of one argument."""
    kind, default = str(parameter.annotation), parameter.default
    several, required = "Sequence" in kind, default is inspect.Parameter.empty
    types: dict[str, tuple[Any, str]] = {
        "int": (int, "N"),
        "float": (float, "X"),
        "str": (str, text.split()[0].upper()),  # "Address of a scheduler": ADDRESS
    }
    pair = kind.startswith("tuple[float, float]")
    of_type, metavar = (float, "LOW HIGH") if pair else types[kind.split()[0]]
    if "PathLike" in kind:
        of_type, metavar = click.Path(path_type=Path), "PATH"
    return option(
        _option(parameter.name),
        parameter.name,
        type=of_type,
        required=required,
        default=None if required else default,
        show_default=not required and default is not None,
        multiple=several,
        nargs=2 if pair else 1,
        metavar=metavar,
        help=text + " Repeatable." * several,
        group=group,
    )


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


def _spelled(text: str, arguments: Container[str]) -> str:
    """Return a text of a docstring whose arguments are spelled as options."""

    def spelled(match: re.Match[str]) -> str:
        name, _, value = match[1].partition("=")
        return f"{_option(name)} {value}".strip() if name in arguments else match[1]

    return re.sub("``([^`]+)``", spelled, text)


def _of_field(
    field: dataclasses.Field[Any], texts: dict[str, str], group: str, ask: bool
) -> Any:
    """Return the option of one field."""
    required = field.default is dataclasses.MISSING
    if "Mapping" in str(field.type):
        return option(
            _option(field.name),
            field.name,
            callback=_parse_named,
            metavar="NAME=X,...",
            help=texts[field.name],
            group=group,
        )
    if str(field.type) == "bool":
        name = _option(field.name)
        return option(
            f"{name}/--no-{name.removeprefix('--')}",
            field.name,
            default=field.default,
            help=texts[field.name],
            group=group,
            show_default=True,
        )
    several = "Sequence" in str(field.type)
    number = int if "int" in str(field.type) else float
    text = "str" in str(field.type) or "Literal" in str(field.type)
    silent = required or field.default is None
    shown = "" if silent else f"  [default: {_words(field.default)}]"
    return option(
        _option(field.name),
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
        texts |= _texts_below("Attributes", part.__doc__)
    return texts


def _texts_below(title: str, docstring: str | None) -> dict[str, str]:
    """Return the text of a docstring about each name below a title."""
    head = f"{title}\n{'-' * len(title)}\n"
    _, _, told = inspect.cleandoc(docstring or "").partition(head)
    texts: dict[str, str] = {}
    names: list[str] = []
    for line in told.splitlines():
        if not line.strip():
            break
        if line.startswith(" "):
            for name in names:
                texts[name] = f"{texts[name]} {line.strip()}".strip()
        else:
            names = [name.strip() for name in line.partition(" : ")[0].split(",")]
            texts |= dict.fromkeys(names, "")
    return texts
