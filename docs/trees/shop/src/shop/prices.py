PRICES = {
    "c-01": 320,
    "c-02": 540,
    "c-03": 610,
    "c-04": 480,
}


# Prices are whole cents: a float would lose one now and then.
# A discount is taken from a sum of them, and rounded once.
def cents(sku: str) -> int:
    return PRICES[sku]


def skus() -> list[str]:
    return sorted(PRICES)
