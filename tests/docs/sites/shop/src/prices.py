PRICE = 3


def total(count: int) -> str:
    return "{{count}}" * PRICE * count
