# SPDX-License-Identifier: Apache-2.0
"""The daemon's socket, and the errors of connecting: protocol.md, "Reaching the daemon"."""

from __future__ import annotations

import errno
import os
import socket
import struct
from typing import Mapping, Optional

from . import errors

#: The timeout of connecting, and then of the answer to `hello`, in seconds.
PATIENCE = 5.0
#: The maximum length of a Unix socket's path, in bytes.
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
    """Whether this process runs in a Flatpak or snap."""
    return os.path.exists("/.flatpak-info") or "SNAP" in os.environ


def unavailable(number: Optional[int], sandboxed: bool) -> errors.Unavailable:
    """The error for an errno of connect(2)."""
    if number == errno.ECONNREFUSED:
        return errors.NotRunning()
    if number in (errno.EACCES, errno.EPERM):
        return errors.NotPermitted()
    if number in (errno.EAGAIN, errno.EINTR, errno.ETIMEDOUT):
        return errors.NotResponding()
    return errors.NotReachable() if sandboxed else errors.NotInstalled()


def connect(path: str, patience: float = PATIENCE) -> socket.socket:
    """Returns a non-blocking socket to the daemon. Waits only while the listen queue is full."""
    try:
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    except OSError:
        raise errors.NoSocket() from None
    try:
        # On a Unix socket this limits the time that connect() waits while the listen queue is full (unix(7), SO_SNDTIMEO).
        seconds = int(patience)
        made.setsockopt(
            socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", seconds, int((patience - seconds) * 1_000_000)))
        made.connect(path)
        made.setblocking(False)
        return made
    except OSError as error:
        made.close()
        raise unavailable(error.errno, is_sandboxed()) from None
