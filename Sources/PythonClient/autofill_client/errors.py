# SPDX-License-Identifier: Apache-2.0
"""The errors of calls. All are an AutofillError, and have `reasons`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Mapping, Optional, Tuple


@dataclass(frozen=True)
class Reason:
    """Why something was refused or withheld, and its fix: protocol.md, "Refusals"."""

    reason: str
    message: str
    fix: str
    audience: str = ""
    retry: str = ""
    event: Optional[str] = None
    retry_after_milliseconds: Optional[int] = None
    parameters: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.message} ({self.reason}). {self.fix}" if self.fix else f"{self.message} ({self.reason})"


class AutofillError(Exception):
    """Why a call has no result. `reasons` is empty if the daemon returned none."""

    def __init__(self, message: str, reasons: Tuple[Reason, ...] = ()) -> None:
        super().__init__(message)
        self.reasons = reasons

    def is_for(self, *names: str) -> bool:
        """Whether one of these is one of the reasons."""
        return any(reason.reason in names for reason in self.reasons)


class Refused(AutofillError):
    """The daemon refused, for these reasons. Each has its fix. Never empty."""

    def __init__(self, reasons: Tuple[Reason, ...]) -> None:
        super().__init__("; ".join(map(str, reasons)), reasons)


class Cancelled(Refused):
    """The request was cancelled, by the client or by the daemon."""


class InvalidRequest(Refused):
    """The request does not conform to the protocol: the program that made it must be fixed."""


class ConnectionLost(AutofillError):
    """The connection was lost before the answer; it is not known whether the request was executed.

    The next call connects again. A repeatable request was sent once more before this was raised.
    """


class AnswerNotUnderstood(AutofillError):
    """The answer does not conform to the protocol."""


class Unavailable(AutofillError):
    """The daemon is not available. The app works without it."""

    word = "unavailable"
    message = "autofilld is not there"
    fix = ""

    def __init__(self) -> None:
        super().__init__(f"{self.message}. {self.fix}", (Reason(self.word, self.message, self.fix),))


class NoSession(Unavailable):
    word = "noSession"
    message = "There is no login session that autofilld could belong to"
    fix = "Log in through a session manager, or set AUTOFILLD_SOCKET to the socket's whole path"


class PathTooLong(Unavailable):
    word = "pathTooLong"
    message = "The path of the socket is too long: 107 bytes at most"
    fix = "Name one in a directory with a shorter path"


class NotInstalled(Unavailable):
    word = "notInstalled"
    message = "autofilld is not installed, or its socket is not enabled"
    fix = "Install it, then run: systemctl --user enable --now autofilld.socket"


class NotReachable(Unavailable):
    word = "notReachable"
    message = "autofilld cannot be reached from this sandbox"
    fix = "Give the Flatpak the permission --filesystem=xdg-run/autofilld:ro; strict snaps cannot join yet"


class NoSocket(Unavailable):
    word = "noSocket"
    message = "This process cannot open a socket"
    fix = "Close files it does not need, or raise the limit of its open files (ulimit -n)"


class NotRunning(Unavailable):
    word = "notRunning"
    message = "autofilld is not running"
    fix = "Run: systemctl --user restart autofilld.socket"


class NotPermitted(Unavailable):
    word = "notPermitted"
    message = "The socket of autofilld belongs to another user"
    fix = "Use the socket in your own runtime directory"


class NotResponding(Unavailable):
    word = "notResponding"
    message = "autofilld does not answer"
    fix = "See why it does not start: journalctl --user -u autofilld"
