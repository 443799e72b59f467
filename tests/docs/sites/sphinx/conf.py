project = "Shop"
extensions = ["myst_parser", "treeglass.sphinx"]
treeglass_package = "../npm"
html_theme = "furo"
exclude_patterns = ["trees"]
