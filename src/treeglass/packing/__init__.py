"""What `treeglass.pack` packs: which entries, in which order, with which content."""
