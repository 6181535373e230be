# SPDX-License-Identifier: Apache-2.0
"""Two programs that use all of the Secret Service on each other while a monitor reads every message on the bus.

    isolation.py --consent FOLDER NUMBER       prints a consent script: each program may access its own items, which needs a prompt
                                               after a lock, and so many further prompts of the second are answered with yes
    isolation.py FOLDER CALLS SEED [revoke]    items are created in; `revoke`: then all grants are revoked, and the two continue

Prints a JSON object: for each round the data that one received of the other ("first to second: label"), and the programs' output.
"""
import collections
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import threading

from jeepney import DBusAddress, new_method_call
from jeepney.io.blocking import open_dbus_connection

OWNERS = ("first", "second")
MARK = re.compile(r"(first|second)-(label|attribute|secret)-")
DBUS = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")


def ask_bus(bus, method, *names):
    return bus.send_and_get_reply(new_method_call(DBUS, method, "s" * len(names), names)).body[0]


class Monitor(threading.Thread):
    """Monitors the bus, and counts the data of each program that the other receives."""

    def __init__(self):
        super().__init__(daemon=True)
        with open_dbus_connection() as bus:
            self.bridge = ask_bus(bus, "GetNameOwner", "org.freedesktop.secrets")
        self.bus = open_dbus_connection()
        monitoring = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus.Monitoring")
        self.bus.send_and_get_reply(new_method_call(monitoring, "BecomeMonitor", "asu", ([], 0)))
        self.received = collections.Counter()  # (owner, kind, destination)
        self.senders = {}  # the owner of each connection, by the marks that it writes
        self.messages = 0

    def run(self):
        while True:
            message = self.bus.receive()
            fields = {field.name: value for field, value in message.header.fields.items()}
            self.messages += 1
            marks = set(MARK.findall(repr(message.body)))
            if fields.get("sender") == self.bridge:
                for owner, kind in marks:
                    self.received[owner, kind, fields.get("destination", "all")] += 1
            elif marks and fields.get("destination") == self.bridge or fields.get("destination") == "org.freedesktop.secrets":
                for owner, _ in marks:
                    self.senders[fields["sender"]] = owner

    def results(self):
        """The data that was received by another program than its owner since the last call."""
        found = collections.Counter()
        for (owner, kind, destination), count in self.received.items():
            if self.senders.get(destination) != owner:
                found[f"{owner} to {self.senders.get(destination, destination)}: {kind}"] += count
        seen = sum(self.received.values())
        self.received.clear()
        return found, seen


def run_round(folder, monitor, calls, seed):
    programs = [
        subprocess.Popen(
            ["/usr/bin/python3", "-B", f"{folder}/{owner}.py", owner, other, str(seed), str(calls)], stdout=subprocess.PIPE)
        for owner, other in zip(OWNERS, reversed(OWNERS))
    ]
    output = [json.loads(program.communicate()[0] or b"{}") for program in programs]
    # What the bridge has sent is before this answer on the monitor's connection.
    found, seen = monitor.results()
    return {"received": found, "seen": seen} | dict(zip(OWNERS, output))


def main():
    if sys.argv[1] == "--consent":
        for name in [app(f"{sys.argv[2]}/{owner}.py") for owner in OWNERS]:
            print(f"{name} {name} allow\n" * 100, end="")
        print(f"{name} * allow\n" * int(sys.argv[3]), end="")
        return
    folder, calls, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    own = os.path.dirname(os.path.abspath(__file__))
    for owner in OWNERS:
        shutil.copy(f"{own}/isolation_client.py", f"{folder}/{owner}.py")
    monitor = Monitor()
    monitor.start()
    rounds = [run_round(folder, monitor, calls, seed)]
    if sys.argv[4:] == ["revoke"]:
        control = ["/etc/autofilld/bin/autofillctl", "grant"]
        proof = ["--key-file", os.environ["AUTOFILL_STAGE"] + "/key"]
        listed = subprocess.run(control + ["list", "--json"] + proof, capture_output=True, text=True, check=True).stdout
        grants = json.loads(listed)["grants"]
        for grant in grants:
            subprocess.run(control + ["revoke", grant["grant"]] + proof, capture_output=True, text=True, check=True)
        rounds.append({"grants": len(grants)})
        rounds.append(run_round(folder, monitor, calls, seed + 1))
    print(json.dumps({"messages": monitor.messages, "rounds": rounds}))


def app(path):
    """The bundle ID that autofilld gives to a script."""
    name = re.sub(r"[^A-Za-z0-9-]", "-", os.path.basename(path))
    return f"script.{name}.{hashlib.sha256(path.encode()).hexdigest()[:16]}"


if __name__ == "__main__":
    main()
