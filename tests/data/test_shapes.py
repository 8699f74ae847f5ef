"""Tables as people have them: read as their owner means it, or one question."""

from __future__ import annotations

import json
import os
import re
import shlex

import numpy as np
import pandas as pd
import pytest
from openpyxl import Workbook

import pycompare as pc
from tests.command_line import command

pytestmark = pytest.mark.usefixtures("blank_pictures")

DATA = ("iris", "wine", "glass", "sonar", "heart", "zoo", "yeast", "car")
ALGORITHMS = ("svm", "knn", "nb")
SCORES = np.random.default_rng(5).integers(600, 990, (8, 3)) / 1000
LATEX = r"""
% a comment & with \\ marks
\begin{tabular}{l *{3}{r}}
\toprule
 & \multicolumn{3}{c}{Accuracy} \\ \cmidrule(lr){2-4}
dataset & svm & \textbf{knn} & nb \\
\midrule
ROWS
\bottomrule
\end{tabular}
"""


def cells(mark=",", form="{:.3f}"):
    """Return a wide table with a header, cells separated by a mark."""
    rows = [
        [name, *map(form.format, row)]
        for name, row in zip(DATA, SCORES.tolist(), strict=False)
    ]
    return [mark.join(row) for row in [["dataset", *ALGORITHMS], *rows]]


def of_wide(lines):
    return "\n".join(lines) + "\n"


def decimal_comma():
    rows = [line.replace(".", ",") for line in cells(";")]
    return of_wide(["Datensatz" + rows[0].removeprefix("dataset"), *rows[1:]])


def latex():
    rows = [row.replace(";", " & ") + r" \\" for row in cells(";")[1:]]
    rows[0] = re.sub(r"& ([\d.]+)", r"& $\\mathbf{\1}$", rows[0], count=1)
    return LATEX.replace("ROWS", "\n".join(rows))


def markdown():
    head, *rows = (f"| {line.replace(';', ' | ')} |" for line in cells(";"))
    return of_wide(
        ["# Results", "", "Text | and text.", "", head, "|:-|-:|-:|-:|", *rows]
    )


def indexed():
    head, *rows = cells(form="{:.1%}")
    counted = (f"{i},{row.replace(',', f',{4 + i},', 1)}" for i, row in enumerate(rows))
    return of_wide(["," + head.replace(",", ",#Attr,", 1), *counted])


SHAPES = {
    "clean.csv": of_wide(cells()),
    "blanks.csv": of_wide(line.replace(",", " ,  ") for line in cells()),
    "space.txt": of_wide(line.replace(";", "    ") for line in cells(";")),
    "tab.dat": of_wide(cells("\t")),
    "bar.csv": of_wide(cells("|")),
    "title.csv": of_wide(["Accuracy of three classifiers,,,", *cells()]),
    "title_line.csv": of_wide(["Results of May", "", *cells()]),
    "last.csv": of_wide(line + "," for line in cells()),
    "index.csv": of_wide(f"{i - 1 if i else ''},{r}" for i, r in enumerate(cells())),
    "bold.csv": of_wide([cells()[0], *cells(form="**{:.3f}**")[1:5], *cells()[5:]]),
    "starred.csv": of_wide([*cells()[:4], *(line + "*" for line in cells()[4:])]),
    "parted.csv": of_wide([*cells()[:4], "", *cells()[4:6], ",,,", *cells()[6:]]),
    "percent.csv": indexed(),
    "german.csv": decimal_comma(),
    "markdown.md": markdown(),
    "latex.tex": latex(),
    "no_blocks.csv": of_wide(line.split(",", 1)[1] for line in cells()),
    "spread.csv": of_wide([cells()[0], *cells(form="{:.3f} ± 0.02")[1:]]),
    "brackets.csv": of_wide([cells()[0], *cells(form="{:.3f} (0.02)")[1:]]),
}
"""The same scores in many shapes."""


def told(output):
    """Return the command that a reading prints, with the answers that it asks for."""
    text = output.replace("higher|lower", "higher")
    line = next(line for line in text.splitlines() if line.startswith("pycompare comp"))
    words = shlex.split(line)[1:]
    for answer in re.findall(
        r"(?:; ignore it: |missing: |Either [^:]+: )(--[^,\n]+)", text
    ):
        words += shlex.split(answer)
    return words


def written(tmp_path, name, content):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_is_read_with_two_commands(tmp_path, monkeypatch, name):
    path = written(tmp_path, name, SHAPES[name])
    monkeypatch.chdir(tmp_path)
    status, output, _ = command("compare", path)
    assert status == 2 and not (tmp_path / "report").exists()
    words = told(output)
    seen = []
    monkeypatch.setattr(
        "pycompare.apps.cli.compare.compare_and_report",
        lambda scores, *_: seen.append(scores),
    )
    status, _, problems = command(*words)
    assert status == 0, problems
    [scores] = seen
    assert scores.algorithms == ALGORITHMS
    assert scores.column() == pytest.approx(SCORES, rel=1e-12)
    if name != "no_blocks.csv":
        assert scores.blocks == DATA


def test_a_transposed_leaderboard_is_read_with_two_commands(tmp_path, monkeypatch):
    rows = ["model,MMLU,GSM8K,HellaSwag", "org/a-7b,70,60,50", "org/b-7b,71,62,49"]
    path = written(tmp_path, "board.csv", of_wide(rows))
    monkeypatch.chdir(tmp_path)
    seen = []
    monkeypatch.setattr(
        "pycompare.apps.cli.compare.compare_and_report",
        lambda scores, *_: seen.append(scores),
    )
    _, output, _ = command("compare", path)
    status, _, problems = command(*told(output))
    assert status == 0, problems
    assert seen[0].algorithms == ("org/a-7b", "org/b-7b")
    assert seen[0].blocks == ("MMLU", "GSM8K", "HellaSwag")


def test_a_table_with_nothing_open_is_run_by_accepting_it(tmp_path, monkeypatch):
    rows = [
        f"{d},{a},{s}"
        for d in DATA
        for a, s in zip(ALGORITHMS, (0.5, 0.6, 0.7), strict=False)
    ]
    path = written(tmp_path, "l.csv", of_wide(["dataset,classifier,accuracy", *rows]))
    status, _, said = command("compare", path)
    assert (status, said) == (2, "pycompare: nothing is open; --accept runs it\n")


# ---- headers -------------------------------------------------------------------------


def test_names_over_two_lines_are_joined(tmp_path):
    rows = [",svm,,knn,", "data,acc,f1,acc,f1", "a,1,2,3,4", "b,2,3,4,5"]
    path = written(tmp_path, "two.csv", of_wide(rows))
    reading = pc.propose(path)
    assert reading.arguments["header"] == "1 2"
    assert [doubt.name for doubt in reading.doubts] == ["metric-in-names"]
    scores = pc.read_scores(
        path, wide=True, metric="acc", better="higher", header="1 2", block="data",
        algorithms=["svm/acc", "knn/acc"],
    )  # fmt: skip
    assert scores.column().tolist() == [[1, 3], [2, 4]]


def test_a_first_line_of_scores_is_a_question(tmp_path):
    path = written(tmp_path, "none.csv", of_wide(cells()[1:]))
    [doubt] = pc.propose(path).doubts
    assert doubt.name == "header" and "--header" not in doubt.question
    assert "header='none'" in doubt.question
    options = {"wide": True, "metric": "accuracy", "better": "higher"}
    with pytest.raises(pc.DoubtError, match=r"^none.csv: header: the first line"):
        pc.read_scores(path, **options)
    scores = pc.read_scores(path, **options, header="none")
    assert scores.algorithms == ("column 2", "column 3", "column 4")
    assert scores.column().tolist() == SCORES.tolist()
    assert "no header: columns are numbered" in scores.notes


@pytest.mark.parametrize(
    "names", ["1,5,10", "0.1,10.5,100.5", "svm 1.0,knn 2.0,nb 3.0"]
)
def test_numbers_that_name_algorithms_are_no_scores(tmp_path, names):
    path = written(tmp_path, "k.csv", of_wide([f"data,{names}", *cells()[1:]]))
    assert pc.propose(path).doubts == ()


def test_a_header_that_is_not_there_is_refused_with_the_lines_there_are(tmp_path):
    path = written(tmp_path, "t.csv", of_wide(cells()))
    options = {"wide": True, "metric": "accuracy", "better": "higher"}
    with pytest.raises(pc.InputError, match="no row of the table begins on line 99"):
        pc.read_scores(path, **options, header="99")
    for header in ("0", "a", "1,2", "2 1"):
        with pytest.raises(pc.InputError, match="give the line"):
            pc.read_scores(path, **options, header=header)


def test_names_that_do_not_differ_point_to_the_header(tmp_path):
    path = written(tmp_path, "t.csv", SHAPES["title.csv"])
    with pytest.raises(pc.InputError, match="seem to stand on line 2: header='2'"):
        pc.read_scores(path, wide=True, metric="accuracy", better="higher")


# ---- cells ---------------------------------------------------------------------------


def test_emphasis_is_taken_off_with_a_note(tmp_path):
    path = written(tmp_path, "bold.csv", SHAPES["bold.csv"])
    scores = pc.read_scores(path, wide=True, metric="accuracy", better="higher")
    assert "marks of emphasis taken off 12 scores" in scores.notes


def test_a_spread_is_ignored_only_as_declared(tmp_path):
    path = written(tmp_path, "spread.csv", SHAPES["spread.csv"])
    options = {"wide": True, "metric": "accuracy", "better": "higher"}
    with pytest.raises(pc.DoubtError, match=r"24 scores, first: '[0-9.]+ ± 0.02'"):
        pc.read_scores(path, **options)
    path.write_text(path.read_text("utf-8").replace(" ±", "$_{\\pm$"), "utf-8")
    assert pc.read_scores(path, **options, spread="ignored").n_blocks == 8
    with pytest.raises(pc.DoubtError, match="spread"):  # nothing to confirm
        pc.read_scores(path, **options, confirmed=["spread"])
    scores = pc.read_scores(path, **options, spread="ignored")
    assert "spread beside 24 scores ignored, as declared" in scores.notes


# ---- tables in documents -------------------------------------------------------------


def test_labels_over_several_rows_fill_them(tmp_path):
    rows = [
        r"\multirow{2}{*}{iris} & 1 & 0.6 & 0.7 \\", r" & 2 & 0.5 & 0.4 \\",
        r"\multirow{2}{*}{zoo \& co} & 1 & 0.1 & 0.2 \\", r"& 2 & 0.3 & 0.9",
    ]  # fmt: skip
    head = [r"\begin{tabular}{llrr}", r"data & fold & svm & knn \\ \hline"]
    path = written(tmp_path, "m.tex", of_wide([*head, *rows, r"\end{tabular}"]))
    reading = pc.propose(path)
    assert (reading.arguments["dataset"], reading.arguments["block"]) == (
        "data",
        "fold",
    )
    scores = pc.read_scores(
        path,
        wide=True,
        metric="accuracy",
        better="higher",
        dataset="data",
        block="fold",
    )
    assert scores.datasets == ("iris", "iris", "zoo & co", "zoo & co")
    assert scores.column().tolist() == [[0.6, 0.7], [0.5, 0.4], [0.1, 0.2], [0.3, 0.9]]


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.md", "no table\n", "no Markdown table"),
        ("a.md", "|a|b|\n|-|-|\n|1|2|\n\n|a|b|\n|-|-|\n|1|2|\n", r"2 .*lines 2, 6"),
        ("a.tex", "text", "no LaTeX table"),
        ("a.tex", r"\begin{tabular}{ll a & b \\ \end{tabular}", "stays open"),
        ("a.tex", r"\begin{tabular}{ll}\toprule\end{tabular}", "no rows"),
    ],
)
def test_a_document_without_one_table_is_refused(tmp_path, name, content, problem):
    path = written(tmp_path, name, content)
    with pytest.raises(pc.InputError, match=problem):
        pc.read_scores(path, wide=True, metric="accuracy", better="higher")


def test_the_sheet_with_a_table_is_proposed(tmp_path):
    book = Workbook()
    book.active.title = "about"
    book.active.append(["by", "the authors"])
    sheet = book.create_sheet("scores")
    sheet.append(["Table 1"])
    for line in cells():
        name, *numbers = line.split(",")
        sheet.append([name, *(float(x) if x[0] == "0" else x for x in numbers)])
    book.save(path := tmp_path / "book.xlsx")
    reading = pc.propose(path)
    assert (reading.arguments["sheet"], reading.arguments["header"]) == ("scores", "2")
    scores = pc.read_scores(
        path, wide=True, metric="accuracy", better="higher", sheet="scores", header="2"
    )
    assert scores.column().tolist() == SCORES.tolist()


def test_labels_merged_over_rows_fill_them(tmp_path):
    book = Workbook()
    sheet = book.active
    rows = [["source", "data", "fold", "svm", "knn"]]
    rows += [["UCI", "iris", 1, 0.5, 0.75], [None, None, 2, 0.25, None]]
    rows += [[None, "zoo", 1, 0.625, 0.5], [None, None, 2, 0.5, 0.375]]
    for row in rows:
        sheet.append(row)
    for area in ("A2:A5", "B2:B3", "B4:B5", "E2:E3"):
        sheet.merge_cells(area)
    book.save(path := tmp_path / "merged.xlsx")
    given = {"wide": True, "metric": "accuracy", "better": "higher"}
    roles = {"dataset": "data", "block": "fold", "algorithms": ["svm", "knn"]}
    reading = pc.propose(path)
    assert {key: reading.arguments[key] for key in roles} == roles
    assert "1 of 8 cells has no score" in reading.problem  # no score is repeated
    scores = pc.read_scores(path, **given, **roles, missing="model")
    assert scores.datasets == ("iris", "iris", "zoo", "zoo")
    assert "merged cells filled: A2:A5, B2:B3, B4:B5" in scores.notes


# ---- rows without labels -------------------------------------------------------------


def test_folds_of_a_wide_table_are_numbered_within_data_sets(tmp_path):
    rows = ["data,svm,knn", "iris,1,2", "iris,2,3", "zoo,3,5", "zoo,4,4", "iris,5,1"]
    path = written(tmp_path, "folds.csv", of_wide(rows))
    reading = pc.propose(path)
    assert "number them: dataset='data' and number='block' in" in reading.problem
    given = {"wide": True, "metric": "cost", "better": "lower", "dataset": "data"}
    scores = pc.read_scores(path, **given, number="block")
    assert scores.blocks == ("iris/1", "iris/2", "zoo/1", "zoo/2", "iris/3")
    assert scores.column()[4].tolist() == [5, 1]
    assert "blocks numbered in the order of the rows, as declared" in scores.notes


def test_rows_are_numbered_as_blocks_or_runs_as_declared():
    rows = [{"m": m, "s": s} for s in (1.0, 2.0, 4.0) for m in ("a", "b")]
    options = {"algorithm": "m", "metrics": {"s": "lower"}, "confirmed": ["alike"]}
    blocks = pc.Scores.from_frame(rows, number="block", **options)
    assert blocks.blocks == ("1", "2", "3")
    assert "blocks numbered in the order of the rows, as declared" in blocks.notes
    with pytest.raises(pc.InputError, match="name the column of blocks"):
        pc.Scores.from_frame(rows, **options)
    rows = [row | {"d": d} for d in "xyz" for row in rows]
    runs = pc.Scores.from_frame(rows, block="d", number="replicate", **options)
    assert runs.shape == (3, 2, 1) and len(runs.replicates) == 3
    with pytest.raises(pc.InputError, match="both set it"):
        pc.Scores.from_frame(rows, block="d", number="block", **options)


def test_a_wide_table_has_data_sets_and_folds():
    table = {
        "data": list("aabb"),
        "fold": [1, 2, 1, 2],
        "x": [1, 2, 3, 5],
        "y": [2, 1, 4, 4],
    }
    scores = pc.Scores.from_wide(
        table, metric="cost", better="lower", dataset="data", block="fold"
    )
    assert scores.datasets == ("a", "a", "b", "b")
    with pytest.raises(pc.InputError, match="needs a column of folds"):
        pc.Scores.from_wide(table, metric="cost", better="lower", dataset="data")
    with pytest.raises(pc.InputError, match=r"name the columns dataset="):
        pc.Scores.from_wide(
            table, metric="cost", better="lower", block="data", algorithms=["x", "y"]
        )


@pytest.mark.parametrize("form", ["{:.1%}", "{:.1f}"])
def test_all_columns_of_scores_may_be_in_percent(tmp_path, form):
    rows = [line.split(",") for line in cells()[1:]]
    hundred = 1 if "%" in form else 100
    lines = [
        ",".join([name, *(form.format(float(x) * hundred) for x in numbers)])
        for name, *numbers in rows
    ]
    path = written(tmp_path, "p.csv", of_wide([cells()[0], *lines]))
    options = {"metric": "accuracy", "better": "higher", "percent": ["all"]}
    scores = pc.read_scores(path, wide=True, **options)
    assert scores.column() == pytest.approx(SCORES, rel=1e-12)
    assert "in percent, divided by 100: 'knn', 'nb', 'svm'" in scores.notes
    long = [
        {"data": d, "model": a, "acc": f"{s:.1%}"}
        for d, row in zip(DATA, SCORES.tolist(), strict=True)
        for a, s in zip(ALGORITHMS, row, strict=True)
    ]
    scores = pc.Scores.from_frame(
        long,
        algorithm="model",
        block="data",
        metrics={"acc": "higher"},
        percent=["all"],
    )
    assert scores.column() == pytest.approx(SCORES, rel=1e-12)


# ---- metrics in rows -----------------------------------------------------------------


def stacked():
    """Return rows of one metric each, as some programs write them."""
    return [
        {
            "Instance": d,
            "Algorithm": a,
            "MetricName": m,
            "MetricValue": len(d) * f + i / 9,
        }
        for d in ("a", "bb", "ccc")
        for i, a in enumerate(("x", "y"))
        for m, f in (("accuracy", 0.1), ("loss", 10.0), ("seconds", 3.0))
    ]


IN_ROWS = {
    "algorithm": "Algorithm", "block": "Instance", "metric_column": "MetricName",
    "value": "MetricValue",
}  # fmt: skip


def test_metrics_in_rows_have_roles_of_their_own():
    scores = pc.Scores.from_frame(
        stacked(), metrics={"loss": "lower", "accuracy": "higher"}, **IN_ROWS
    )
    assert [metric.name for metric in scores.metrics] == ["loss", "accuracy"]
    assert scores.column("loss").tolist() == [
        [10, 10 + 1 / 9],
        [20, 20 + 1 / 9],
        [30, 30 + 1 / 9],
    ]
    assert scores.column("accuracy") == pytest.approx(
        np.array([[0.1, 0.1 + 1 / 9], [0.2, 0.2 + 1 / 9], [0.3, 0.3 + 1 / 9]])
    )
    found = pc.compare(stacked(), metrics={"loss": "lower"}, **IN_ROWS)
    assert found.scores.column().tolist() == scores.column("loss").tolist()


def test_a_table_with_metrics_in_rows_is_proposed_as_such(tmp_path):
    rows = [row for row in stacked() if row["MetricName"] != "seconds"]
    reading = pc.propose(rows)
    assert reading.questions == ()
    assert reading.arguments == {
        "algorithm": "Algorithm", "block": "Instance", "metric_column": "MetricName",
        "value": "MetricValue", "metrics": {"accuracy": "higher", "loss": "lower"},
    }  # fmt: skip


def test_what_is_wrong_with_metrics_in_rows_is_refused():
    def refusal(rows, **changes):
        with pytest.raises(pc.InputError) as caught:
            pc.Scores.from_frame(
                rows, **{"metrics": {"loss": "lower"}} | IN_ROWS | changes
            )
        return str(caught.value)

    assert "did you mean 'loss'" in refusal(stacked(), metrics={"los": "lower"})
    twice = refusal([*stacked(), stacked()[1]])
    assert "row 2 (counting from 1) and row 19 (counting from 1) are both" in twice
    assert "value=... " in refusal(stacked(), value=None) + " "
    gone = [row for at, row in enumerate(stacked()) if at != 1]
    assert "1 of 6 cells has no score" in refusal(gone)
    asked = refusal(
        stacked(), metric_column=None, value=None, replicate="MetricName",
        metrics={"MetricValue": "lower"},
    )  # fmt: skip
    assert "metric_column='MetricName', the column of scores with value=..." in asked


# ---- many tables ---------------------------------------------------------------------


def any_table(seed):
    """Return a table of a random shape: name of the file, text, and its scores."""
    random = np.random.default_rng(seed)
    n, k = int(random.integers(4, 30)), int(random.integers(2, 7))
    values = random.integers(301, 989, (n, k)) / 1000
    blocks = [f"data {i}" if seed % 3 else f"d{i}" for i in random.permutation(n)]
    algorithms = [f"clf{i}" if seed % 2 else f"Model {i}" for i in range(k)]
    comma = random.random() < 0.3
    way = str(random.choice([";", "\t", "|"] if comma else [",", ";", "\t", "|"]))
    form = str(random.choice(["{:.3f}", "{:.1%}", "**{:.3f}**", "{:.4f}"]))

    def score(value):
        text = form.format(value)
        return text.replace(".", ",") if comma else text

    if random.random() < 0.5:
        header = ["dataset", *algorithms]
        rows = [[b, *map(score, row)] for b, row in zip(blocks, values, strict=True)]
    else:
        header = [("dataset", "classifier", "accuracy"), ("model", "task", "acc")][
            seed % 2
        ]
        pairs = [(i, j) for i in range(n) for j in range(k)]
        both = [(blocks[i], algorithms[j]) for i, j in pairs]
        both = [pair[:: -1 if seed % 2 else 1] for pair in both]
        rows = [[*p, score(values[at])] for p, at in zip(both, pairs, strict=True)]
    if random.random() < 0.2:
        rows = [[str(i), *row] for i, row in enumerate(rows)]
        header = ["", *header]
    if random.random() < 0.2:
        header, rows = [*header, ""], [[*row, ""] for row in rows]
    blank = " " if random.random() < 0.2 else ""
    lines = [
        way.join(f"{blank}{cell}{blank}" for cell in row) for row in (header, *rows)
    ]
    if random.random() < 0.2:
        lines = ["Table 1. Scores", *lines]
    return "t.csv", of_wide(lines), blocks, algorithms, values


RECORDS = (
    *("json", "json.gz", "json names", "parquet", "csv.gz", "folder csv"),
    *("folder json",),
)


def records(path, form, frame, algorithms):
    """Write scores as records, or as a folder of files; return what is read."""
    long = frame.melt("dataset", var_name="model", value_name="accuracy")
    file = path / f"t.{form.partition(' ')[0]}"
    if form in ("json", "json.gz"):
        long.to_json(file, orient="records")
    elif form == "json names":
        named = frame.set_index("dataset").to_dict()
        file.write_text(json.dumps(named))
    elif form == "parquet":
        long.to_parquet(file)
    elif form == "csv.gz":
        frame.to_csv(file, index=False)
    else:
        file = path / "runs"
        for name in algorithms:
            own = long[long.model == name]
            (file / name).mkdir(parents=True)
            if form == "folder csv":
                own.to_csv(file / name / "scores.csv", index=False)
            else:
                for at, row in enumerate(own.to_dict("records")):
                    (file / name / f"{at:02}.json").write_text(json.dumps(row))
    return file


def other_table(path, seed):
    """Write a table in one of the rarer shapes; return its file and its scores."""
    random = np.random.default_rng(seed)
    form = FORMS[seed % len(FORMS)]
    fewest = 4 if form == "csv two lines" else 2  # one name above two is a title
    n, k = int(random.integers(4, 20)), int(random.integers(fewest, 6))
    values = random.integers(301, 989, (n, k)) / 1000
    blocks = [f"set{i}" for i in random.permutation(n)]
    algorithms = [f"clf{chr(97 + i)}" for i in range(k)]
    frame = pd.DataFrame(values, columns=algorithms)
    frame.insert(0, "dataset", blocks)
    rows = [[b, *map(str, row)] for b, row in zip(blocks, values.tolist(), strict=True)]
    head = ["dataset", *algorithms]
    file = path / f"t.{form.partition(' ')[0]}"
    text = ""
    if form == "md":
        body = (f"| {' | '.join(row)} |" for row in rows)
        rule = "|" + "---|" * len(head)
        text = of_wide([f"| {' | '.join(head)} |", rule, *body])
    elif form == "tex":
        body = (" & ".join(row) + r" \\" for row in (head, *rows))
        text = of_wide([r"\begin{tabular}{l" + "r" * k + "}", *body, r"\end{tabular}"])
    elif form == "dat space":
        text = of_wide("   ".join(row) for row in (head, *rows))
    elif form == "csv no header":
        text = of_wide(",".join(row) for row in rows)
        algorithms = [f"column {i + 2}" for i in range(k)]
    elif form == "csv two lines":
        pairs = [(f"clf{i // 2}", "ab"[i % 2]) for i in range(k)]
        over = ["", *(name if kind == "a" else "" for name, kind in pairs)]
        head = ["dataset", *(kind for _, kind in pairs)]
        text = of_wide(",".join(row) for row in (over, head, *rows))
        algorithms = [f"{name}/{kind}" for name, kind in pairs]
    elif form == "csv no blocks":
        frame.drop(columns="dataset").to_csv(file := path / "t.csv", index=False)
        blocks = [str(i + 1) for i in range(n)]
    elif form == "csv folds":
        folds = pd.concat([frame.assign(fold=f) for f in ("1", "2")])
        folds.to_csv(file := path / "t.csv", index=False)
        blocks = [f"{b}/{f}" for f in ("1", "2") for b in blocks]
        values = np.concatenate([values, values])
    elif form == "xlsx":
        book = Workbook()
        book.active.append(["A note on these numbers"])
        sheet = book.create_sheet("scores")
        for row in (head, *frame.to_numpy().tolist()):
            sheet.append(row)
        book.save(file)
    elif form == "jsonl":
        of_rows = frame.melt("dataset", var_name="model", value_name="accuracy")
        of_rows.to_json(file, orient="records", lines=True)
    elif form == "csv groups":
        items = pd.concat([frame.assign(domain=g) for g in ("x", "y")])
        items = items.melt(["dataset", "domain"], var_name="model", value_name="f1")
        items.to_csv(file := path / "t.csv", index=False)
        blocks = [f"{g}/{b}" for g in ("x", "y") for b in blocks]
        values = np.concatenate([values, values])
    elif form in RECORDS:
        file = records(path, form, frame, algorithms)
    if text:
        (file := path / f"t.{form.partition(' ')[0]}").write_text(text, "utf-8")
    return file, text, blocks, algorithms, values


FORMS = (
    *("md", "tex", "dat space", "csv no header", "csv two lines", "csv no blocks"),
    *("csv folds", "xlsx", "jsonl", "csv groups", *RECORDS),
)


def wrong_roles(path, seed):
    """Return what a reading of a random table has wrong; empty if nothing."""
    if seed % 2:
        file, text, blocks, algorithms, values = other_table(path, seed // 2)
    else:
        name, text, blocks, algorithms, values = any_table(seed)
        file = path / name
        file.write_text(text, encoding="utf-8")
    reading = pc.propose(file)
    if [doubt.name for doubt in reading.doubts] == ["header"]:  # asked, and answered
        reading = pc.propose(file, header="none")
    if reading.doubts or reading.problem:
        return reading.questions
    given = {"better": "higher"} if "better" in reading.arguments else {}
    metrics = reading.arguments.get("metrics", {})
    given |= {"metrics": dict.fromkeys(metrics, "higher")} if metrics else {}
    scores = pc.read_scores(file, **(reading.arguments | given))
    same = np.allclose(scores.column(), values, rtol=1e-12, atol=0)
    labels = [*scores.blocks] == blocks and [*scores.algorithms] == algorithms
    return () if same and labels else (text[:300], reading.arguments)


@pytest.mark.parametrize("seed", range(int(os.environ.get("DOOR", "60"))))
def test_no_role_of_any_table_is_wrong(tmp_path, seed):
    assert wrong_roles(tmp_path, seed) == ()
