"""Run python with the given arguments where a socket for the internet is death.

    python no_internet.py -c "..."

Linux's kernel then kills the process, or a child of it, at its first ``socket(AF_INET or
AF_INET6)``, from whatever library; sockets between local processes (AF_UNIX) are let be. Elsewhere
the arguments are run as they are.
"""

import ctypes
import os
import platform
import signal
import struct
import sys
from socket import AF_INET, AF_INET6

KILLED = -getattr(signal, "SIGSYS", 31)
"""The return code of a process that tried."""

MACHINES = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
"""Of a kind of processor, the number by which seccomp names it and that of the call socket."""

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
SECCOMP_RET_ALLOW, SECCOMP_RET_KILL_PROCESS = 0x7FFF0000, 0x80000000
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06


class Program(ctypes.Structure):
    """The kernel's ``sock_fprog``."""

    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def guarded() -> bool:
    """Whether there is a guard for this system."""
    return sys.platform == "linux" and platform.machine() in MACHINES


def forbid_internet() -> None:
    """From here on, in this process and all that it starts."""
    architecture, socket_call = MACHINES[platform.machine()]
    # (operation, instructions to skip if equal, if not, operand); offsets in ``seccomp_data``:
    # 0 number of the call, 4 architecture, 16 first argument
    steps = (
        (LOAD, 0, 0, 4),
        (JUMP_IF_EQUAL, 0, 5, architecture),
        (LOAD, 0, 0, 0),
        (JUMP_IF_EQUAL, 0, 3, socket_call),
        (LOAD, 0, 0, 16),
        (JUMP_IF_EQUAL, 2, 0, AF_INET),
        (JUMP_IF_EQUAL, 1, 0, AF_INET6),
        (RETURN, 0, 0, SECCOMP_RET_ALLOW),
        (RETURN, 0, 0, SECCOMP_RET_KILL_PROCESS),
    )
    program = Program(
        len(steps), b"".join(struct.pack("HBBI", code, *rest) for code, *rest in steps)
    )
    libc = ctypes.CDLL(None, use_errno=True)
    for arguments in (
        (PR_SET_NO_NEW_PRIVS, 1, 0),
        (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(program)),
    ):
        if libc.prctl(*map(ctypes.c_ulong, (*arguments, 0, 0))) != 0:
            raise OSError(ctypes.get_errno(), "prctl: the guard cannot be set")


if __name__ == "__main__":
    if guarded():
        forbid_internet()
    os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
