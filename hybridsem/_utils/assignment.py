"""Optimal assignment of the rows of a matrix to its columns.

The first small matrices of a process are solved here, because importing scipy.optimize takes longer
than comparing two sentences. Both solvers visit cells in the same order, so they break ties alike.
"""

from __future__ import annotations

import itertools
import math
import sys

from hybridsem._typing import Float64Array

SMALL = 1024  # the most cells of a matrix that is solved here

MANY = 10_000  # after this many matrices, which take about as long as the import, scipy is used
_solved = itertools.count(1)


def assignment(gain: Float64Array) -> list[tuple[int, int]]:
    """Return the min(m, n) pairs (row, column) with the greatest sum of the finite ``gain`` (m, n).
    The pairs are in the order of their rows.
    """
    if gain.size > SMALL or "scipy.optimize" in sys.modules or next(_solved) > MANY:
        from scipy.optimize import linear_sum_assignment

        rows, columns = linear_sum_assignment(-gain)
        return list(zip(rows.tolist(), columns.tolist(), strict=True))
    if not gain.size:
        return []
    if len(gain) > gain.shape[1]:
        return sorted((row, column) for column, row in enumerate(_columns((-gain.T).tolist())))
    return list(enumerate(_columns((-gain).tolist())))


def _columns(cost: list[list[float]]) -> list[int]:
    """Return the column of each row at the least total cost, for at most as many rows as columns.
    Each row is added along the shortest augmenting path (Crouse 2016, "On implementing 2D
    rectangular assignment algorithms"). As in scipy, columns are visited from the last to the
    first, and a free column wins a tie.
    """
    size = len(cost[0])
    row_price, column_price = [0.0] * len(cost), [0.0] * size
    column_of, row_of = [-1] * len(cost), [-1] * size
    for new in range(len(cost)):
        reached_from = [-1] * size
        distances = [math.inf] * size
        left = list(range(size - 1, -1, -1))
        rows: list[int] = []
        columns: list[int] = []
        row, distance = new, 0.0
        while True:
            rows.append(row)
            costs, price = cost[row], row_price[row]
            nearest, place = math.inf, -1
            for at, column in enumerate(left):
                through = distance + costs[column] - price - column_price[column]
                if through < distances[column]:
                    distances[column] = through
                    reached_from[column] = row
                through = distances[column]
                if through < nearest or (through == nearest and row_of[column] < 0):
                    nearest, place = through, at
            distance = nearest
            end = left[place]
            columns.append(end)
            if row_of[end] < 0:
                break
            row = row_of[end]
            left[place] = left[-1]
            left.pop()
        row_price[new] += distance
        for row in rows[1:]:
            row_price[row] += distance - distances[column_of[row]]
        for column in columns:
            column_price[column] -= distance - distances[column]
        while True:
            row = reached_from[end]
            row_of[end] = row
            column_of[row], end = end, column_of[row]
            if row == new:
                break
    return column_of
