"""How Sphinx builds the site: ``make docs``.

The source folder is the repository itself, so that links between pages are the same on the site and
where the repository is read.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from hybridsem import __version__

project = "hybridsem"
author = "hybridsem developers"
copyright = "2026, hybridsem developers"  # what the footer says
release = version = __version__

root_doc = "docs/index"
include_patterns = [
    "docs/**",
    "models/*/README.md",
    "benchmarks/results/analogies/comparison.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
]
# Folders that hold no page are not even looked through; .venv may be a link to a large one.
exclude_patterns = [
    *(".*", "build", "dist", "examples", "hybridsem", "runs", "shared", "tests"),
    *("docs/published", "docs/_*", "**/__pycache__"),
]

extensions = [
    "myst_nb",  # MyST, and notebooks
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_click",
    "sphinx_copybutton",
    "site_extension",
]
highlight_language = "text"  # commands with comments beside them; Python says that it is Python
templates_path = ["_templates"]

myst_heading_anchors = 4

nb_execution_mode = "force"  # the notebooks hold no outputs
nb_execution_timeout = -1  # of a cell: a machine may be busy
nb_output_stderr = "warn"
nb_merge_streams = True

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True  # prompts and outputs are not copied

autodoc_member_order = "bysource"
autodoc_default_options = {"no-value": True}  # a table of functions is no text
# Classes with one name in two modules, such as settings, are found by the module they are read in.
suppress_warnings = ["ref.python"]
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80
napoleon_numpy_docstring = False
napoleon_use_ivar = True  # or fields of a data class would be described twice

html_theme = "furo"
html_title = f"hybridsem {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_extra_path = ["_root"]
html_copy_source = False
html_show_sphinx = False
html_use_index = True
