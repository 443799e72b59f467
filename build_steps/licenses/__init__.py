"""The licences of other people's work in the package: a list of it, and their texts."""
