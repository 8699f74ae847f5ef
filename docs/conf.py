"""Settings of the site; ``make docs`` builds it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import pycompare

project = "pycompare"
author = "The pycompare authors"
version = release = pycompare.__version__
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "docs.site_tools",
]
myst_enable_extensions = ["attrs_block", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
html_math_renderer = "mathml"
html_theme = "furo"
html_title = f"pycompare {version}"
html_copy_source = False
html_show_copyright = False
smartquotes_action = "qe"  # two hyphens begin an option
html_static_path = ["_static"]
html_css_files = ["site.css"]
exclude_patterns = ["_pictures", "paper"]
autodoc_typehints = "none"
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
