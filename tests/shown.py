"""What tables of documents show, for tests that hold pages against results."""

from pycompare.reporting.document import plain


def column(table, *titles):
    """Return the cells of the one column with one of the titles."""
    [place] = [i for i, c in enumerate(table.columns) if c.title in titles]
    return [row[place] for row in table.cells()]


def texts(table, title):
    """Return the texts of one column."""
    return [plain(cell.text) for cell in column(table, title)]


def marked(table, *titles):
    """Return the labels of the rows whose p-value is marked as significant.

    Of one pair alone the p-value is not adjusted.
    """
    first = [plain(row[0].text) for row in table.cells()]
    cells = column(table, *titles or ("adjusted p", "p"))
    return {name for name, c in zip(first, cells, strict=True) if c.marked}


def marked_pairs(table, *titles):
    """Return the pairs whose p-value is marked as significant."""
    return {frozenset(name.split(" – ")) for name in marked(table, *titles)}
