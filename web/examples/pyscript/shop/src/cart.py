def total(prices):
    return sum(prices)


def count(prices):
    return len(prices)
