"""Counts and times as people read them."""

UNITS = (("years", 365.25 * 86400), ("days", 86400), ("h", 3600), ("min", 60), ("s", 1), ("ms", 1e-3), ("us", 1e-6))


def format_count(value: int) -> str:
    """A count in full up to six digits, to three digits beyond."""
    return str(value) if value < 1_000_000 else f"{value:.3g}".replace("e+0", "e").replace("e+", "e")


def format_duration(seconds: float) -> str:
    """A time in the largest unit of which there is one at least."""
    name, length = next((unit for unit in UNITS if seconds >= unit[1]), UNITS[-1])
    text = f"{seconds / length:.3g}".replace("e+0", "e").replace("e+", "e")
    return f"{text} {name.removesuffix('s') if text == '1' and len(name) > 2 else name}"
