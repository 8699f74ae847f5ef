"""The simulation studies of the package, run, and the page of each.

Each page has a module, its text made of stored results by ``parts``. ``pages`` lists
them, and ``runs`` makes the results: every number of a page is in
``simulation_results/NAME.json`` with its seed.
"""
