"""What searching needs and no tool decides: globs and ignore files, matched in linear time."""
