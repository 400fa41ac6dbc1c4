"""A reliability plot as SVG: the share of positive pairs by their probability."""

from __future__ import annotations

from collections.abc import Sequence

SIZE, LEFT, TOP, BOTTOM = 320, 56, 40, 52
"""Of the square, and its margins, in pixels."""
LARGEST = 14
"""The radius of the circle for the bin with most pairs."""


def reliability_svg(bins: Sequence[tuple[float, float, int]], title: str) -> str:
    """Return the plot as an SVG document. Each bin has its mean probability, the share that is
    positive, and its number of pairs; ``title`` must be safe in XML.
    """
    width, height = LEFT + SIZE + 24, TOP + SIZE + BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="{LEFT}" y="22" font-size="14">{title}</text>',
        f'<rect x="{LEFT}" y="{TOP}" width="{SIZE}" height="{SIZE}" fill="none" stroke="#999"/>',
        f'<path d="M{_x(0)} {_y(0)}L{_x(1)} {_y(1)}" stroke="#999" stroke-dasharray="4 4"/>',
    ]
    for tick in (0, 0.25, 0.5, 0.75, 1):
        parts += [
            f'<text x="{_x(tick)}" y="{TOP + SIZE + 18}" text-anchor="middle">{tick:g}</text>',
            f'<text x="{LEFT - 8}" y="{_y(tick) + 4:g}" text-anchor="end">{tick:g}</text>',
        ]
    middle = TOP + SIZE / 2
    parts += [
        f'<text x="{_x(0.5)}" y="{height - 12}" text-anchor="middle">probability</text>',
        f'<text x="14" y="{middle:g}" text-anchor="middle" '
        f'transform="rotate(-90 14 {middle:g})">share that is positive</text>',
    ]
    most = max(pairs for *_, pairs in bins)
    line = "L".join(f"{_x(probability)} {_y(share)}" for probability, share, _ in bins)
    parts.append(f'<path d="M{line}" fill="none" stroke="#2a6fb0" stroke-width="1.5"/>')
    for probability, share, pairs in bins:
        radius = max(2.5, LARGEST * (pairs / most) ** 0.5)
        parts.append(
            f'<circle cx="{_x(probability)}" cy="{_y(share)}" r="{radius:.1f}" fill="#2a6fb0" '
            f'fill-opacity=".45"><title>{pairs} pairs</title></circle>'
        )
    return "\n".join([*parts, "</svg>", ""])


def _x(value: float) -> str:
    return f"{LEFT + SIZE * value:g}"


def _y(value: float) -> float:
    return round(TOP + SIZE * (1 - value), 1)
