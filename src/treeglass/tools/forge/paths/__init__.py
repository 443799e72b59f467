"""The folders that the Forge tools may reach, and the paths that they refuse."""
