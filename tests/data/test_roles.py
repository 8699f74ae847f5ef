"""Roles of columns are declared once; signatures, plan keys and options follow."""

import dataclasses
import inspect

import pytest

import pycompare as pc
from pycompare.apps.cli.curves import curves
from pycompare.apps.cli.measure import measure
from pycompare.data.roles import ROLES, RoleColumns, required_of, roles_of
from pycompare.designs.plans.column_roles import Roles

READERS = [
    (pc.Scores.from_frame, "long", ()),
    (pc.Scores.from_wide, "wide", ()),
    (pc.read_scores, "long", ()),
    (pc.compare, "long", ()),
    (pc.read_results, "results", ()),
    (pc.Predictions.from_frame, "predictions", ()),
    (pc.read_predictions, "predictions", ()),
    (pc.measure_file, "predictions", ("cluster",)),  # measures know no clusters
]
COMMANDS = [(measure, ("cluster",)), (curves, ("replicate", "group"))]


@pytest.mark.parametrize(("reader", "kind", "without"), READERS)
def test_a_reader_takes_the_roles_of_its_tables(reader, kind, without):
    taken = set(inspect.signature(reader).parameters) & set(ROLES)
    assert taken == set(roles_of(kind)) - set(without)


@pytest.mark.parametrize(("command", "without"), COMMANDS)
def test_a_command_for_predictions_has_their_options(command, without):
    options = {option.name: option for option in command.params}
    taken = set(options) & set(ROLES)
    assert taken == set(roles_of("predictions")) - set(without)
    required = {one.name for one in command.needed} & taken
    # Columns of scores of each algorithm can be named in the place of the two others.
    assert required == set(required_of("predictions")) - {"algorithm", "score"}
    assert all(options[name].opts == [ROLES[name].option] for name in taken)


def test_plan_files_and_columns_have_all_roles():
    assert tuple(ROLES) == RoleColumns._fields
    assert set(ROLES) <= {field.name for field in dataclasses.fields(Roles)}


def test_columns_are_read_by_the_roles_of_a_table():
    columns = RoleColumns(algorithm="model", block=3, case="id", group="g")
    assert columns.roles("long") == {"algorithm": "model", "block": "3", "group": "g"}
    assert columns.roles("wide") == {"block": "3", "group": "g"}
    assert set(columns.roles("predictions")) == {
        *("algorithm", "block", "label", "score", "case", "group")
    }
