"""What is required of pycompare besides numbers: each with its risk and its tests.

A test is named as pytest names it; the tests come with the source and run before each
release (``make test``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Risk = Literal["high", "not-high"]


@dataclass(frozen=True)
class FunctionRequirement:
    """One requirement of a function that an auditor asks for.

    Attributes
    ----------
    identifier : str
        Never given to another requirement.
    title : str
    risk : {"high", "not-high"}
        Process risk if the function fails.
    failure : str
        What would go unseen then.
    tests : tuple of str
    """

    identifier: str
    title: str
    risk: Risk
    failure: str
    tests: tuple[str, ...]


_TRAIL = "tests/designs/plans/test_trail.py::"
_VERIFY = "tests/reporting/evidence/test_verify.py::"
_BLIND = "tests/reporting/evidence/test_blinding.py::"
_ROUTES = "tests/designs/plans/test_both_routes.py::"

FUNCTIONS = (
    FunctionRequirement(
        "F01",
        "A seal records who, role, meaning, time of the machine, and the hashes of the "
        "plan and of the data.",
        "high",
        "a plan that was made after the data were seen",
        (f"{_TRAIL}test_a_report_of_a_sealed_plan_says_when_and_by_whom",),
    ),
    FunctionRequirement(
        "F02",
        "A plan that was changed after its seal is rejected until it is amended with a "
        "reason.",
        "high",
        "an analysis other than the planned one",
        (
            f"{_TRAIL}test_a_plan_that_was_changed_after_its_seal_is_refused",
            f"{_ROUTES}test_a_changed_plan_of_readers_is_refused",
        ),
    ),
    FunctionRequirement(
        "F03",
        "Entries of a trail that were edited, taken out, put in, moved or played again "
        "are found.",
        "high",
        "a record that was thinned",
        (
            f"{_TRAIL}test_a_manipulation_is_found_in_the_trail_itself",
            f"{_TRAIL}test_a_manipulation_is_found_with_a_report",
        ),
    ),
    FunctionRequirement(
        "F04",
        "A blinded report contains no name in any file.",
        "high",
        "conclusions that names influenced",
        (f"{_BLIND}test_no_name_is_in_any_byte_of_a_blinded_report",),
    ),
    FunctionRequirement(
        "F05",
        "Unblinding changes no number.",
        "high",
        "conclusions other than the blinded ones",
        (f"{_BLIND}test_an_opened_report_is_the_one_without_codes",),
    ),
    FunctionRequirement(
        "F06",
        "A report file that was changed, added or removed is named, with the place.",
        "high",
        "an altered report",
        (
            f"{_VERIFY}test_one_change_is_named",
            f"{_VERIFY}test_files_that_are_gone_or_new_or_links_are_named",
        ),
    ),
    FunctionRequirement(
        "F07",
        "A number that was forged together with its hash is found by recomputation.",
        "high",
        "an altered result",
        (
            f"{_VERIFY}test_a_number_that_was_forged_with_its_hash_does_not_come_out_again",
        ),
    ),
    FunctionRequirement(
        "F08",
        "A signature is checked against the allowed signers.",
        "high",
        "a report of somebody else",
        (f"{_VERIFY}test_a_signature_is_checked_and_says_whose_it_is",),
    ),
    FunctionRequirement(
        "F09",
        "Each number of a report is repeated in R by a program that compares itself.",
        "high",
        "a wrong number",
        ("tests/reporting/evidence/test_reproduce.py::"
         "test_r_computes_every_number_that_was_cut_out",),
    ),
    FunctionRequirement(
        "F10",
        "A missing cell is rejected unless the plan says what is done about it.",
        "high",
        "data that were left out",
        ("tests/data/test_missing.py::"
         "test_missing_cells_and_absent_rows_are_refused_with_the_remedies",),
    ),
    FunctionRequirement(
        "F11",
        "Options and a plan file give the same results.",
        "high",
        "a conclusion that depends on the way in",
        (
            f"{_ROUTES}test_options_and_a_plan_file_have_the_same_results",
            "tests/test_declared_options.py::"
            "test_the_three_ways_into_a_comparison_agree",
        ),
    ),
    FunctionRequirement(
        "F12",
        "Two reports are compared conclusion by conclusion, and whether one changed is "
        "said first.",
        "not-high",
        "a conclusion that changed between versions",
        ("tests/reporting/evidence/test_diff.py::"
         "test_a_margin_that_is_no_longer_shown_is_said_first",),
    ),
    FunctionRequirement(
        "F13",
        "The evidence of an intended use has a manifest: it is verified, signed and "
        "compared like a report.",
        "not-high",
        "altered evidence",
        ("tests/test_validation.py::test_evidence_is_verified_and_compared",),
    ),
)  # fmt: skip
