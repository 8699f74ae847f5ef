"""What tables of documents show, for tests that hold pages against results."""

from pycompare.reporting.document import Table, plain, walk


def column(table, title):
    """Return the cells of one column."""
    [place] = [i for i, c in enumerate(table.columns) if c.title == title]
    return [row[place] for row in table.cells()]


def texts(table, title):
    """Return the texts of one column."""
    return [plain(cell.text) for cell in column(table, title)]


def marked(table, title="adjusted p"):
    """Return the labels of the rows whose p-value is marked as significant."""
    first = [plain(row[0].text) for row in table.cells()]
    cells = column(table, title)
    return {name for name, c in zip(first, cells, strict=True) if c.marked}


def marked_pairs(table, title="adjusted p"):
    """Return the pairs whose p-value is marked as significant."""
    return {frozenset(name.split(" – ")) for name in marked(table, title)}


def tables_in(blocks):
    """Return every table among blocks."""
    return [block for block in walk(tuple(blocks)) if isinstance(block, Table)]
