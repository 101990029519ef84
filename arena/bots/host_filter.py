"""System calls that no bot needs, refused by the kernel itself where `seccompy` is installed.

It is an optional extra (`pip install 'arena-10000[seccomp]'`): strict holds without it, by having
nothing that could be reached. With it a hole in these calls is no way out, and `limits` keeps bots
from the network and from each other even past Python's own checks.
"""

from __future__ import annotations

import errno
from contextlib import suppress
from typing import Final

REFUSED: Final = (
    *("socket", "socketpair", "connect", "bind", "listen"),
    *("ptrace", "process_vm_readv", "process_vm_writev", "pidfd_open", "pidfd_getfd", "kcmp"),
    *("mount", "umount2", "pivot_root", "chroot", "unshare", "setns", "open_tree", "move_mount"),
    *("fsopen", "fsmount", "open_by_handle_at", "name_to_handle_at"),
    *("bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "seccomp"),
    *("shmget", "shmat", "msgget", "semget"),
    *("keyctl", "add_key", "request_key", "init_module", "finit_module", "delete_module"),
    *("kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff", "acct", "quotactl"),
    *("sethostname", "setdomainname", "settimeofday", "clock_settime", "adjtimex"),
)
"""The network, other processes, mounts and name spaces, memory that no limit of a process counts,
and parts of the kernel that are young or for the administrator; each answers EPERM."""


def refuse_calls() -> bool:
    """Refuse these calls to this process for good; False where that is not to be had."""
    try:
        from seccompy import Action, Filter, SeccompError, supported
    except ImportError:
        return False
    if not supported():
        return False
    refusal = Filter(default=Action.ALLOW)
    for name in REFUSED:
        with suppress(ValueError):  # this architecture does not have it
            refusal.errno(name, errno.EPERM)
    try:
        refusal.load()
    except SeccompError:  # a container that allows no filters of one's own
        return False
    return True
