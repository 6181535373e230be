# SPDX-License-Identifier: Apache-2.0
"""A request, and how its parameters are written and its answer is read. `calls` has the requests of the protocol."""

from __future__ import annotations

import base64
from typing import Any, Callable, Generic, Mapping, Optional, Sequence, Tuple, TypeVar, Union

from . import values
from ._declarations import ONCE
from ._wire import Answer
from .errors import AnswerNotUnderstood

T = TypeVar("T")
#: A domain, or a service as on the wire.
Service = Union[str, Mapping[str, str]]
#: A form, or its fields alone: see protocol.md, "Forms and offers".
Form = Union[Mapping[str, object], Sequence[Mapping[str, object]]]
#: One page of a list, and the cursor of the next.
Page = Tuple[Tuple[T, ...], Optional[str]]


class Call(Generic[T]):
    """One request. Its parameters, which may be secrets, are not shown."""

    __slots__ = ("method", "params", "_reader")

    def __init__(self, method: str, params: Mapping[str, Any], reader: Callable[[Answer], T]) -> None:
        self.method = method
        self.params = params
        self._reader = reader

    @property
    def is_repeatable(self) -> bool:
        """Whether the request may be sent again if the answer was lost: a second one does no more than the first."""
        if self.method == "autofill.fill":
            return not self.params.get("codeID")
        if self.method == "credential.delete" or self.method == "credential.update" and self.params.get("newUser"):
            # Not by a user name, which the second time names none.
            return bool(self.params.get("credential"))
        if self.method == "keychain.set":
            # Not if each request makes another item, nor if the second would find the item of the first.
            replace = self.params.get("replace")
            return bool(self.params.get("item") or (self.params.get("place") if replace is None else replace))
        return self.method not in ONCE

    def read(self, answer: Answer) -> T:
        try:
            return self._reader(answer)
        except (KeyError, TypeError, ValueError):
            pass
        # Not in the `except`: the error may hold a value of the answer, and would be the `__context__` of this one.
        raise AnswerNotUnderstood(f"the answer of {self.method}")

    def __repr__(self) -> str:
        return f"<Call: {self.method}>"


def plain(method: str, params: Mapping[str, Any]) -> Call[Answer]:
    return Call(method, params, _answer)


def hello(bundle_id: str) -> Call[values.Greeting]:
    return Call("hello", {"bundleID": bundle_id, "protocol": {"min": 1, "max": 1}}, values.Greeting.read)


def _service(service: Optional[Service]) -> Optional[Mapping[str, str]]:
    return {"type": "domain", "value": service} if isinstance(service, str) else service


def _form(form: Optional[Form]) -> Optional[Mapping[str, object]]:
    return form if form is None or isinstance(form, Mapping) else {"fields": form}


def _interaction(allowed: bool) -> str:
    return "allow" if allowed else "forbid"


def _data(data: Optional[bytes]) -> Optional[Mapping[str, str]]:
    return None if data is None else {"base64": base64.b64encode(data).decode("ascii")}


def _object(**members: Optional[str]) -> Mapping[str, str]:
    return {name: value for name, value in members.items() if value is not None}


def _answer(answer: Answer) -> Answer:
    return answer


def _page(member: str, read: Callable[[Answer], T]) -> Callable[[Answer], Page[T]]:
    return lambda answer: (tuple(map(read, answer[member])), answer.get("next"))
