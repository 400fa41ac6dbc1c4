"""An AMR graph as a picture: concepts in columns by their depth, roles on the lines between them. A
node that is mentioned again is a dashed box with its variable and a dashed line to the node itself;
an inverse role (``:ARG0-of``) is shown in its own direction.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape

from hybridsem._utils.terminal import visible
from hybridsem.amr import INSTANCE, AmrGraph, is_inverted
from hybridsem.render.layout import text_width
from hybridsem.render.template_files import drawing, fill

MAX_NODES = 150  # larger graphs are shown in their notation

FONT, LABEL_FONT = 14.0, 12.0
ROW, HEIGHT, PADDING, MARGIN = 38.0, 26.0, 9.0, 10.0
LINE = 48.0  # the space beside the label of a line between two columns
MAX_LETTERS = 40


@dataclass(slots=True)
class Node:
    """A box: a concept with its variable, a constant, or a variable that was mentioned before."""

    text: str
    variable: str | None
    kind: str
    role: str = ""
    depth: int = 0
    children: list[Node] = field(default_factory=list)
    x: float = 0.0
    y: float = 0.0

    @property
    def width(self) -> float:
        """The width of the box."""
        return text_width(self.text, FONT) + 2 * PADDING


def graph_as_svg(graph: AmrGraph) -> str:
    """Draw the graph as an ``<svg>`` element without style; "" if it is too large."""
    if sum(triple.role != INSTANCE for triple in graph.triples) >= MAX_NODES:
        return ""
    nodes, mentioned = _nodes(graph)
    height = _place(nodes)
    by_variable = {node.variable: node for node in nodes if node.kind == ""}
    parts = [_edge(node, child) for node in nodes for child in node.children]
    parts += [_again(node, by_variable[node.variable]) for node in mentioned]
    parts += [_box(node) for node in nodes]
    # Lines from repeated mentions pass around the right side.
    room = 3 * ROW if mentioned else 0.0
    width = max(node.x + node.width for node in nodes) + room + MARGIN
    title = f"AMR: {visible(graph.to_penman(metadata=False, indent=None))}"
    return drawing(parts, width, height, title)


def _cut(text: str) -> str:
    text = visible(text)
    return text if len(text) <= MAX_LETTERS else text[: MAX_LETTERS - 1] + "…"


def _nodes(graph: AmrGraph) -> tuple[list[Node], list[Node]]:
    """The boxes, parents first, and those of nodes mentioned before."""
    concepts = graph.concepts
    root = Node(_cut(f"{graph.top} / {concepts[graph.top]}"), graph.top, "")
    nodes, mentioned, places = [root], [], {graph.top: root}
    for number, (source, role, target) in enumerate(graph.triples):
        if role == INSTANCE:
            continue
        parent = places[source]
        if graph.opens(number):
            node = Node(_cut(f"{target} / {concepts[target]}"), target, "", role)
            places[target] = node
        elif target in concepts:
            node = Node(_cut(target), target, " hs-again", role)
            mentioned.append(node)
        else:
            node = Node(_cut(target), None, " hs-constant", role)
        node.depth = parent.depth + 1
        parent.children.append(node)
        nodes.append(node)
    return nodes, mentioned


def _place(nodes: list[Node]) -> float:
    """Place the boxes, a row for each leaf, and return the total height."""
    deepest = max(node.depth for node in nodes)
    columns: list[list[Node]] = [[] for _ in range(deepest + 1)]
    for node in nodes:
        columns[node.depth].append(node)
    x = MARGIN
    for column in columns:
        x += max(text_width(_label(node.role)[0], LABEL_FONT) for node in column)
        x += LINE if column[0].depth else 0.0
        for node in column:
            node.x = x
        x += max(node.width for node in column)
    rows = 0
    # Depth first, children before their parents, without recursion: graphs are up to 200 deep.
    stack = [(nodes[0], False)]
    while stack:
        node, done = stack.pop()
        if not node.children:
            node.y = MARGIN + ROW * (rows + 0.5)
            rows += 1
        elif done:
            node.y = (node.children[0].y + node.children[-1].y) / 2
        else:
            stack.append((node, True))
            stack += [(child, False) for child in reversed(node.children)]
    return rows * ROW + 2 * MARGIN


def _label(role: str) -> tuple[str, bool]:
    """Return the role in its own direction, and whether it points to the parent."""
    inverted = is_inverted(role)
    return visible(role.removesuffix("-of") if inverted else role), inverted


def _edge(parent: Node, child: Node) -> str:
    label, inverted = _label(child.role)
    width = text_width(label, LABEL_FONT)
    start, end = parent.x + parent.width, child.x
    flat = end - width - LINE / 2
    middle = (start + flat) / 2
    path = (
        f"M{start:.1f} {parent.y:.1f}C{middle:.1f} {parent.y:.1f} {middle:.1f} {child.y:.1f} "
        f"{flat:.1f} {child.y:.1f}H{end:.1f}"
    )
    head = (
        f"M{start:.1f} {parent.y:.1f}l8 -3.6v7.2z"
        if inverted
        else f"M{end:.1f} {child.y:.1f}l-8 -3.6v7.2z"
    )
    return (
        fill("arc.svg", kind="", path=path)
        + fill("arrow.svg", path=head)
        + fill("edge.svg", x=end - LINE / 4 - width / 2 - 4, y=child.y - 4, text=escape(label))
    )


def _again(node: Node, target: Node) -> str:
    """Return the dashed line from a repeated mention to the node, around the right side."""
    x1, x2 = node.x + node.width, target.x + target.width
    round_ = max(x1, x2) + ROW + min(ROW, abs(node.y - target.y) / 4)
    path = (
        f"M{x1:.1f} {node.y:.1f}C{round_:.1f} {node.y:.1f} {round_:.1f} {target.y:.1f} "
        f"{x2 + 8:.1f} {target.y:.1f}"
    )
    return fill("arc.svg", kind=" hs-again", path=path) + fill(
        "arrow.svg", path=f"M{x2:.1f} {target.y:.1f}l8 -3.6v7.2z"
    )


def _box(node: Node) -> str:
    return fill(
        "node.svg",
        kind=node.kind,
        left=node.x,
        top=node.y - HEIGHT / 2,
        width=node.width,
        height=HEIGHT,
        radius="4" if node.kind == " hs-constant" else "13",
        x=node.x + node.width / 2,
        y=node.y + 5,
        length=node.width - 2 * PADDING,
        text=escape(node.text),
    )
