"""`list_directory`: one canonical JSON object, errors of the ToolError taxonomy."""
