"""How values are written in tables."""

from __future__ import annotations

__all__ = ["shown"]


def shown(value: object) -> str:
    """Return a value as a table shows it: numbers with three digits, lists with commas.

    Examples
    --------
    >>> shown(0.123456), shown(12345.6), shown([1000, 0.25]), shown(None), shown(True)
    ('0.123', '12,346', '1,000, 0.25', '', 'yes')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    if isinstance(value, list | tuple):
        return ", ".join(map(shown, value))
    return str(value)
