"""The berths of the harbour, and which ship lies where."""

BERTHS = 12


def is_free(berth: int, taken: set[int]) -> bool:
    """Tell whether a ship may come in."""
    return 0 <= berth < BERTHS and berth not in taken
