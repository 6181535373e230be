# SPDX-License-Identifier: Apache-2.0
"""Where the daemon listens, and what it means when it does not: protocol.md, "Reaching the daemon"."""

from __future__ import annotations

import errno
import os
import socket
import struct
from typing import Mapping, Optional

from . import errors

#: How long connecting, and then the answer to hello, may take.
PATIENCE = 5.0
#: Bytes of a Unix socket's path.
LONGEST_PATH = 107


def find(path: Optional[str] = None, environment: Mapping[str, str] = os.environ) -> str:
    """The socket's path: `path`, else $AUTOFILLD_SOCKET, else $XDG_RUNTIME_DIR/autofilld/socket."""
    directory = environment.get("XDG_RUNTIME_DIR")
    path = path or environment.get("AUTOFILLD_SOCKET") or (directory and directory + "/autofilld/socket")
    if not path:
        raise errors.NoSession()
    if len(os.fsencode(path)) > LONGEST_PATH:
        raise errors.PathTooLong()
    return path


def is_sandboxed() -> bool:
    """Whether this process sees only a part of the machine."""
    return os.path.exists("/.flatpak-info") or "SNAP" in os.environ


def unavailable(number: Optional[int], sandboxed: bool) -> errors.Unavailable:
    """What an errno of connect(2) means."""
    if number == errno.ECONNREFUSED:
        return errors.NotRunning()
    if number in (errno.EACCES, errno.EPERM):
        return errors.NotPermitted()
    if number in (errno.EAGAIN, errno.EINTR, errno.ETIMEDOUT):
        return errors.NotResponding()
    return errors.NotReachable() if sandboxed else errors.NotInstalled()


def connect(path: str, patience: float = PATIENCE) -> socket.socket:
    """A socket to the daemon, not blocking. It waits only where more clients wait than the system lets."""
    try:
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    except OSError:
        raise errors.NoSocket() from None
    try:
        # On a Unix socket this limits the wait of connect() for a place in the queue (unix(7), SO_SNDTIMEO).
        seconds = int(patience)
        made.setsockopt(
            socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", seconds, int((patience - seconds) * 1_000_000)))
        made.connect(path)
        made.setblocking(False)
        return made
    except OSError as error:
        made.close()
        raise unavailable(error.errno, is_sandboxed()) from None
