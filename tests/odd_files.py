"""Valid files that nobody would write: cells, rows, labels, dialects and types.

Bytes changed at random (``tests.byte_fuzz``) mostly break a file, and a reader refuses
it at the first check. What is changed here keeps a file well formed.
"""

from __future__ import annotations

import copy
import csv
import io
import json
import random
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

Rows = list[list[str]]
Draw = random.Random
Odd = Callable[[bytes, Draw], bytes]

LABELS = (
    *("nan", "NA", "None", "True", "1", "1.0", "1e3", "2024-01-01", "9007199254740993"),
    *("Ω", "e\u0301", "\u00e9", "决策树", "😀", " A", "A ", "a,b", 'a"b', "a'b", "a;b"),
    *("=1+1", "-x", "%s {0}", "<script>", "$\\alpha_1$", "x" * 400, "a\tb", "__x"),
    *("C4.5", "c4.5", "index", "dataset", "algorithm", "first", "../x", "0x1F", "#"),
)
HUGE = (1e-300, 1e300, 4e-320, 1e-9, 1e9, 2.0**53)


def is_number(cell: str) -> bool:
    """Return whether a cell is a number."""
    try:
        float(cell)
    except ValueError:
        return False
    return True


def respelled(cell: str, draw: Draw) -> str:
    """Write a number in another way, mostly the same number."""
    x = float(cell)
    ways = (repr(x), f"{x:.17e}", f"{x:+f}", f"{x:.30f}", f" {cell} ", cell + "0" * 30)
    others = (repr(x / 3), "-0.0", "0", "1", "NaN", "inf", "1e309", "5e-324", "1E-3")
    return draw.choice(ways + others)


# ---- tables --------------------------------------------------------------------------


def edited(rows: Rows, draw: Draw) -> Rows:
    """Change some cells, rows or columns of a table; it stays a table."""
    rows = [list(row) for row in rows]
    for _ in range(draw.choice((1, 1, 2, 3))):
        rows = draw.choice(EDITS)(rows, draw)
    return rows


def _numeric(rows: Rows) -> list[int]:
    """Return columns whose cells are numbers."""
    return [
        at for at in range(len(rows[0])) if all(is_number(row[at]) for row in rows[1:])
    ] or [len(rows[0]) - 1]


def _spelling(rows: Rows, draw: Draw) -> Rows:
    for row in draw.sample(rows[1:], min(len(rows) - 1, draw.choice((1, 3, 1000)))):
        at = draw.choice(_numeric(rows))
        if is_number(row[at]):
            row[at] = respelled(row[at], draw)
    return rows


def _ties(rows: Rows, draw: Draw) -> Rows:
    at = draw.choice(_numeric(rows))
    held = [row[at] for row in rows[1:]]
    few = draw.sample(held, min(len(held), draw.choice((1, 2, 3))))
    for row in rows[1:]:
        row[at] = draw.choice(few)
    return rows


def _unit(rows: Rows, draw: Draw) -> Rows:
    """Give one numeric column, or all of them, another unit."""
    unit = draw.choice(HUGE)
    shift = draw.choice((0, 0, 0, 10**15))
    for at in draw.choice((_numeric(rows), [draw.choice(_numeric(rows))])):
        for row in rows[1:]:
            if is_number(row[at]):
                row[at] = repr(float(row[at]) * unit + shift)
    return rows


def _whole_numbers(rows: Rows, draw: Draw) -> Rows:
    words = draw.choice((("0", "1"), ("true", "false"), (str(2**53), str(2**53 + 1))))
    for row in rows[1:]:
        row[draw.choice(_numeric(rows))] = draw.choice(words)
    return rows


def _same_columns(rows: Rows, draw: Draw) -> Rows:
    """Make two numeric columns equal but for their names."""
    one, other = (draw.choice(_numeric(rows)) for _ in range(2))
    for row in rows[1:]:
        row[one] = row[other]
    return rows


def _relabelled(rows: Rows, draw: Draw) -> Rows:
    """Give a label another name wherever a column has it."""
    at = draw.randrange(len(rows[0]))
    old, new = draw.choice(rows[1:])[at], draw.choice(LABELS)
    for row in rows[1:]:
        row[at] = new if row[at] == old else row[at]
    return rows


def _renamed(rows: Rows, draw: Draw) -> Rows:
    rows[0][draw.randrange(len(rows[0]))] = draw.choice(LABELS)
    return rows


def _one_label(rows: Rows, draw: Draw) -> Rows:
    """Keep the rows with one of the labels of a column."""
    at = draw.randrange(len(rows[0]))
    kept = draw.choice(rows[1:])[at]
    return [rows[0], *(row for row in rows[1:] if row[at] == kept)]


def _twice(rows: Rows, draw: Draw) -> Rows:
    rows.insert(draw.randrange(1, len(rows) + 1), list(draw.choice(rows[1:])))
    return rows


def _many(rows: Rows, draw: Draw) -> Rows:
    """Repeat all rows with other labels in their first column."""
    more = [
        [f"{row[0]} {n}", *row[1:]]
        for n in range(draw.choice((1, 5, 30)))
        for row in rows[1:]
    ]
    return [*rows, *more]


def _fewer(rows: Rows, draw: Draw) -> Rows:
    kept = draw.sample(rows[1:], draw.randrange(1, len(rows)))
    return [rows[0], *kept]


def _shuffled(rows: Rows, draw: Draw) -> Rows:
    body = draw.sample(rows[1:], len(rows) - 1)
    order = draw.sample(range(len(rows[0])), len(rows[0]))
    return [[row[at] for at in order] for row in (rows[0], *body)]


def _one_more_column(rows: Rows, draw: Draw) -> Rows:
    name, cell = draw.choice(LABELS), draw.choice(("", "x", "0.5", "NA"))
    return [[*rows[0], name], *([*row, cell] for row in rows[1:])]


EDITS = (
    *(_spelling, _spelling, _ties, _unit, _whole_numbers, _same_columns, _relabelled),
    *(_relabelled, _renamed, _one_label, _twice, _many, _fewer, _shuffled),
    _one_more_column,
)


# ---- how a table is written ----------------------------------------------------------


def as_csv(rows: Rows, draw: Draw) -> bytes:
    """Write a table with a dialect of CSV."""
    stream = io.StringIO(newline="")
    quoting = draw.choice((csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
    writer = csv.writer(stream, quoting=quoting, lineterminator="\n")
    writer.writerows(rows)
    return lines_as(stream.getvalue(), draw)


def lines_as(text: str, draw: Draw) -> bytes:
    """Write lines with line ends of several kinds, with a BOM, with blank lines."""
    lines = text.splitlines(keepends=False)
    ends = draw.choice((("\n",), ("\n",), ("\r\n",), ("\n", "\r\n")))
    body = "".join(line + draw.choice(ends) for line in lines)
    before = draw.choice(("", "", "", "\ufeff"))
    after = draw.choice(("", "", "\n", "\r\n\r\n"))
    return (before + body + after).encode("utf-8", "surrogatepass")


def as_frame(rows: Rows, draw: Draw) -> pd.DataFrame:
    """Return a table with columns of several types."""
    columns = {}
    for at, name in enumerate(rows[0]):
        cells = pd.Series([row[at] for row in rows[1:]], dtype=object)
        if len(cells) and all(map(is_number, cells)):
            numbers = cells.map(float)
            kind = draw.choice(("float64", "float64", "float64", "float32", "object"))
            if (numbers.abs() < 2**31).all() and (numbers == numbers.round()).all():
                kind = draw.choice(("int64", "Int64", "int8", "boolean", "float64"))
            columns[name] = _as_type(numbers, kind)
        else:
            kind = draw.choice(("object", "string", "category", "datetime64[ns]"))
            columns[name] = _as_type(cells, kind)
    frame = pd.DataFrame(columns)
    if draw.random() < 0.1:
        frame = frame.set_index(frame.columns[0])
    return frame


def _as_type(cells: pd.Series, kind: str) -> pd.Series:
    """Return cells as a type, or as they are if they are none of that type."""
    try:
        with np.errstate(over="ignore"):
            return cells.astype(kind)
    except (TypeError, ValueError, OverflowError):
        return cells


def as_parquet(rows: Rows, draw: Draw) -> bytes:
    """Write a table as Parquet, with any compression and size of row groups."""
    stream = io.BytesIO()
    as_frame(rows, draw).to_parquet(
        stream,
        compression=draw.choice(("snappy", "gzip", "zstd", None)),
        row_group_size=draw.choice((1, 7, 1000)),
        use_dictionary=draw.choice((True, False)),
    )
    return stream.getvalue()


def as_feather(rows: Rows, draw: Draw) -> bytes:
    """Write a table as Feather."""
    stream = io.BytesIO()
    frame = as_frame(rows, draw).reset_index(drop=True)
    frame.to_feather(stream, compression=draw.choice(("lz4", "zstd", "uncompressed")))
    return stream.getvalue()


def as_trec(rows: Rows, draw: Draw) -> bytes:
    """Write measures, queries and values, apart by blanks."""
    apart = draw.choice(("\t", " ", "   \t"))
    return lines_as("\n".join(apart.join(row) for row in rows[1:]), draw)


def odd(table: Callable[[bytes], Rows], write: Callable[[Rows, Draw], bytes]) -> Odd:
    """Return what changes files of a kind by their cells."""
    return lambda data, draw: write(edited(table(data), draw), draw)


def csv_table(data: bytes) -> Rows:
    """Return the cells of a CSV file."""
    return list(csv.reader(io.StringIO(data.decode(), newline="")))


def parquet_table(data: bytes) -> Rows:
    """Return the cells of a Parquet file."""
    return _cells(pd.read_parquet(io.BytesIO(data)))


def feather_table(data: bytes) -> Rows:
    """Return the cells of a Feather file."""
    return _cells(pd.read_feather(io.BytesIO(data)))


def trec_table(data: bytes) -> Rows:
    """Return measures, queries and values, below a header."""
    body = [line.split() for line in data.decode().splitlines()]
    return [["measure", "query", "value"], *body]


def _cells(frame: pd.DataFrame) -> Rows:
    return [list(frame), *frame.map(str).values.tolist()]


odd_csv = odd(csv_table, as_csv)
odd_parquet = odd(parquet_table, as_parquet)
odd_feather = odd(feather_table, as_feather)
odd_trec = odd(trec_table, as_trec)

# ---- ARFF, JSON and TOML -------------------------------------------------------------


def odd_arff(data: bytes, draw: Draw) -> bytes:
    """Change the rows of an ARFF file, and now and then its header."""
    head, _, body = data.decode().partition("@data")
    lines = [line for line in head.splitlines() if line.startswith("@attribute")]
    names = [line.split()[1] for line in lines]
    kinds = [line.split(maxsplit=2)[2] for line in lines]
    rows = edited([names, *csv.reader(body.strip().splitlines(), quotechar="'")], draw)
    known = dict(zip(names, kinds, strict=True))
    keyword = draw.choice(("@attribute", "@ATTRIBUTE"))
    told = [
        f"{keyword} {_quoted(name)} {_declared(known.get(name, 'string'), draw)}"
        for name in rows[0]
    ]
    text = ["@relation " + draw.choice(("x", "'a b'", "InstanceResultListener")), *told]
    text += [draw.choice(("@data", "@DATA")), draw.choice(("", "% a comment"))]
    text += [",".join(map(_quoted, row)) for row in rows[1:]]
    return lines_as("\n".join(text), draw)


def _declared(kind: str, draw: Draw) -> str:
    """Declare an attribute, a nominal one mostly as any string."""
    if kind.startswith("{"):
        return draw.choice(("string", "string", kind))
    return draw.choice((kind, kind, "real", "NUMERIC"))


def _quoted(cell: str) -> str:
    if cell and all(c.isalnum() or c in "._-+" for c in cell):
        return cell
    return "'" + cell.replace("\\", "\\\\").replace("'", "\\'") + "'"


def odd_json(data: bytes, draw: Draw) -> bytes:
    """Change values of JSON, a document or one each line; it stays JSON."""
    text = data.decode()
    lines = [text] if text.startswith("{\n") else text.splitlines()
    held = [json.loads(line) for line in lines]
    for _ in range(draw.choice((1, 1, 2, 3))):
        change = draw.choice((_one_value, _one_value, _line_twice, _key, _member))
        change(held, draw)
    told = [_spelled(one, draw, alone=len(lines) == 1) for one in held]
    return lines_as("\n".join(told), draw) if len(told) > 1 else told[0].encode()


def _spelled(held: Any, draw: Draw, alone: bool) -> str:
    ascii_only = draw.choice((True, False))
    indent = draw.choice((None, 4)) if alone else None
    order = draw.choice((False, True))
    text = json.dumps(held, ensure_ascii=ascii_only, indent=indent, sort_keys=order)
    return text.encode("utf-8", "replace").decode()


def _places(held: Any) -> list[tuple[Any, Any]]:
    """Return all owners of values, with the keys of their values."""
    if isinstance(held, dict):
        own = [(held, key) for key in held]
    elif isinstance(held, list):
        own = [(held, at) for at in range(len(held))]
    else:
        return []
    return own + [place for _, key in own for place in _places(held[key])]


def _one_value(held: list[Any], draw: Draw) -> None:
    places = _places(draw.choice(held))
    if not places:
        return
    owner, key = draw.choice(places)
    old = owner[key]
    if isinstance(old, bool):
        owner[key] = not old
    elif isinstance(old, int | float):
        owner[key] = draw.choice(
            (old + 1, -old, old / 3, 0, 1, True, 2**53 + 1, 1e300, 5e-324, str(old))
        )
    elif isinstance(old, str):
        owner[key] = draw.choice((*LABELS, old * 3, old.upper(), old[:3]))
    else:
        owner[key] = draw.choice((None, [], {}, type(old)(), copy.deepcopy(old)))


def _line_twice(held: list[Any], draw: Draw) -> None:
    if len(held) > 1:
        held.insert(draw.randrange(len(held)), copy.deepcopy(draw.choice(held)))


def _key(held: list[Any], draw: Draw) -> None:
    """Add a key, or take one away."""
    one = draw.choice([x for x in held if isinstance(x, dict)] or [{}])
    if one and draw.random() < 0.3:
        del one[draw.choice(list(one))]
    else:
        one[draw.choice(LABELS)] = draw.choice((1, "x", None, [1, 2], {"a": 1}))


def _member(held: list[Any], draw: Draw) -> None:
    """Give a list a member twice, another one, or all in another order."""
    lists = [o for one in held for o, _ in _places(one) if isinstance(o, list) and o]
    if lists:
        own = draw.choice(lists)
        own.append(draw.choice([*own, *LABELS]) if isinstance(own[0], str) else own[0])
        draw.shuffle(own)


ANSWERS: Mapping[str, tuple[str, ...]] = {
    "file": ('"scores.csv"', "'a b.csv'", '"../x.parquet"', '""', '"Ω.csv"'),
    "format": ('"wide"', '"long"', '"predictions"', '"x"'),
    "block": ('"dataset"', '"x"', '"é"', '"a.b"'),
    "accuracy": ('"higher"', '"lower"', '"best"'),
    "blocks": ('"datasets"', '"folds"', '"cases"'),
    "alpha": ("0.05", "5e-2", "0.1", "1e-300", "0.999", "1", "0", "0.05_0", "inf"),
    "adjust": ('"holm"', '["BH", "holm"]', '["shaffer"]', "[]", '["holm", "holm"]'),
    "margin": (
        "{ accuracy = 0.01 }",
        "0.1",
        "{ accuracy = 1e-300 }",
        "{}",
        "{ x = 1 }",
    ),
}
"""Values of the keys of a plan, most of them allowed."""
MORE = (
    *('control = "C4.5"', "seed = 0", "blind = true", 'missing = "drop-block"', "# é"),
    *("report = {}", 'tails = "two"', "x = 1", 'family = "all"', "level = 0.9", ""),
)


def odd_toml(data: bytes, draw: Draw) -> bytes:
    """Change values, lines and tables of a plan; it stays TOML, mostly."""
    lines = data.decode().splitlines()
    for _ in range(draw.choice((1, 1, 2, 3))):
        at = draw.randrange(len(lines))
        name = lines[at].partition(" =")[0]
        if name in ANSWERS and draw.random() < 0.7:
            space = draw.choice((" = ", "=", "\t=  "))
            answer = draw.choice(ANSWERS[name])
            lines[at] = name + space + answer + draw.choice(("", " # x"))
        elif draw.random() < 0.3:
            del lines[at]
        else:
            lines.insert(at + 1, draw.choice(MORE))
        lines = lines or [""]
    return lines_as("\n".join(lines), draw)
