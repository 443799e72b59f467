"""Code of the build that runs inside Pyodide; it imports the standard library and itself alone."""
