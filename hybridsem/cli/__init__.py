"""The command line: results on standard output, messages on standard error.

Exit codes: 0 done, 1 a problem that the message tells, 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import io
import logging
import os
import sys
from collections.abc import Sequence

import click
from click.shell_completion import shell_complete

from hybridsem import __version__
from hybridsem._utils.disk import reason
from hybridsem._utils.terminal import VisibleFormatter
from hybridsem.cli._examples import add_examples
from hybridsem.cli._shared import of_options, say
from hybridsem.cli.amr import amr
from hybridsem.cli.analogies import analogies
from hybridsem.cli.calibrate import calibrate
from hybridsem.cli.compare import compare
from hybridsem.cli.dedup import dedup
from hybridsem.cli.encode import encode
from hybridsem.cli.evaluate import evaluate
from hybridsem.cli.index import index, search
from hybridsem.cli.judge import judge
from hybridsem.cli.leaderboard import leaderboard
from hybridsem.cli.models import models
from hybridsem.cli.parse import parse
from hybridsem.cli.perturb import perturb
from hybridsem.cli.plot import plot
from hybridsem.cli.rank import cluster, mine, rank
from hybridsem.cli.report import report
from hybridsem.cli.score import score
from hybridsem.cli.setops import setops
from hybridsem.cli.similarity import explain, similarity
from hybridsem.cli.train import train
from hybridsem.errors import HybridSemError, InputError

__all__ = ["cli", "main"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, no_args_is_help=True)
@click.version_option(__version__)
def cli() -> None:
    """Sentence similarity that reads structure."""


NO_MEMORY = ("failed to map segment", "annot allocate memory", "can't start new thread")
"""What libraries say that cannot be loaded into memory, or start a thread."""

COMMANDS = (
    similarity,
    explain,
    judge,
    parse,
    encode,
    score,
    report,
    search,
    index,
    rank,
    mine,
    dedup,
    cluster,
    train,
    calibrate,
    evaluate,
    compare,
    leaderboard,
    plot,
    amr,
    setops,
    analogies,
    perturb,
    models,
)
for command in COMMANDS:
    cli.add_command(command)
add_examples(cli)


COMPLETE = "_HYBRIDSEM_COMPLETE"
"""The variable by which a shell asks for completions: ``bash_source`` prints its script."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    if arguments is None and (asked := os.environ.get(COMPLETE)):
        return shell_complete(cli, {}, "hybridsem", COMPLETE, asked)
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
        say(f"hybridsem: {of_options(str(error))}")
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
