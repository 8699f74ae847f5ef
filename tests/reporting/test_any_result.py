"""``pc.report`` takes every result with a report, and only the options of its kind."""

import inspect
from importlib import import_module

import pytest

import pycompare as pc
from pycompare import sizes
from pycompare.base.errors import InputError
from pycompare.reporting.report import _KINDS, report
from tests.methods.multireader.readers import simulated

OPTIONS = ("plan", "file", "mixed", "alpha")


def results():
    """Return one result of each kind that is made in a moment."""
    ratings = simulated(t=2, r=3, n=12)
    frame = pc.example("folds").to_frame()
    return {
        "LinearModel": pc.linear_model(frame, "error ~ algorithm", within="block"),
        "MRMCResult": pc.mrmc(ratings),
        "SingleModalityResult": pc.single_modality(ratings, modality="M1"),
        "StandaloneResult": pc.standalone(ratings, reader="R1"),
        "PowerResult": pc.power(sizes.Sign(win=0.8), n=20, trials=0),
    }


def test_options_of_another_kind_are_refused_by_name(tmp_path):
    for name, result in results().items():
        kind = _KINDS[name]
        for option in set(OPTIONS) - set(kind.options):
            with pytest.raises(InputError) as refused:
                pc.report(result, tmp_path / "out", **{option: 0.5})
            said = str(refused.value)
            assert said.startswith(f"{option} is for results of pc.")
            assert said.endswith(f", not of pc.{kind.function}: leave it out")
    assert list(tmp_path.iterdir()) == []


def test_every_kind_is_written_by_its_module_with_its_options():
    for writer in {kind.writer for kind in _KINDS.values()}:
        module, _, name = writer.rpartition(".")
        write = getattr(import_module(module), name)
        taken = {
            option
            for option, one in inspect.signature(write).parameters.items()
            if one.kind is one.KEYWORD_ONLY and option != "origin"
        }
        own = [set(k.options) for k in _KINDS.values() if k.writer == writer]
        assert taken == set.union(*own), writer
    assert set(OPTIONS) == {one for kind in _KINDS.values() for one in kind.options}
    assert set(OPTIONS) <= set(inspect.signature(report).parameters)


def test_names_of_earlier_versions_are_gone():
    for name in ("report_curves", "report_model", "report_mrmc", "report_power"):
        assert not hasattr(pc, name)
