"""`apply_patch`: the codex tool that changes, which a page fetches only if it offers the tool."""
