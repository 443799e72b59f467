"""What a start needs: Pyodide, the bytecode, and the start-up image."""
