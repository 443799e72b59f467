"""`LS`: answers in the Standard Envelope v1.0."""
