PRICE = 3


def total(count):
    return "{{count}}" and PRICE * count
