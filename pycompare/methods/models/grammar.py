"""Model formulas, read by us: nothing that a user writes is ever evaluated.

::

    formula  = response "~" expression
    response = column | "cbind(" column {"," column} ")"
    expression: + - : * / ^ %in% ( ) 0 1, with the meaning they have in R
    column   = name | `name` | "name" | C(name) | log(name) | sqrt(name)
             | center(name) | scale(name) | poly(name, degree)

The algebra is that of Wilkinson and Rogers (1973): an expression is a list of terms, a
term is a set of columns, and terms are ordered by how many columns they have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NoReturn

from pycompare.base.errors import InputError
from pycompare.base.labels import show

_TRANSFORMS = ("C", "log", "sqrt", "center", "scale", "poly")
_MOST_CHARACTERS, _MOST_TERMS, _MOST_DEGREE, _MOST_DEPTH = 1_000_000, 500, 12, 50
"""Limits that keep a formula of a wrong file from using up memory."""
_RANDOM_SLOPES = (
    "random slopes are not supported, units have random intercepts: name the units in "
    "within, such as within='data/fold'; for effects of a factor that differ between "
    "units name their cells as units too, such as within='data/learner'"
)
_INTERCEPTS = re.compile(r"\(\s*1\s*\|\s*([^|()]*(?:\([^|()]*\)[^|()]*)*)\)")
"""Random intercepts as lme4 writes them: (1 | block)."""
_FOREIGN = {
    "Error": "leave it out and name the units in within, such as within='{inner}'",
    "factor": "write C({inner})",
    "as.factor": "write C({inner})",
    "ordered": "write C({inner}); method='polynomial' compares trends of its means",
    "I": "compute such a column beforehand",
    "Q": "write the name in backticks: `{bare}`",
    "offset": "subtract it from the response beforehand",
    "np.log": "write log({inner})",
    "np.sqrt": "write sqrt({inner})",
    "standardize": "write scale({inner})",
}
"""What R and statsmodels have, and what to write here."""
_POWER = re.compile(r"\s*([\w.]+)\s*(?:\^|\*\*)\s*(\d+)\s*")
"""A power of a number, as within I()."""
_CODED = re.compile(r"\bC\(([^(),]+),[^()]*\(?[^()]*$")
_QUOTED = re.compile(r"\bQ\(\s*$")
_CODING = (
    "the coding of groups changes no test; type=3 has effects that sum to zero, and "
    "method='control', control='...' of contrasts compares with one level"
)
_TOKEN = re.compile(
    r"\s*(?:(?P<quoted>`[^`]*`|\"[^\"]*\")|(?P<number>\d+)(?![\w.])"
    r"|(?P<name>[^\W\d][\w.]*)|(?P<operator>%in%|[-+:*/^()~,]))"
)


@dataclass(frozen=True)
class Factor:
    """One column of the data in a formula, as it is or transformed.

    Attributes
    ----------
    column : str
        Name in the data.
    transform : str
        One of ``_TRANSFORMS``, or empty.
    degree : int
        Of ``poly``; else 0.
    """

    column: str
    transform: str = ""
    degree: int = 0

    @property
    def label(self) -> str:
        """How results call it: as the user wrote it, without quotes."""
        inner = f"{self.column}, {self.degree}" if self.degree else self.column
        return f"{self.transform}({inner})" if self.transform else self.column


Term = tuple[Factor, ...]
CONSTANT: Term = ()


@dataclass(frozen=True)
class Formula:
    """A formula as it was read.

    Attributes
    ----------
    text : str
    responses : tuple of Factor
    terms : tuple of tuple of Factor
        Ordered by degree, then as written; without the constant.
    constant : bool
        Whether the model has an intercept.
    """

    text: str
    responses: tuple[Factor, ...]
    terms: tuple[Term, ...]
    constant: bool


def label_of(term: Term) -> str:
    """Return what results call a term."""
    return ":".join(factor.label for factor in term) if term else "(constant)"


def written(column: str) -> str:
    """Return a column as a formula has it: in quotes if it is no word."""
    match = _TOKEN.fullmatch(column)
    if match and match.lastgroup == "name" and column == match["name"]:
        return column
    return f'"{column}"' if "`" in column else f"`{column}`"


def read_formula(text: str) -> Formula:
    """Read ``response ~ terms``.

    Raises
    ------
    InputError
        With the position, what stands there, and what may stand there.
    """
    reader = Reader(text, "formula")
    responses = reader.responses()
    reader.take("~", "the response and the terms are divided by one ~")
    terms = reader.everything()
    ordered = tuple(sorted((t for t in terms if t), key=len))
    return Formula(text, responses, ordered, CONSTANT in terms)


def read_terms(text: str, parameter: str) -> tuple[Term, ...]:
    """Read the right side of a formula, such as the strata ``dataset/fold``."""
    terms = Reader(text, parameter, constant=False).everything()
    return tuple(sorted((t for t in terms if t), key=len))


class Reader:
    """A recursive-descent reader of one text."""

    def __init__(self, text: str, parameter: str, constant: bool = True) -> None:
        if not isinstance(text, str):
            raise InputError(f"{parameter}={text!r}: give text")
        if len(text) > _MOST_CHARACTERS:
            raise InputError(
                f"{parameter} has {len(text)} characters, more than {_MOST_CHARACTERS}"
            )
        self.text, self.parameter, self.at = text, parameter, 0
        self.tokens = list(self.tokenised())
        self.constant = constant
        self.depth = 0

    def tokenised(self) -> Iterator[tuple[str, str, int]]:
        """Yield kind, text and position of each token, and the end."""
        at, end = 0, len(self.text.rstrip())
        while at < end:
            match = _TOKEN.match(self.text, at)
            if match is None:
                start = end - len(self.text[at:end].lstrip())
                if self.text[start] == "|":
                    self.refuse(start, "'|'", self.about_random())
                if coded := _CODED.search(self.text[:start]):
                    self.refuse(coded.start(), "C(..., ...)", _coding(coded[1]))
                if _QUOTED.search(self.text[:start]):
                    self.refuse(start, "Q(", "write the name in backticks: `my score`")
                if self.text[start] == "." and self.parameter == "formula":
                    self.refuse(start, "'.'", "name the columns: y ~ a + b")
                self.refuse(
                    start,
                    show(self.text[start]),
                    "operators are + - : * / ^ %in% ( ) ~; other names go in backticks",
                )
            kind = str(match.lastgroup)
            yield kind, match[kind], match.start(kind)
            at = match.end()
        yield "end", "", len(self.text)

    def about_random(self) -> str:
        """Return what to write for random effects."""
        intercepts = _INTERCEPTS.findall(self.text)
        if len(intercepts) < self.text.count("|"):
            return _RANDOM_SLOPES
        units = " + ".join(intercept.strip() for intercept in intercepts)
        return (
            f"units have random intercepts: leave (1 | ...) out and name them in "
            f"within, such as within='{units}'"
        )

    def refuse(self, position: int, what: str, advice: str) -> NoReturn:
        """Raise, with the place and what to do."""
        raise InputError(
            f"{self.parameter}, character {position + 1}: {what}; {advice}"
        )

    @property
    def next(self) -> str:
        """The text of the next token, empty unless it is an operator."""
        kind, text, _ = self.tokens[self.at]
        return text if kind == "operator" else ""

    def take(self, operator: str, advice: str) -> None:
        """Go past an operator that has to stand here."""
        kind, text, position = self.tokens[self.at]
        if self.next != operator:
            what = "the end" if kind == "end" else show(text)
            self.refuse(position, f"{what} where {operator} is expected", advice)
        self.at += 1

    def accept(self, *operators: str) -> str:
        """Go past one of some operators if it stands here, and return it."""
        operator = self.next if self.next in operators else ""
        self.at += bool(operator)
        return operator

    def everything(self) -> tuple[Term, ...]:
        """Read an expression up to the end of the text."""
        terms = self.sums()
        kind, text, position = self.tokens[self.at]
        if kind != "end":
            self.refuse(position, show(text), "an operator is expected between terms")
        return terms

    # ---- expressions, loosest first -------------------------------------------------

    def sums(self) -> tuple[Term, ...]:
        """Read ``a + b - c``; the constant is there unless taken away."""
        collected: tuple[Term, ...] = (CONSTANT,) if self.constant else ()
        sign = self.accept("+", "-") or "+"
        while True:
            terms = self.products()
            if terms == _ZERO:  # + 0 takes the constant away, - 0 adds it
                sign, terms = ("-" if sign == "+" else "+"), (CONSTANT,)
            collected = (
                _union(collected, terms)
                if sign == "+"
                else tuple(t for t in collected if t not in terms)
            )
            self.limit(collected)
            sign = self.accept("+", "-")
            if not sign:
                return collected

    def products(self) -> tuple[Term, ...]:
        """Read ``a * b`` and ``a / b``."""
        left = self.nested()
        while operator := self.accept("*", "/"):
            if operator == "*" and self.next == "*":
                self.refuse(
                    self.tokens[self.at][2] - 1,
                    "'**'",
                    "for the square of a number write poly(x, 2), for interactions "
                    "(a + b)^2",
                )
            right = self.nested()
            if operator == "*":
                left = _union(left, right, _crossed(left, right))
            else:
                inside = _joined_terms(left)
                left = _union(left, _crossed((inside,), right))
            self.limit(left)
        return left

    def nested(self) -> tuple[Term, ...]:
        """Read ``a %in% b``: the interaction alone."""
        terms = self.interactions()
        while self.accept("%in%"):
            terms = _crossed(terms, self.interactions())
            self.limit(terms)
        return terms

    def interactions(self) -> tuple[Term, ...]:
        """Read ``a:b``."""
        terms = self.powers()
        while self.accept(":"):
            terms = _crossed(terms, self.powers())
            self.limit(terms)
        return terms

    def powers(self) -> tuple[Term, ...]:
        """Read ``(a + b)^2``: all interactions of at most so many."""
        terms = self.parts()
        while self.accept("^"):
            base, position = terms, self.tokens[self.at][2] - 1
            power = self.whole("after ^")
            if power > 1 and len(base) == 1 and len(base[0]) == 1:
                name = written(base[0][0].column)
                self.refuse(
                    position,
                    f"'^{power}'",
                    f"{name}^{power} of a number is {name} in a formula; for a curve "
                    f"write poly({name}, {power})",
                )
            for _ in range(power - 1):
                terms = _union(terms, _crossed(terms, base))
                self.limit(terms)
        return terms

    def parts(self) -> tuple[Term, ...]:
        """Read a column, a number, or an expression in brackets."""
        kind, text, position = self.tokens[self.at]
        if self.accept("("):
            return self.brackets(position)
        if kind == "number":
            self.at += 1
            if text not in ("0", "1"):
                self.refuse(position, show(text), "the only numbers are 0 and 1")
            return (CONSTANT,) if text == "1" else _ZERO
        return ((self.factor(),),)

    def brackets(self, position: int) -> tuple[Term, ...]:
        """Read an expression whose opening bracket was read."""
        self.depth += 1
        if self.depth > _MOST_DEPTH:
            self.refuse(
                position, "too many open brackets", f"use {_MOST_DEPTH} at most"
            )
        outer, self.constant = self.constant, False
        terms = self.sums()
        self.constant = outer
        self.depth -= 1
        self.take(")", "a bracket is open")
        return terms

    # ---- columns --------------------------------------------------------------------

    def responses(self) -> tuple[Factor, ...]:
        """Read what stands before ~."""
        _, text, _ = self.tokens[self.at]
        if not (text == "cbind" and self.tokens[self.at + 1][1] == "("):
            first = self.response()
            if self.next == "+":
                self.refuse(
                    self.tokens[self.at][2],
                    "'+' before ~",
                    f"write cbind({', '.join(self.before_tilde())})",
                )
            return (first,)
        self.at += 2
        responses = [self.response()]
        while self.accept(","):
            responses.append(self.response())
        self.take(")", "cbind( is closed after the last response")
        if len(set(responses)) < len(responses):
            self.refuse(0, "a response appears in cbind() twice", "leave one out")
        return tuple(responses)

    def response(self) -> Factor:
        """Read one response: a column, its logarithm or its square root."""
        position = self.tokens[self.at][2]
        factor = self.factor()
        if factor.transform not in ("", "log", "sqrt"):
            self.refuse(
                position, factor.label, "a response is a column, log() or sqrt() of one"
            )
        return factor

    def factor(self) -> Factor:
        """Read one column, perhaps transformed."""
        kind, text, position = self.tokens[self.at]
        if kind not in ("name", "quoted"):
            what = "the end" if kind == "end" else show(text)
            self.refuse(position, what, "the name of a column is expected")
        self.at += 1
        if kind == "quoted":
            if len(text) == 2:
                self.refuse(position, "a name without letters", "name a column")
            return Factor(text[1:-1])
        if self.next != "(":
            return Factor(text)
        if text in _FOREIGN:
            within = self.inner()
            advice = _FOREIGN[text].format(inner=within, bare=within.strip('"`'))
            if text == "I" and (power := _POWER.fullmatch(within)):
                advice = f"for a curve write poly({power[1]}, {power[2]})"
            self.refuse(position, f"{text}(", advice)
        if text not in _TRANSFORMS:
            self.refuse(
                position,
                f"{text}(",
                f"the functions are {', '.join(_TRANSFORMS)}; compute other columns "
                f"beforehand",
            )
        self.at += 1
        inner = self.factor()
        if inner.transform:
            self.refuse(position, f"{text}({inner.label})", "one function is the most")
        degree = 0
        if text == "poly":
            self.take(",", "write poly(name, degree)")
            degree = self.whole("as the degree")
        if text == "C" and self.next == ",":
            self.refuse(position, "C(..., ...)", _coding(written(inner.column)))
        self.take(")", f"{text}( is open")
        return Factor(inner.column, text, degree)

    def before_tilde(self) -> list[str]:
        """Return the parts before ~, as they are written."""
        return [part.strip() for part in self.text.split("~")[0].split("+")]

    def inner(self) -> str:
        """Return the text within the bracket that is next."""
        start, depth = self.tokens[self.at][2] + 1, 0
        for kind, text, position in self.tokens[self.at :]:
            depth += (kind == "operator") * ((text == "(") - (text == ")"))
            if depth == 0:
                return self.text[start:position].strip()
        return "..."

    def whole(self, where: str) -> int:
        """Read a whole number from 1 on."""
        kind, text, position = self.tokens[self.at]
        if kind != "number" or not 1 <= int(text) <= _MOST_DEGREE:
            self.refuse(
                position,
                show(text) if text else "the end",
                f"{where} a whole number from 1 to {_MOST_DEGREE} is expected",
            )
        self.at += 1
        return int(text)

    def limit(self, terms: tuple[Term, ...]) -> None:
        """Reject more terms than any model has, and 0 as a part of a term."""
        if any(f.transform == "constant" for term in terms for f in term):
            self.refuse(
                self.tokens[self.at][2],
                "the number 0 within a term",
                "0 stands alone, between + or -, and takes the constant away",
            )
        if len(terms) > _MOST_TERMS:
            self.refuse(
                self.tokens[self.at][2],
                f"{len(terms)} terms",
                f"a model has {_MOST_TERMS} at most",
            )


_ZERO: tuple[Term, ...] = ((Factor("0", "constant"),),)
"""The reading of the number 0, until it takes the constant away."""


def _coding(column: str) -> str:
    """Return the reason why groups have no coding here."""
    return f"write C({column.strip()}): {_CODING}"


def _ordered_set(factors: Iterable[Factor]) -> tuple[Factor, ...]:
    """Return factors once each, as they come."""
    return tuple(dict.fromkeys(factors))


def _union(*parts: Iterable[Term]) -> tuple[Term, ...]:
    """Return terms once each; the order of the columns within makes no other term."""
    known: dict[frozenset[Factor], Term] = {}
    for part in parts:
        for term in part:
            known.setdefault(frozenset(term), term)
    return tuple(known.values())


def _crossed(left: Iterable[Term], right: Iterable[Term]) -> tuple[Term, ...]:
    """Return the interactions of each term on the left with each on the right."""
    rights = tuple(right)
    return _union(
        _ordered_set((*term, *other_term)) for term in left for other_term in rights
    )


def _joined_terms(terms: Iterable[Term]) -> Term:
    """Return all columns of some terms as one term, as in ``(a + b)/c``."""
    return _ordered_set(factor for term in terms for factor in term)
