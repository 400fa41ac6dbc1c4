"""The command line: results on standard output, messages on standard error.

Exit codes: 0 done, 1 a problem that the message tells, 2 wrong usage, 130 interrupted.
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
from hybridsem.cli._examples import add_examples
from hybridsem.cli._shared import as_cli_message, say
from hybridsem.errors import HybridSemError, InputError

__all__ = ["cli", "main"]


NO_MEMORY = ("failed to map segment", "annot allocate memory", "can't start new thread")
"""What libraries say that cannot be loaded into memory, or start a thread."""

COMMANDS = {
    "similarity": "similarity",
    "explain": "similarity",
    "judge": "judge",
    "parse": "parse",
    "encode": "encode",
    "score": "score",
    "report": "report",
    "search": "index",
    "index": "index",
    "rank": "rank",
    "mine": "rank",
    "dedup": "dedup",
    "cluster": "rank",
    "train": "train",
    "calibrate": "calibrate",
    "fit-encoder": "fit_encoder",
    "evaluate": "evaluate",
    "compare": "compare",
    "leaderboard": "leaderboard",
    "plot": "plot",
    "amr": "amr",
    "setops": "setops",
    "analogies": "analogies",
    "perturb": "perturb",
    "models": "models",
}
"""The commands, and the modules of this folder that have them."""


class _Commands(UserDict[str, click.Command]):
    """The commands by name, each imported when it is asked for: a cold start is short."""

    def __getitem__(self, name: str) -> click.Command:
        if name not in self.data and name in COMMANDS:
            command: click.Command = getattr(
                import_module(f"hybridsem.cli.{COMMANDS[name]}"), name.replace("-", "_")
            )
            add_examples(command, name)
            self.data[name] = command
        return self.data[name]

    def __contains__(self, name: object) -> bool:
        return name in COMMANDS

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


@click.group(
    commands=_Commands(),
    context_settings={"help_option_names": ["-h", "--help"]},
    no_args_is_help=True,
)
@click.version_option(__version__)
def cli() -> None:
    """Sentence similarity that reads structure."""


add_examples(cli, "")


COMPLETE = "_HYBRIDSEM_COMPLETE"
"""The variable by which a shell asks for completions: ``bash_source`` prints its script."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    if arguments is None and (asked := os.environ.get(COMPLETE)):
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, "hybridsem", COMPLETE, asked)
    if arguments is None:  # a process of its own
        gc.set_threshold(garbage.THRESHOLD)
        atexit.register(gc.freeze)  # nothing that is left at the end is looked through for rubbish
    if sys.stdout is None:  # `>&-`: the next file that is opened would become standard output
        say("hybridsem: standard output is closed")
        return 1
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(
                errors="backslashreplace"
            )  # a terminal that cannot show a sign must not end the run
    log = logging.getLogger("hybridsem")
    level = log.level
    log.setLevel(logging.ERROR)  # what was cut, each command says in its own words
    logging.getLogger("hybridsem.scale").setLevel(logging.WARNING)  # but not this
    handler = logging.StreamHandler()
    handler.setFormatter(VisibleFormatter("hybridsem: %(message)s"))
    log.addHandler(handler)
    try:
        # Not cli.main(), which has its own ideas about broken pipes.
        given = list(sys.argv[1:] if arguments is None else arguments)
        code = 0
        for argument in given:
            _check(argument)
        try:
            with cli.make_context("hybridsem", given) as context:
                cli.invoke(context)
        except click.exceptions.Exit as stop:
            code = stop.exit_code
        sys.stdout.flush()
        return code
    except click.ClickException as error:
        shown = io.StringIO()
        error.show(shown)
        say(shown.getvalue().rstrip("\n"))
        return error.exit_code
    except HybridSemError as error:
        say(f"hybridsem: {as_cli_message(str(error))}")
        return 1
    except (click.Abort, KeyboardInterrupt):
        say("hybridsem: interrupted")
        return 130
    except BrokenPipeError:  # the reader has gone (`| head`)
        _drop_output()
        return 141
    except OSError as error:  # such as a full disk behind standard output
        say(f"hybridsem: {reason(error)}{f': {error.filename}' if error.filename else ''}")
        try:
            sys.stdout.flush()
        except OSError:
            _drop_output()
        return 1
    except (MemoryError, ImportError, RuntimeError) as error:
        if str(getattr(error, "name", "")).startswith("hybridsem.evaluation"):
            say("hybridsem: this installation leaves out hybridsem.evaluation, which is needed")
            return 1
        if not (isinstance(error, MemoryError) or any(sign in str(error) for sign in NO_MEMORY)):
            raise
        say("hybridsem: this needs more memory than there is, or than `ulimit -v` allows")
        return 1
    finally:
        log.removeHandler(handler)
        log.setLevel(level)


def _check(argument: str) -> None:
    """:class:`InputError` for what no shell can give, and no file can be called."""
    try:
        if b"\0" not in os.fsencode(argument):
            return
    except UnicodeEncodeError:
        pass
    raise InputError(f"no usable argument, got {argument!r:.80}")


def _drop_output() -> None:
    """Give standard output somewhere to go: Python flushes it once more at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
