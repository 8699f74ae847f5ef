"""Mutants of a source file: one operator, boundary, constant, order or word changed.

Left alone is what cannot change a result: docstrings, annotations, imports,
``__all__``, type aliases, blocks for type checkers, decorators, guards such as
``strict=True``, how much is worked on at once, the words of error messages, citations,
calls of R, and words of a sentence that carry no meaning for the result.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Node = Any
Change = Callable[[Node], Node]
"""Changes a node in place, or returns another in its place."""

SWAPPED: Mapping[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult,),
    ast.Pow: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
}
OPPOSITES = (
    *(("higher", "lower"), ("highest", "lowest"), ("better", "worse")),
    *(("best", "worst"), ("greater", "less"), ("larger", "smaller")),
    *(("largest", "smallest"), ("more", "fewer"), ("most", "least")),
    *(("above", "below"), ("before", "after"), ("with", "without")),
    *(("agree", "disagree"), ("agrees", "disagrees"), ("exact", "approximate")),
    *(("one-sided", "two-sided"), ("within", "between"), ("all", "some")),
    *(("independent", "dependent"), ("equal", "unequal"), ("valid", "invalid")),
    *(("non-inferior", "inferior"), ("equivalent", "different"), ("and", "or")),
    *(("narrower", "wider"), ("first", "last"), ("no", "every"), ("is", "is not")),
    *(("are", "are not"), ("does", "does not"), ("do", "do not"), ("can", "cannot")),
)
"""Words that carry the meaning of a sentence; longer ones are matched first."""
MEANING: Mapping[str, str] = dict(OPPOSITES) | {b: a for a, b in OPPOSITES}
WORDS = re.compile(
    r"(?<![\w-])(" + "|".join(sorted(MEANING, key=len, reverse=True)) + r")(?![\w-])"
    r"|(?<![\w.])\d{1,3}(?!\w)"  # numbers; of four digits they are years
)
SORTS = ("sort", "argsort")
NO_RESULT = ("strict", "stacklevel", "copy")
"""Arguments that guard or save, and change no result."""
AT_ONCE = ("AT_ONCE", "BATCH", "CACHED", "CELLS", "CHUNK")
"""Constants that say how much is worked on at once, which changes no result."""
CITATION = re.compile(r"\(\d{4}[a-z]?\)")
IN_R = ("r_call", "r_values", "r_arguments", "repeatable", "not_in_r")
"""Methods that tell R what to repeat; `pycompare validate` runs them."""
UNREACHABLE = ("AssertionError", "NotImplementedError")
WARNINGS_ONLY = ("errstate", "simplefilter", "filterwarnings", "TypeVar")


@dataclass(frozen=True)
class Mutant:
    """One file with one change.

    Attributes
    ----------
    file : str
    number, choice : int
        The node that is changed, in the order of ``ast.walk``, and how.
    lines : tuple of int
        First and last line of the statement that holds it.
    function : str or None
        Outermost function whose body holds it; None for what an import runs.
    start : int
        First line of that function.
    digest : str
        Of the source.
    """

    file: str
    number: int
    choice: int
    lines: tuple[int, int]
    function: str | None
    start: int
    digest: str

    @classmethod
    def of_json(cls, fields: dict[str, Any]) -> Mutant:
        """Return the mutant of fields that JSON has held."""
        first, last = fields.pop("lines")
        return cls(lines=(first, last), **fields)

    @property
    def key(self) -> str:
        """What tells it from every other mutant, of this source or another."""
        content = f"{self.file}\n{self.number}\n{self.choice}\n{self.digest}"
        return hashlib.sha256(content.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Place:
    """Where a node is: see ``Mutant``."""

    lines: tuple[int, int]
    function: str | None = None
    start: int = 0
    names: str = ""


def mutants(file: str, source: str) -> Iterator[Mutant]:
    """Yield every mutant of a file."""
    tree = ast.parse(source)
    places: dict[ast.AST, Place] = {}
    located(tree, Place((1, 1)), places)
    silent, specs = unmutated(tree), format_specs(tree)
    digest = hashlib.sha256(source.encode()).hexdigest()[:16]
    for number, node in enumerate(ast.walk(tree)):
        if node in silent:
            continue
        place = places[node]
        at = (place.lines, place.function, place.start, digest)
        for choice, _ in enumerate(changes(node, node in specs)):
            yield Mutant(file, number, choice, *at)


def changed(source: str, number: int, choice: int) -> tuple[ast.Module, str]:
    """Return a source with one node changed, and what it was and is in words."""
    tree = ast.parse(source)
    place = next(node for i, node in enumerate(ast.walk(tree)) if i == number)
    specs = format_specs(tree)
    around = surrounding(tree, place)
    before = shown(ast.unparse(around))
    change = list(changes(place, place in specs))[choice]
    made = ast.copy_location(change(place), place)
    if made is not place:
        tree = Replace(place, made).visit(tree)
        around = made if around is place else around
    after = shown(ast.unparse(ast.fix_missing_locations(around)))
    return ast.fix_missing_locations(tree), f"`{before}` → `{after}`"


def surrounding(tree: ast.AST, place: Node) -> Node:
    """Return what is shown of a change: of a constant what it is part of."""
    if not isinstance(place, ast.Constant):
        return place
    for node in ast.walk(tree):
        if any(child is place for child in ast.iter_child_nodes(node)):
            return node if isinstance(node, ast.expr | ast.keyword) else place
    return place


class Replace(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old: Node, new: Node) -> None:
        self.old, self.new = old, new

    def visit(self, node: Node) -> Node:
        """Return the new node for the old one."""
        return self.new if node is self.old else self.generic_visit(node)


def shown(code: str) -> str:
    """Return code as a cell of a table has it."""
    flat = " ".join(code.split()).replace("|", "\\|").replace("`", "'")
    return flat if len(flat) <= 90 else f"{flat[:87]}..."


# ---- where nodes are, and which are left alone --------------------------------------


def located(node: ast.AST, place: Place, places: dict[ast.AST, Place]) -> None:
    """Write down for each node the statement and the outermost function it is in."""
    if isinstance(node, ast.stmt):
        place = Place(header(node), place.function, place.start, place.names)
    places[node] = place
    bodies: set[ast.stmt] = set()
    inner = place
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        inner = inside(node, place)
        bodies = set(node.body)
    for child in ast.iter_child_nodes(node):
        located(child, inner if child in bodies else place, places)


def inside(node: Node, place: Place) -> Place:
    """Return the place of the body of a function or class."""
    if place.function is not None:
        return place
    name = f"{place.names}{node.name}"
    if isinstance(node, ast.ClassDef):
        return Place(place.lines, None, 0, f"{name}.")
    first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
    return Place(place.lines, name, first)


def header(node: Node) -> tuple[int, int]:
    """Return the lines of a statement without the statements in it."""
    body = getattr(node, "body", None)
    if not body:
        return node.lineno, node.end_lineno
    return node.lineno, max(node.lineno, body[0].lineno - 1)


def unmutated(tree: ast.AST) -> set[ast.AST]:
    """Return the nodes that are left alone, with all that is in them."""
    found = (part for node in ast.walk(tree) for part in left_alone(node))
    return {inner for part in found for inner in ast.walk(part)}


def left_alone(node: Node) -> Iterator[ast.AST]:
    """Yield the parts of a node that cannot change a result."""
    for name in ("annotation", "returns"):
        if (part := getattr(node, name, None)) is not None:
            yield part
    yield from getattr(node, "decorator_list", ())
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield node
    elif isinstance(node, ast.ImportFrom | ast.Import):
        yield node
    elif isinstance(node, ast.FunctionDef) and node.name in IN_R:
        yield node
    elif isinstance(node, ast.Assign) and of_no_result(node):
        yield node
    elif isinstance(node, ast.If) and named(node.test) == "TYPE_CHECKING":
        yield node
    elif isinstance(node, ast.Raise):
        yield from unworded(node.exc)
    elif isinstance(node, ast.Call) and at_once(node):
        yield node
    elif isinstance(node, ast.Subscript) and named(node.value) == "Literal":
        yield node
    elif isinstance(node, ast.keyword) and node.arg in NO_RESULT:
        yield node
    elif isinstance(node, ast.Call) and named(node.func) in WARNINGS_ONLY:
        yield node
    elif isinstance(node, ast.Call) and named(node.func) == "cast":
        yield node.args[0]


def of_no_result(node: ast.Assign) -> bool:
    """Tell whether an assignment makes ``__all__``, a type or the size of pieces."""
    name = named(node.targets[0]).lstrip("_")
    if name in AT_ONCE:
        return True
    types = ast.Subscript | ast.BinOp
    camel = name[:1].isupper() and not name.isupper()
    return name == "all__" or (camel and isinstance(node.value, types))


def unworded(node: Node) -> Iterator[ast.AST]:
    """Yield the words of an exception; all of one that cannot be reached."""
    if named(getattr(node, "func", node)) in UNREACHABLE:
        yield node
    for inner in ast.walk(node) if node is not None else ():
        text = isinstance(inner, ast.Constant) and isinstance(inner.value, str)
        if text or isinstance(inner, ast.JoinedStr):
            yield inner


def at_once(node: ast.Call) -> bool:
    """Tell whether ``max(1, size // size)`` says how much is worked on at once."""
    if named(node.func) != "max" or len(node.args) != 2:
        return False
    least, share = node.args
    divided = isinstance(share, ast.BinOp) and isinstance(share.op, ast.FloorDiv)
    return divided and isinstance(least, ast.Constant) and least.value == 1


def named(node: Node) -> str:
    """Return the last part of a name; empty for anything else."""
    return getattr(node, "attr", None) or getattr(node, "id", None) or ""


def format_specs(tree: ast.AST) -> set[ast.expr]:
    """Return the nodes of the formats in f-strings, and the pieces between."""
    found: set[ast.expr] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            found.update(node.values)
    return found


# ---- operators ----------------------------------------------------------------------


def changes(node: Node, piece: bool = False) -> Iterator[Change]:
    """Yield the changes of one node; ``piece``: of an f-string."""
    if isinstance(node, ast.Compare):
        for at, operator in enumerate(node.ops):
            for other in SWAPPED.get(type(operator), ()):
                yield compared(at, other)
    elif isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign):
        for other in SWAPPED.get(type(node.op), ()):
            yield put("op", other())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield lambda n: n.operand
    elif isinstance(node, ast.If | ast.IfExp) and not flipped_elsewhere(node.test):
        yield lambda n: keep(n, test=negated(n.test))
    elif isinstance(node, ast.comprehension):
        for at, test in enumerate(node.ifs):
            if not flipped_elsewhere(test):
                yield other_filter(at)
    elif isinstance(node, ast.Return) and not constant(node.value):
        yield put("value", ast.Constant(None))
    elif isinstance(node, ast.Slice):
        yield from of_slice(node)
    elif isinstance(node, ast.Call):
        yield from of_order(node)
    elif isinstance(node, ast.Constant):
        for other in others(node.value, piece):
            yield put("value", other)


def compared(at: int, other: type[ast.AST]) -> Change:
    """Return the change of one comparison of a chain."""

    def change(node: Node) -> Node:
        node.ops[at] = other()
        return node

    return change


def other_filter(at: int) -> Change:
    """Return the negation of one condition of a comprehension."""

    def change(node: Node) -> Node:
        node.ifs[at] = negated(node.ifs[at])
        return node

    return change


def put(name: str, value: Any) -> Change:
    """Return the change of one field."""
    return lambda node: keep(node, **{name: value})


def keep(node: Node, **fields: Any) -> Node:
    """Return the node with some fields changed."""
    for name, value in fields.items():
        setattr(node, name, value)
    return node


def negated(test: Node) -> ast.UnaryOp:
    """Return the negation of a condition."""
    return ast.UnaryOp(ast.Not(), test)


def flipped_elsewhere(test: Node) -> bool:
    """Tell whether another operator negates this condition."""
    if isinstance(test, ast.UnaryOp):
        return isinstance(test.op, ast.Not)
    either_or = ast.Eq | ast.NotEq | ast.In | ast.NotIn | ast.Is | ast.IsNot
    return isinstance(test, ast.Compare) and isinstance(test.ops[0], either_or)


def constant(node: Node) -> bool:
    """Tell whether a value is nothing or a constant, which has its own mutants."""
    return node is None or isinstance(node, ast.Constant)


def of_slice(node: ast.Slice) -> Iterator[Change]:
    """Yield bounds moved by one; constants have their own mutants."""
    for name in ("lower", "upper"):
        bound = getattr(node, name)
        if bound is not None and not isinstance(bound, ast.Constant):
            yield put(name, ast.BinOp(bound, ast.Add(), ast.Constant(1)))
    if node.lower is None and node.upper is not None:
        yield put("lower", ast.Constant(1))


def of_order(node: ast.Call) -> Iterator[Change]:
    """Yield the reversal of a sorted order."""
    if named(node.func) == "sorted":
        yield backwards
    elif named(node.func) in SORTS and named(getattr(node.func, "value", 0)) == "np":
        last = ast.Slice(None, None, ast.UnaryOp(ast.USub(), ast.Constant(1)))
        at = ast.Tuple([ast.Constant(...), last], ast.Load())
        yield lambda n: ast.Subscript(n, at, ast.Load())


def backwards(node: Node) -> Node:
    """Reverse a call of ``sorted``."""
    given = [one for one in node.keywords if one.arg == "reverse"]
    rest = [one for one in node.keywords if one.arg != "reverse"]
    flag = negated(given[0].value) if given else ast.Constant(True)
    return keep(node, keywords=[*rest, ast.keyword("reverse", flag)])


def others(value: Any, piece: bool) -> Iterator[Any]:
    """Yield other constants of the same type."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield value + 1
        if value == 1:
            yield type(value)(0)
    elif isinstance(value, str) and not CITATION.search(value):
        yield from other_words(value)
        if value.strip() and not piece and " " not in value:
            yield f"XX{value}"


def other_words(text: str) -> Iterator[str]:
    """Yield a sentence with one word of meaning, or one number, changed."""
    for found in WORDS.finditer(text):
        word = found.group()
        other = MEANING.get(word) or str(int(word) + 1)
        yield f"{text[: found.start()]}{other}{text[found.end() :]}"
    without = re.sub(r"\bnot ", "", text)
    if without != text:
        yield without
