"""One door for the arguments of public functions: what their signatures declare.

A choice that is a word, a name, a flag, a number or a path is held against its
annotation. A function that rejects it itself knows best the requirements, and its
message stands; any other error that follows is answered by the name of the argument. A
whole number that would never end is rejected before the function begins.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import wraps
from os import PathLike
from pathlib import Path
from typing import (
    Any,
    Literal,
    ParamSpec,
    Protocol,
    TypeVar,
    Union,
    get_args,
    get_origin,
)

import numpy as np

from pycompare.base.arguments import (
    as_double,
    is_finite,
    is_number,
    is_of_pandas,
    is_whole,
)
from pycompare.base.errors import InputError, PyCompareError, setting
from pycompare.base.labels import show

_P = ParamSpec("_P")
_T = TypeVar("_T")
_LARGEST_WHOLE = 2**31 - 1
"""R has no larger whole number; more resamples or places would never end."""
_LONGEST_WORD = 200
_LONGEST_MESSAGE = 2000
_LISTS = (Sequence, Iterable, tuple, list)


@dataclass(frozen=True)
class _ValueKind:
    """A kind of value: which values are of it, and how a message asks for one."""

    takes: Callable[[Any], bool]
    asks: str


def checked(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Let a function answer arguments that are not of the kinds it declares.

    Raises
    ------
    InputError
        By the function that is returned, if it would raise another error, or for a
        whole number beyond 2**31 - 1; it names the parameter and the kinds.

    Examples
    --------
    >>> @checked
    ... def share(method: Literal["exact", "normal"] = "exact") -> str:
    ...     return {"exact": "binomial", "normal": "z"}[method]
    >>> share(method=["exact"])
    Traceback (most recent call last):
    pycompare.base.errors.InputError: method=['exact']: choose 'exact' or 'normal'
    """
    signature = inspect.signature(function)
    kinds: dict[str, tuple[_ValueKind, ...]] = {}

    @wraps(function)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        if not kinds:  # the names in annotations are there once all is imported
            kinds.update(_declared(function, signature))
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError:
            return function(*args, **kwargs)  # Python says what is missing
        refusal = None
        for name, value in bound.arguments.items():
            if kinds[name] and not _fits(value, kinds[name], signature, name):
                refusal = refusal or _refusal(name, value, kinds[name])
                if is_whole(value) and any(kind.asks == _WHOLE for kind in kinds[name]):
                    raise refusal
            elif kinds[name] and isinstance(value, Fraction):  # SciPy takes none
                bound.arguments[name] = float(value)
        if refusal is None:
            return function(*bound.args, **bound.kwargs)
        try:
            return function(*args, **kwargs)
        except OSError:
            raise
        except PyCompareError as error:
            if len(error.message) <= _LONGEST_MESSAGE:
                raise
            raise refusal from error  # it shows a value that fills the screen
        except Exception as error:
            raise refusal from error

    return call


def checked_class(cls: type[_T]) -> type[_T]:
    """Let a class reject arguments that are not of the kinds its fields declare."""
    cls.__init__ = checked(cls.__init__)  # type: ignore[method-assign]
    return cls


def _declared(
    function: Callable[..., Any], signature: inspect.Signature
) -> dict[str, tuple[_ValueKind, ...]]:
    """Return the kinds of each parameter; none if everything is taken."""
    kinds_of: dict[str, tuple[_ValueKind, ...]] = {}
    written = inspect.unwrap(function)
    names = written.__globals__ if isinstance(written, types.FunctionType) else {}
    for name, parameter in signature.parameters.items():
        annotation = parameter.annotation
        collects = parameter.kind in (
            inspect.Parameter.VAR_POSITIONAL,
            inspect.Parameter.VAR_KEYWORD,
        )
        if isinstance(annotation, str):
            try:
                annotation = eval(annotation, dict(names))
            except Exception:  # a name for type checkers alone
                annotation = Any
        kinds = (
            [] if collects else [_kind(member, name) for member in _members(annotation)]
        )
        known = tuple(kind for kind in kinds if kind is not None)
        kinds_of[name] = known if len(known) == len(kinds) else ()
    return kinds_of


def _members(annotation: Any) -> list[Any]:
    """Return the members of a union; choices of several literals are one."""
    if get_origin(annotation) in (Union, types.UnionType):
        return [m for part in get_args(annotation) for m in _members(part)]
    return [annotation]


def _kind(member: Any, name: str) -> _ValueKind | None:
    """Return the kind of an annotation; None if it is not checked."""
    origin = get_origin(member)
    if member is None or member is type(None):
        return _ValueKind(lambda value: value is None, "None")
    if origin is Literal:
        return _choice(get_args(member))
    if origin in _LISTS and _is_word(get_args(member)[0]):
        return _ValueKind(_is_names, "a list of names")
    if origin is Mapping:
        return _ValueKind(lambda value: isinstance(value, Mapping), "a dict")
    if origin is Callable:
        return _ValueKind(callable, "a function")
    if member is object and name == "positive":
        return _ValueKind(_is_label, "one label")
    if member is int:
        return _ValueKind(is_number if name == "seed" else _is_count, _WHOLE)
    if member is float:
        return _ValueKind(_is_double, "a number")
    if member in _SIMPLE:
        return _SIMPLE[member]
    if member is Path or origin is PathLike or member is PathLike:
        return _ValueKind(lambda value: isinstance(value, PathLike), "a path")
    if inspect.isclass(member) and member.__module__.startswith("pycompare."):
        return _of_class(member)
    return None


def _is_word(annotation: Any) -> bool:
    return annotation in (str, object) or get_origin(annotation) is Literal


_WHOLE = f"a whole number up to {_LARGEST_WHOLE}"
_SIMPLE = {
    str: _ValueKind(lambda value: isinstance(value, str), "a name, as text"),
    bool: _ValueKind(lambda value: isinstance(value, bool | np.bool_), "True or False"),
}


def _choice(words: tuple[Any, ...]) -> _ValueKind:
    """Return a choice of words; an unknown text is left to the function."""

    def takes(value: Any) -> bool:
        if isinstance(value, str):
            return len(value) <= _LONGEST_WORD
        return is_number(value) and any(value == word for word in words)

    *first, last = map(repr, words)
    return _ValueKind(takes, f"{', '.join(first)} or {last}" if first else last)


def _of_class(member: type) -> _ValueKind | None:
    """Return a class of ours; a protocol cannot be checked."""
    if Protocol in member.__bases__:
        return None
    return _ValueKind(lambda value: isinstance(value, member), member.__name__)


def _is_names(value: Any) -> bool:
    """Return whether a value is a list; its entries are checked if they are looked up.

    A single text is left to the function, which states that it is one.
    """
    other = isinstance(value, bytes | bytearray | Mapping | np.ndarray)
    if not isinstance(value, Collection) or other or is_of_pandas(value):
        return False
    return isinstance(value, str) or all(
        isinstance(element, Hashable) for element in value
    )


def _is_label(value: Any) -> bool:
    """Return whether a value can be a label of cases."""
    return np.isscalar(value) or isinstance(value, Fraction | Decimal | date)


def _is_count(value: Any) -> bool:
    """Return whether a value is a number that counts can be; the rest is left."""
    if not is_whole(value):
        return is_finite(value)
    return abs(value) <= _LARGEST_WHOLE


def _is_double(value: Any) -> bool:
    """Return whether a value is a number that a double holds."""
    return is_number(value) and as_double(value) is not None


def _fits(
    value: Any, kinds: Sequence[_ValueKind], signature: inspect.Signature, name: str
) -> bool:
    """Return whether a value is the default or of one of the kinds."""
    default = signature.parameters[name].default
    return value is default or any(kind.takes(value) for kind in kinds)


def _refusal(name: str, value: Any, kinds: Sequence[_ValueKind]) -> InputError:
    """Return the error that names the parameter, the value and the kinds."""
    *first, last = [kind.asks for kind in kinds]
    asks = f"{', '.join(first)} or {last}" if first else last
    verb = "choose" if "'" in asks else "give"
    shown = " ".join(show(value).split())
    return InputError(setting(name) + f"={shown}: {verb} {asks}")
