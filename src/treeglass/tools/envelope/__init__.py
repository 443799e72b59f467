"""`LS`, `Read`, `Glob` and `Grep`: answers in the Standard Envelope v1.0."""
