#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""worst_app.py SOCKET ATTACK SECONDS: one app that uses as much of the daemon as it may, in one way or in all.

Prints how many connections it has, and then runs for SECONDS. At its end it prints how many of its requests were
answered and how many of these refused, as JSON.
"""
import itertools
import json
import selectors
import socket
import sys
import time

APP, SITE = "org.example.Worst", "worst.example.com"
PLACE = {"place": {"namespace": "worst", "account": "one"}}
IDS, NUMBERS = itertools.count(), itertools.count()


def domain(name=SITE):
    return {"type": "domain", "value": name}


def form(user=None, password=None, **more):
    """Fields of a form, with what was typed into them."""
    fields = [
        {"id": "u", "contentType": "username"},
        {"id": "p", "contentType": "newPassword" if password is None else "password", "secure": True, **more},
    ]
    for field, value in zip(fields, (user, password)):
        if value is not None:
            field["value"] = value
    return fields


# Each returns a method and its parameters for a number that is not repeated.

def own_item(_):
    return "keychain.get", PLACE


def long_question(number):
    return "credential.get", {"service": domain(f"n{number}.{SITE}"), "filler": "y" * 60_000}


def question(number):
    by_prompt = {"proof": {"type": "prompt"}}
    return [
        ("credential.get", {"service": domain(f"n{number}.{SITE}")}),
        ("code.get", {"service": domain(f"s{number}.{SITE}")}),
        ("admin.grant.list", by_prompt),
        ("credential.list", {"service": domain(), **by_prompt}),
        ("vault.unlock", {}),
    ][number % 5]


def costly_rules(number):
    rules = f"required: upper; required: digit; max-consecutive: 2; minlength: 12; maxlength: {20 + number % 200};"
    fields = form(passwordRules=rules + f" allowed: [{'-~!@#$%^&*_+='[number % 12]}];")
    return "autofill.suggest", {"service": domain(), "form": {"id": f"f{number}", "fields": fields}}


def another_item(number):
    place = {"place": {"namespace": "worst", "account": f"{number}"}}
    if number % 2:
        return "keychain.set", {**place, "data": {"base64": "QUJD" * 8000}}
    return "verifier.set", {**place, "password": "guess"}


def another_name(number):
    if number % 2:
        return "credential.list", {"service": domain(f"n{number}.{SITE}")}
    return "admin.domain.refresh", {"bundleID": APP, "domain": f"n{number}.{SITE}"}


def another_user(number):
    if number % 2:
        user = {"user": f"user{number % 500}", "password": f"pw{number}"}
        return "credential.save", {"service": domain(), **user}
    return "credential.save", {"service": domain("bench.example.com"), "user": "ann", "password": "x", "ifVersion": 99}


def nobodys(number):
    return [("vault.unlock", {}), ("credential.get", {"service": domain("bench.example.com")}), ("diagnose", {
        "service": domain("bench.example.com")}), ("admin.grant.list", {"proof": {"type": "prompt"}})][number % 4]


# How many connections, how many requests at a time on each, their requests, their app, and whether they read and subscribe.
ATTACKS = {
    "record": [(8, 16, own_item, {})],
    "memory": [(250, 32, long_question, {})],
    "consent": [(16, 16, question, {})],
    "rules": [(16, 8, costly_rules, {})],
    "items": [(16, 8, another_item, {})],
    "fetches": [(16, 16, another_name, {})],
    "events": [(200, 0, None, {"subscribes": True, "reads": False}), (16, 16, another_user, {})],
    "strangers": [(16, 16, nobodys, {"app": "org.example.Nobody"})],
}
# All eight, with as many connections together as a sandboxed app gets.
ATTACKS["all"] = [(min(count, 28), *rest) for parts in list(ATTACKS.values()) for (count, *rest) in parts]


class Client:
    """One connection that keeps so many requests under way."""

    def __init__(self, path, depth, ask, app=APP, subscribes=False, reads=True):
        self.depth, self.ask, self.reads = depth, ask, reads
        self.waiting = self.answered = self.refused = 0
        self.unsent = b""
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(30)
        self.socket.connect(path)
        self.call("hello", {"bundleID": app, "protocol": {"min": 1, "max": 1}})
        if subscribes:
            self.call("event.subscribe", {})
        if ask is own_item:
            self.call("keychain.set", {**PLACE, "data": {"base64": "AA=="}})
        self.socket.setblocking(False)

    @staticmethod
    def line(method, parameters):
        request = {"jsonrpc": "2.0", "id": next(IDS), "method": method, "params": parameters}
        return json.dumps(request).encode() + b"\n"

    def call(self, method, parameters):
        self.socket.sendall(self.line(method, parameters))
        answer = b""
        while not answer.endswith(b"\n"):
            part = self.socket.recv(1 << 16)
            if not part:
                raise OSError("hung up on")
            answer += part

    def fill(self):
        while self.ask and self.waiting < self.depth and not self.unsent:
            self.waiting += 1
            self.send(self.line(*self.ask(next(NUMBERS))))

    def send(self, data):
        try:
            sent = self.socket.send(data)
        except BlockingIOError:
            sent = 0
        self.unsent = data[sent:]

    def ready(self, events):
        if events & selectors.EVENT_WRITE and self.unsent:
            self.send(self.unsent)
        if events & selectors.EVENT_READ:
            data = self.socket.recv(1 << 18)
            if not data:
                raise OSError("hung up on")
            count = data.count(b"\n")
            self.answered += count
            self.refused += data.count(b'"error"')
            self.waiting = max(0, self.waiting - count)
        self.fill()

    @property
    def interest(self):
        return (selectors.EVENT_READ if self.reads else 0) | (selectors.EVENT_WRITE if self.unsent else 0)


def main(path, attack, seconds):
    clients = []
    with selectors.DefaultSelector() as selector:
        for count, depth, ask, more in ATTACKS[attack]:
            for _ in range(count):
                try:
                    client = Client(path, depth, ask, **more)
                except OSError:
                    break
                clients.append(client)
                client.fill()
                if client.interest:
                    selector.register(client.socket, client.interest, client)
        print(len(clients), flush=True)
        end = time.monotonic() + float(seconds)
        while time.monotonic() < end:
            if not selector.get_map():
                time.sleep(0.05)
            for key, events in selector.select(0.1):
                client = key.data
                try:
                    client.ready(events)
                    selector.modify(client.socket, client.interest, client)
                except OSError:
                    selector.unregister(client.socket)
    print(json.dumps({"answered": sum(c.answered for c in clients), "refused": sum(c.refused for c in clients)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
