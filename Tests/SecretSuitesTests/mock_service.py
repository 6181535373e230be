# SPDX-License-Identifier: Apache-2.0
"""Replaces the mock of libsecret's and SecretStorage's tests: a service with the same data on the existing bus, whose unique name
it prints. The tests' own program owns the items that it must find unlocked, and this one the items that it must find locked. It
ends with the test.
"""
import ctypes
import json
import os
import signal
import sys

import stage

SCHEMA = {"xdg:schema": "org.mock.Schema"}
PRIMES = {"xdg:schema": "org.mock.Primes"}


def numbered(collection, name, label, number, text, is_even, secret, schema=SCHEMA):
    attributes = {"number": str(number), "string": text, "even": "true" if is_even else "false"} | schema
    return ["item", collection, name, label, attributes, secret]


def prime(name, number, text, is_prime):
    attributes = {"number": str(number), "string": text, "prime": "true" if is_prime else "false"} | PRIMES
    return ["item", "german", name, "Item", attributes, str(number) * 3]


OWN = [
    ["collection", "english", "Collection One"],
    numbered("english", "1", "Item One", 1, "one", False, "111"),
    numbered("english", "2", "Item Two", 2, "two", True, "222"),
    numbered("english", "3", "Item Three", 3, "three", False, "333"),
    ["alias", "default", "english"],
    ["collection", "spanish", "Collection"],
    ["collection", "german", "Collection"],
    prime("300", 3, "drei", True), prime("400", 4, "vier", False), prime("500", 5, "fuenf", True),
    prime("600", 6, "sechs", False),
    ["collection", "empty", "Collection"],
]
OTHERS = [
    ["collection", "spanish", "Collection"],
    numbered("spanish", "10", "Item", 1, "uno", False, "111"),
    numbered("spanish", "20", "Item", 2, "dos", True, "222"),
    numbered("spanish", "30", "Item", 3, "tres", False, "3333"),
]
MORE = {
    "delete": [
        ["collection", "todelete", "Collection"],
        numbered("todelete", "item", "Item", 1, "one", False, "uno", {}),
        numbered("todelete", "confirm", "Item", 2, "two", True, "dos", {}),
    ],
    "lock": [
        ["collection", "lockone", "Collection"],
        numbered("lockone", "item", "Item", 1, "one", False, "uno", {}),
        numbered("lockone", "confirm", "Item", 2, "two", True, "dos", {}),
        ["collection", "lockprompt", "Collection"],
    ],
}
MORE_OTHERS = {
    "delete": [["collection", "twodelete", "Collection"], numbered("twodelete", "locked", "Item", 3, "three", False, "tres", {})],
    "lock": [["collection", "lockprompt", "Collection"], numbered("lockprompt", "locked", "Item", 3, "three", False, "tres", {})],
}


def seed(name, lines, is_parents):
    """Has the parent of this process, or this one, create the items of the lines. A Python program without a script has no identity
    of its own: its parent's is used."""
    (reading, writing), (done, ending) = os.pipe(), os.pipe()
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "seed.py")) as file:
        text = file.read()
    clone_parent = 0x8000 if is_parents else 0
    clone = {"x86_64": 56, "aarch64": 220}[os.uname().machine]
    if ctypes.CDLL(None).syscall(clone, clone_parent | signal.SIGCHLD, 0, 0, 0, 0) == 0:
        os.dup2(reading, 0)
        os.dup2(2, 1)
        os.set_inheritable(ending, True)
        os.close(writing)
        os.execv("/usr/bin/python3", ["python3", "-c", text, name])
    os.close(reading)
    os.close(ending)
    with os.fdopen(writing, "w") as file:
        file.write("".join(json.dumps(line) + "\n" for line in lines))
    os.read(done, 1)  # its end
    if not is_parents:
        os.wait()


def fill_own(name, script):
    """In a process of the test itself (preload.c)."""
    import seed as seeding
    kind = os.path.basename(script).removeprefix("mock-service-").removesuffix(".py")
    if kind != "empty":
        seeding.fill(name, OWN + MORE.get(kind, []))


def main(kind, is_seeding=True):
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    service = stage.Stage()
    service.environment["DBUS_SESSION_BUS_ADDRESS"] = os.environ["DBUS_SESSION_BUS_ADDRESS"]
    if os.environ.get("AUTOFILL_SUITE_SERVICE") == "gnome-keyring":
        service.start_gnome_keyring()
    else:
        service.start_autofill(is_numbered=True)
    name = service.owner()
    if kind != "empty":
        if is_seeding:
            seed(name, OWN + MORE.get(kind, []), is_parents=True)
        seed(name, OTHERS + MORE_OTHERS.get(kind, []), is_parents=False)
    print(name, flush=True)
    signal.sigwait({signal.SIGTERM})
    service.end()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "normal")
