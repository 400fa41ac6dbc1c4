"""The command line: results on standard output, messages on standard error.

Exit codes: 0 success, 1 a problem, which the message explains, 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import atexit
import gc
import io
import logging
import os
import sys
from collections import UserDict
from collections.abc import Iterator, Sequence
from importlib import import_module

import click

from hybridsem import __version__
from hybridsem._utils import garbage
from hybridsem._utils.disk import reason
from hybridsem._utils.terminal import VisibleFormatter
from hybridsem.cli._options import EXAMPLES, SUMMARIES, epilog, finish
from hybridsem.cli._shared import as_cli_message, echo_err
from hybridsem.errors import HybridSemError

__all__ = ["cli", "main"]
COMMANDS = [name for name in EXAMPLES if name and " " not in name]
MODULES = {"search": "index", "fit-encoder": "calibrate"}
MODULES |= dict.fromkeys(("similarity", "explain", "judge"), "score")
MODULES |= dict.fromkeys(("mine", "cluster", "dedup"), "rank")
MODULES |= dict.fromkeys(("compare", "leaderboard", "plot"), "cards")
"""The modules of commands that are not called like theirs."""
ONE_PAIR = ("similarity", "explain")


class _Commands(UserDict[str, click.Command]):
    """The commands by name, each imported on use to keep start-up short."""

    def __getitem__(self, name: str) -> click.Command:
        if name not in self.data and name in COMMANDS:
            own = name.replace("-", "_")
            module = import_module(f"hybridsem.cli.{MODULES.get(name, own)}")
            command: click.Command = getattr(module, own)
            finish(command, name)
            self.data[name] = command
        return self.data[name]

    def __contains__(self, name: object) -> bool:
        return name in COMMANDS

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class _Group(click.Group):
    """A group whose help imports none of its commands."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(SUMMARIES.items()))


@click.group(
    cls=_Group,
    commands=_Commands(),
    context_settings={"help_option_names": ["-h", "--help"]},
    no_args_is_help=True,
    epilog=epilog(""),
)
@click.version_option(__version__)
def cli() -> None:
    """Sentence similarity that reads structure."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    if arguments is None:  # a process of its own
        gc.set_threshold(garbage.THRESHOLD)
        atexit.register(gc.freeze)  # skips the collection at exit
        if sys.argv[1:2] and sys.argv[1] in ONE_PAIR:
            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the others would wait, spinning
    if sys.stdout is None:  # `>&-`: the next opened file would become standard output
        echo_err("hybridsem: standard output is closed")
        return 1
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A character that the terminal cannot show must not end the run.
            stream.reconfigure(errors="backslashreplace")
    log = logging.getLogger("hybridsem")
    level = log.level
    log.setLevel(logging.ERROR)  # commands report truncated texts themselves
    for name in ("scale", "plugins", "markup"):
        logging.getLogger(f"hybridsem.{name}").setLevel(logging.WARNING)
    handler = logging.StreamHandler()
    handler.setFormatter(VisibleFormatter("hybridsem: %(message)s"))
    log.addHandler(handler)
    try:
        return _run(list(sys.argv[1:] if arguments is None else arguments))
    finally:
        log.removeHandler(handler)
        log.setLevel(level)


def _run(arguments: list[str]) -> int:
    """Run a command, explain what ended it, and return the exit code."""
    try:
        # Not cli.main(), which handles broken pipes differently.
        code = 0
        try:
            with cli.make_context("hybridsem", arguments) as context:
                cli.invoke(context)
        except click.exceptions.Exit as stop:
            code = stop.exit_code
        sys.stdout.flush()
        return code
    except click.ClickException as error:
        shown = io.StringIO()
        error.show(shown)
        echo_err(shown.getvalue().rstrip("\n"))
        return error.exit_code
    except HybridSemError as error:
        echo_err(f"hybridsem: {as_cli_message(str(error))}")
    except (click.Abort, KeyboardInterrupt):
        echo_err("hybridsem: interrupted")
        return 130
    except BrokenPipeError:  # the reader has ended (`| head`)
        _drop_output()
        return 141
    except OSError as error:  # such as a full disk behind standard output
        echo_err(f"hybridsem: {reason(error)}{f': {error.filename}' if error.filename else ''}")
        try:
            sys.stdout.flush()
        except OSError:
            _drop_output()
    except ModuleNotFoundError as error:
        if not str(error.name).startswith("hybridsem.evaluation"):
            raise
        echo_err("hybridsem: this installation leaves out hybridsem.evaluation, which is needed")
    except MemoryError:
        echo_err("hybridsem: this needs more memory than there is, or than `ulimit -v` allows")
    return 1


def _drop_output() -> None:
    """Redirect standard output to nowhere: Python flushes it again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
