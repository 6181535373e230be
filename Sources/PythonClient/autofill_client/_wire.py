# SPDX-License-Identifier: Apache-2.0
"""Lines of JSON: protocol.md, "Lines" and "Requests and answers"."""

from __future__ import annotations

import json
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple

from .errors import AnswerNotUnderstood, AutofillError, Cancelled, InvalidRequest, Reason, Refused

#: The maximum length of a request's line in bytes, until the answer to `hello` states it.
LINE_BYTES = 65_536
#: Levels of arrays and objects in one line.
DEPTH = 16
#: Integers lie within plus and minus this.
LARGEST_INTEGER = 2**53 - 1
#: Longer than the longest answer: a page of 500 credentials with the longest names.
LONGEST_ANSWER = 8 << 20
#: Each string of a line, and each name of a member or method.
TEXT = "text of Unicode, without U+0000"
#: The error code of a cancelled request.
CANCELLED = -32_800


class Answer(Mapping[str, Any]):
    """An object of an answer, with the member names of protocol.md. Its `repr` shows the names, never a value."""

    __slots__ = ("_members",)

    def __init__(self, members: Mapping[str, Any]) -> None:
        self._members = members

    def __getitem__(self, name: str) -> Any:
        return _guarded(self._members[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __repr__(self) -> str:
        return f"<Answer: {', '.join(self._members)}>"


class Answers(Tuple[Any, ...]):
    """An array of an answer. Its `repr` shows no value."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{len(self)} answers>"


def _guarded(value: Any) -> Any:
    if isinstance(value, dict):
        return Answer(value)
    return Answers(map(_guarded, value)) if isinstance(value, list) else value


def encode(number: Optional[int], method: str, params: Mapping[str, Any], limit: int = LINE_BYTES) -> bytes:
    """Returns the line of a request, or of a notification if it has no number. Members that are None are left out."""
    request: Dict[str, Any] = {"jsonrpc": "2.0", "method": method}
    if number is not None:
        request["id"] = number
    given = {name: value for name, value in params.items() if value is not None}
    _check(method, "method", 1)
    _check(given, "params", 2)
    request["params"] = given
    # What `_check` lets pass and json does not know is a Mapping.
    line = json.dumps(request, ensure_ascii=False, separators=(",", ":"), default=dict).encode()
    if len(line) > limit:
        raise _invalid("line-too-long", "The line is too long", f"Send at most {limit} bytes a line")
    return line + b"\n"


def _check(value: Any, path: str, level: int) -> None:
    """Refuses what no line can hold. The daemon could not assign such a line to a request."""
    if value is None or isinstance(value, bool):
        return
    if isinstance(value, str):
        if not _is_text(value):
            raise _invalid_value(path, TEXT)
    elif isinstance(value, int):
        if abs(value) > LARGEST_INTEGER:
            raise _invalid_value(path, "an integer within ±(2^53−1)")
    elif isinstance(value, (Mapping, list, tuple)):
        if level > DEPTH:
            raise _invalid_value(path, f"at most {DEPTH} levels of arrays and objects")
        members = value.items() if isinstance(value, Mapping) else enumerate(value)
        for name, member in members:
            if isinstance(value, Mapping) and not _is_text(name):
                raise _invalid_value(path, f"an object whose names are {TEXT}")
            _check(member, f"{path}.{name}", level + 1)
    else:
        raise _invalid_value(path, "text, an integer, true or false, an array or an object")


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not any(character == "\0" or "\ud800" <= character <= "\udfff" for character in value)


def _invalid_value(path: str, expected: str) -> InvalidRequest:
    member = path.partition(".")[2]
    return _invalid(
        "parameter-invalid", "A parameter is not as it should be", f'Send "{member or path}" as {expected}', member)


def _invalid(name: str, message: str, fix: str, member: Optional[str] = None) -> InvalidRequest:
    parameters = {"member": member} if member else {}
    return InvalidRequest((Reason(name, message, fix, "developer", "never", parameters=parameters),))


class Inbox:
    """The received bytes, split into lines."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def lines(self, received: bytes) -> List[Mapping[str, Any]]:
        """Returns each whole line of JSON received so far."""
        self._bytes += received
        *whole, rest = self._bytes.split(b"\n")
        self._bytes = rest
        if len(rest) > LONGEST_ANSWER:
            raise AnswerNotUnderstood(f"a line of more than {LONGEST_ANSWER} bytes")
        return [_line(line) for line in whole]


def _line(line: bytearray) -> Mapping[str, Any]:
    try:
        value = json.loads(line)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        # Without the error and the line itself, which may hold a password.
        raise AnswerNotUnderstood("a line that is no JSON object")
    return value


def result(line: Mapping[str, Any]) -> Answer:
    """Returns the result in the line of an answer.

    Raises: AutofillError, if it is an error or not an answer.
    """
    if "error" in line:
        raise failure(line["error"])
    if not isinstance(line.get("result"), dict):
        raise AnswerNotUnderstood("an answer without result")
    return Answer(line["result"])


def failure(error: Any) -> AutofillError:
    """Returns the exception for the `error` of an answer."""
    try:
        code, found = error["code"], tuple(reason(each) for each in error["data"]["reasons"])
    except (KeyError, TypeError):
        return AnswerNotUnderstood("an error without its reasons")
    if not found:
        return AnswerNotUnderstood("an error without a reason")
    if code == CANCELLED or found[0].reason == "cancelled":
        return Cancelled(found)
    # The codes of JSON-RPC 2.0, section 5.1: the request itself is at fault.
    return InvalidRequest(found) if -32_768 <= code <= -32_100 else Refused(found)


def reason(value: Mapping[str, Any]) -> Reason:
    """Returns a reason of an answer. Raises KeyError if it is malformed."""
    return Reason(
        value["reason"], value["message"], value["fix"], value.get("audience", ""), value.get("retry", ""),
        value.get("event"), value.get("retryAfterMilliseconds"), value.get("parameters") or {})
