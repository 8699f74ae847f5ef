"""Mutation testing: which small faults the tests would catch.

Why not mutmut or cosmic-ray (both tried in November 2026)? cosmic-ray 8.7.0 changes no
words, which are a fifth of the mutants here, draws no sample, and starts one command,
the same for each mutant. mutmut 3.8.1 does change words, and took 2 minutes of CPU for
173 mutants of ``kernels/box_m.py`` with the tests of one file. But it asks for a run of
the whole suite in one process first, tries a mutant with every test that reached its
function (hundreds for a function of ``base``) without a limit of CPU time, and offers
no way to leave out error messages, citations and the calls that tell R what to repeat,
which made most of its survivors. A sample of some mutants of each group, near tests
first and 30 CPU seconds for each, would remain to be written around it.
"""
