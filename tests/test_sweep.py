"""The sweep: its table covers every public function, and its slopes are right."""

from __future__ import annotations

import inspect
import json

import numpy as np
import pytest

import pycompare as pc
from validation.sweep import __main__ as program
from validation.sweep import growth, inputs
from validation.sweep.growth import Limits, orders_of, start_of, steepness, swept
from validation.sweep.table import LEFT_OUT, ROWS, Row

FAR = Limits(seconds=60, megabytes=1e6)
STORED = json.loads((program.HERE / program.STORED).read_text(encoding="utf-8"))


def test_every_public_function_is_in_the_table_or_left_out_with_a_reason():
    functions = {n for n in pc.PUBLIC if inspect.isfunction(getattr(pc, n))}
    swept = [(row.function, dimension) for row in ROWS for dimension in row.orders]
    assert len(set(swept)) == len(swept)
    own = {name for name, _ in swept if "." not in name}
    absent = functions - own - set(LEFT_OUT)
    assert not absent, "add rows to validation/sweep/table.py, or reasons to LEFT_OUT"
    assert own | set(LEFT_OUT) == functions
    assert not own & set(LEFT_OUT)
    assert all(reason for reason in LEFT_OUT.values())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.function)
def test_each_dimension_is_one_of_its_data_and_has_a_known_order(row):
    assert row.orders
    for dimension, stated in row.orders.items():
        assert start_of(row, dimension) > 0
        orders = orders_of(stated)
        assert set(orders.values()) <= set(growth.ORDERS)


def test_every_row_can_be_called():
    """A row that no longer fits its function would be swept as an error."""
    for row in ROWS:
        if row.function not in ("report", "compare", "item_table"):
            growth.called(row, row.data(1))


def row_of(function: str, dimension: str) -> Row:
    rows = [row for row in ROWS if row.function == function and dimension in row.orders]
    [row] = rows
    return row


@pytest.mark.parametrize(
    ("function", "dimension"), [("adjust", "p_values"), ("paired_t", "blocks")]
)
def test_a_dimension_doubles_in_a_process_of_its_own(function, dimension):
    limits = Limits(seconds=60, megabytes=1e6, size=64)
    found = swept(row_of(function, dimension), dimension, limits)
    assert [point["size"] for point in found["points"]] == [16, 32, 64]
    assert found["ended"] == "largest size"
    assert all(point["seconds"] > 0 for point in found["points"])
    assert (found["function"], found["dimension"]) == (function, dimension)


def test_a_sweep_stops_at_its_limits_and_measures_the_memory_of_a_call(monkeypatch):
    row = row_of("adjust", "p_values")
    # Up to 32 MB may be memory that other tests of this process had.
    monkeypatch.setattr(
        growth, "called", lambda row, given: np.ones(4 * given[0].size * WORD)
    )
    found = swept(row, "p_values", Limits(seconds=60, megabytes=250))
    assert found["ended"] == "limit"
    assert [point["size"] for point in found["points"]] == [16, 32, 64]
    for point in found["points"]:
        assert abs(point["megabytes"] - 4 * point["size"]) < 8
    found = swept(row, "p_values", Limits(seconds=0, megabytes=1e6))
    assert (len(found["points"]), found["ended"]) == (1, "limit")


WORD = 2**17
"""Numbers of a megabyte."""


def test_an_error_ends_a_sweep_and_is_on_the_page():
    wrong = Row("adjust", inputs.p_values, {"method": "none such"}, {"p_values": "n"})
    found = swept(wrong, "p_values", FAR)
    assert found["points"] == []
    assert found["ended"].startswith("rejected: no adjustment is called")
    found["limits"] = vars(FAR)
    text = program.page(STORED | {"sweeps": [found]})
    entry = f"- adjust, p_values, after 0 sizes: {found['ended']}"
    assert f"## Ended by an error\n\n{entry}\n" in text
    late = found | {"points": [{"size": 16, "seconds": 0.0, "megabytes": 0.0}]}
    text = program.page(STORED | {"sweeps": [late]})
    assert "## Ended by an error" not in text
    assert "## Limits of the methods\n\n- adjust, p_values, after 1 sizes" in text
    broken = Row("adjust", inputs.p_values, {"no_such": 1}, {"p_values": "n"})
    assert swept(broken, "p_values", FAR)["ended"].startswith("TypeError: ")


def of_power(power: float, order: str, **more: float) -> dict:
    sizes = [2**k for k in range(4, 14)]
    points = [{"size": n, "seconds": 1e-4 * n**power, "megabytes": 0.0} for n in sizes]
    return {
        "function": "call",
        "dimension": "blocks",
        "order": order,
        "points": points,
        "ended": "limit",
        "limits": vars(FAR),
    }


@pytest.mark.parametrize(
    ("power", "order", "excess"),
    [(2, "n²", 0.0), (2, "n", 1.0), (1.5, "n²", -0.5), (3, "n² / n", 1.0)],
)
def test_a_power_law_has_its_slope_above_the_stated_order(power, order, excess):
    [slope] = steepness(of_power(power, order))  # memory is too small to have one
    assert slope.what == "seconds"
    assert slope.excess == pytest.approx(excess, abs=1e-9)


def test_memory_has_its_own_order():
    assert orders_of("n log n") == {"seconds": "n log n", "megabytes": "n"}
    assert orders_of("n³ / n²") == {"seconds": "n³", "megabytes": "n²"}
    found = of_power(2, "n² / n")
    for point in found["points"]:
        point["megabytes"] = 0.01 * point["size"] ** 2
    of_time, of_memory = steepness(found)
    assert of_time.excess == pytest.approx(0)
    assert of_memory.excess == pytest.approx(1)
    worst, _ = program.ranked([found])
    assert worst[1].what == "megabytes"


def test_what_is_too_steep_is_measured_twice(monkeypatch):
    """Other work on the machine doubles one figure of each of two sweeps."""
    made = []

    def measured(row, dimension, limits):
        found = of_power(1, "n")
        for k in (8, 9) if not made else (7,):
            found["points"][k]["seconds"] *= 8
        made.append(row)
        return found

    monkeypatch.setattr(growth, "measured", measured)
    found = swept("quiet", "blocks", FAR)
    assert made == ["quiet", "quiet"]
    [slope] = steepness(found)
    assert slope.excess == pytest.approx(0)


def test_too_few_large_sizes_have_no_slope():
    found = of_power(1, "n")
    found["points"] = found["points"][:3]
    assert steepness(found) == []


def test_the_program_prints_the_worst_and_resumes(tmp_path, monkeypatch, capsys):
    done: list[tuple[str, str]] = []

    def instead(row, dimension, limits):
        done.append((row.function, dimension))
        if row.function == "anova" and dimension == "algorithms" and len(done) == 2:
            raise KeyboardInterrupt
        return of_power(2, row.orders[dimension]) | {
            "function": row.function,
            "dimension": dimension,
        }

    monkeypatch.setattr(program, "swept", instead)
    words = ["--folder", str(tmp_path), "--out", str(tmp_path), "--only"]
    with pytest.raises(KeyboardInterrupt):
        program.main([*words, "anova"])
    assert program.main([*words, "anova", "adjust"]) == 0
    assert done.count(("anova", "blocks")) == 1
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith("anova, blocks; CPU time; 16 to 8,192; ")
    of = json.loads((tmp_path / program.STORED).read_text(encoding="utf-8"))["sweeps"]
    names = ["anova", "anova", "adjust"]
    assert [one["function"] for one in of] == names
    monkeypatch.setattr(program, "swept", lambda *_: of_power(1, "n") | of[2])
    assert program.main([*words, "adjust", "--seconds", "7"]) == 0
    again = json.loads((tmp_path / program.STORED).read_text(encoding="utf-8"))
    assert again["sweeps"][:2] == of[:2]
    assert again["sweeps"][2]["limits"]["seconds"] == 7
    told = (tmp_path / program.PAGE).read_text(encoding="utf-8")
    limits = "10 s, 1,000 MB or size 262,144 (2 dimensions); 7 s, 1,000 MB or size"
    assert limits in told


def test_the_page_is_that_of_the_stored_numbers():
    text = (program.HERE / program.PAGE).read_text(encoding="utf-8")
    assert text == program.page(STORED)
    # A new function is swept by the next run.
    orders = {
        (row.function, name): row.orders[name] for row in ROWS for name in row.orders
    }
    for one in STORED["sweeps"]:
        assert orders[one["function"], one["dimension"]] == one["order"]


def test_the_page_names_the_steepest_first():
    steep, flat = of_power(2, "n"), of_power(1, "n") | {"function": "other"}
    text = program.page(STORED | {"sweeps": [flat, steep]})
    assert "**1 of 2 slopes exceed their stated order by more than 0.25.**" in text
    first, second = (text.index(f"| {name}, blocks |") for name in ("call", "other"))
    assert first < second
