"""Frozen dataclasses, made as fast as those that are not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, make_dataclass
from typing import Any, TypeVar

T = TypeVar("T")


def maker(cls: type[T]) -> Callable[..., list[T]]:
    """Return a function from columns of fields to objects of a frozen dataclass with slots.

    It takes a third of the time of the class: the fields are set in objects of a twin that is not
    frozen, which then get the class. No ``__post_init__`` is called.
    """
    names = ((field.name, field.type) for field in fields(cls))  # type: ignore[arg-type]
    twin = make_dataclass(cls.__name__, names, slots=True)

    def make(*columns: Iterable[Any]) -> list[T]:
        made: list[Any] = [*map(twin, *columns)]
        for each in made:
            each.__class__ = cls
        return made

    return make
