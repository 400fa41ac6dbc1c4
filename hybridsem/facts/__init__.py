"""Quantities, money, dates, times, durations, names and identifiers, read as typed values."""
