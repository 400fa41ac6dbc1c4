"""Statistics with intervals. A row with a NaN takes no part and is counted in ``missing``; an
undefined statistic is None, with the reason in ``note``.
"""
