"""A reliability plot as SVG: the share of positive pairs by their probability."""

from __future__ import annotations

from collections.abc import Sequence

from hybridsem.render.template_files import fill

SIZE, LEFT, TOP = 320, 56, 40  # the size of the square in the template, and its margins, in pixels
LARGEST = 14  # the radius of the circle for the bin with most pairs


def reliability_svg(bins: Sequence[tuple[float, float, int]], title: str) -> str:
    """Return the plot as an SVG document. Each bin has its mean probability, the share that is
    positive, and its number of pairs; ``title`` must be safe in XML.
    """
    largest = max(pairs for *_, pairs in bins)
    places = [
        (f"{LEFT + SIZE * probability:g}", round(TOP + SIZE * (1 - share), 1), pairs)
        for probability, share, pairs in bins
    ]
    circles = [
        fill(
            "circle.svg",
            x=x,
            y=f"{y}",
            radius=f"{max(2.5, LARGEST * (pairs / largest) ** 0.5):.1f}",
            pairs=pairs,
        )
        for x, y, pairs in places
    ]
    line = "L".join(f"{x} {y}" for x, y, _ in places)
    return fill("reliability.svg", title=title, line=line, circles="\n".join(circles)) + "\n"
