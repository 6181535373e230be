# SPDX-License-Identifier: Apache-2.0
"""An app's three flows in Python's asyncio, written from protocol.md alone: `flows.py signUp|signIn|changePassword`.

It prints the user name and the password that went into the form.
"""

import asyncio
import itertools
import json
import os
import sys
import uuid

SHOP = {"type": "domain", "value": "shop.example.com"}
SIGN_UP = [
    {"id": "mail", "contentType": "username", "keyboardType": "emailAddress"},
    {"id": "new", "contentType": "newPassword", "secure": True},
    {"id": "again", "contentType": "newPassword", "secure": True},
]
SIGN_IN = [{"id": "mail", "contentType": "username"}, {"id": "password", "contentType": "password", "secure": True}]
CHANGE = [
    {"id": "old", "contentType": "password", "secure": True},
    {"id": "new", "contentType": "newPassword", "secure": True},
    {"id": "again", "contentType": "newPassword", "secure": True},
]


class Refused(Exception):
    """The fix of the first reason."""


class Daemon:
    """One connection, with any number of requests at the same time."""

    @classmethod
    async def connect(cls):
        path = os.environ.get("AUTOFILLD_SOCKET") or os.environ["XDG_RUNTIME_DIR"] + "/autofilld/socket"
        daemon = cls()
        # Answers may be longer than asyncio's lines are.
        reader, daemon.writer = await asyncio.open_unix_connection(path, limit=2**23)
        daemon.ids, daemon.waiting = itertools.count(1), {}
        daemon.task = asyncio.ensure_future(daemon.read(reader))
        hello = {"bundleID": "org.example.Shop", "protocol": {"min": 1, "max": 1}}
        await asyncio.wait_for(daemon.call("hello", **hello), 5)
        return daemon

    async def read(self, reader):
        async for line in reader:
            message = json.loads(line)
            if message.get("id") in self.waiting:
                self.waiting.pop(message["id"]).set_result(message)
        for waiting in self.waiting.values():
            waiting.set_exception(ConnectionError("autofilld has ended"))

    async def call(self, method, **params):
        number = next(self.ids)
        self.waiting[number] = asyncio.get_running_loop().create_future()
        request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        self.writer.write(json.dumps(request).encode() + b"\n")
        answer = await self.waiting[number]
        if "error" in answer:
            raise Refused(answer["error"]["data"]["reasons"][0]["fix"])
        return answer["result"]

    async def suggestions(self, fields):
        answer = await self.call("autofill.suggest", service=SHOP, form={"id": str(uuid.uuid4()), "fields": fields})
        kinds = {suggestion["type"]: suggestion for suggestion in answer["suggestions"]}
        for withheld in answer["withheld"]:
            if withheld["type"] == "strongPassword" and fields is not SIGN_IN:
                raise Refused(withheld["reasons"][0]["fix"])
        return kinds


def fill(answer):
    """The content of the form."""
    return {each["field"]: each["value"] for each in answer["values"]}


async def sign_up(daemon):
    offer = (await daemon.suggestions(SIGN_UP))["strongPassword"]["offer"]
    form = {"mail": "ann@example.com", **fill(await daemon.call("autofill.fill", offer=offer))}
    assert form["new"] == form["again"]
    # The site accepts the form here.
    await daemon.call("autofill.accept", offer=offer, user=form["mail"])
    return form["mail"], form["new"]


async def sign_in(daemon):
    form = fill(await daemon.call("autofill.fill", service=SHOP, form={"fields": SIGN_IN}))
    return form["mail"], form["password"]


async def change_password(daemon):
    # The offer and the current password, side by side: neither waits for the other.
    suggested, current = await asyncio.gather(
        daemon.suggestions(CHANGE), daemon.call("autofill.fill", service=SHOP, form={"fields": CHANGE}))
    offer = suggested["strongPassword"]["offer"]
    # It is named to an app that the user has allowed for longer than this once.
    named = {each["user"]: each["credential"] for each in suggested["savedCredentials"]["credentials"]}
    account = {"replaces": named[current["user"]]} if current["user"] in named else {"user": current["user"]}
    form = {**fill(current), **fill(await daemon.call("autofill.fill", offer=offer))}
    assert form["new"] == form["again"] != form["old"]
    await daemon.call("autofill.accept", offer=offer, **account)
    return current["user"], form["new"]


async def main(flow):
    print(*await flow(await Daemon.connect()))


try:
    asyncio.run(main({"signUp": sign_up, "signIn": sign_in, "changePassword": change_password}[sys.argv[1]]))
except Refused as refusal:
    sys.exit(str(refusal))
