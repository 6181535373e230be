# SPDX-License-Identifier: Apache-2.0
"""Puts collections and items into the Secret Service that a bus name has. A line each, as a JSON array on standard input:

    ["collection", NAME, LABEL, PASSWORD]              made by label NAME, which is to be its path's end; PASSWORD for gnome-keyring
                                                       alone, `login` where it is left out
    ["alias", ALIAS, NAME]
    ["item", NAME, ITEM, LABEL, ATTRIBUTES, SECRET]    ITEM is to be its path's end

It is read as `python3 -c TEXT BUS-NAME`, so that the items belong to the program that runs it.
"""
import json
import sys

from jeepney import DBusAddress, MatchRule, new_method_call
from jeepney.io.blocking import open_dbus_connection

ROOT = "/org/freedesktop/secrets"
SECRET = "org.freedesktop.Secret"


class Client:
    def __init__(self, name):
        self.bus = open_dbus_connection()
        self.name = name
        self.paths = {}
        self.session = self.call(ROOT, "Service", "OpenSession", "sv", "plain", ("s", ""))[1]

    def call(self, path, interface, method, signature="", *body):
        if not interface.startswith("org."):
            interface = f"{SECRET}.{interface}"
        address = DBusAddress(path, self.name, interface)
        reply = self.bus.send_and_get_reply(new_method_call(address, method, signature, body), timeout=120)
        if reply.header.message_type.name == "error":
            raise RuntimeError(f"{method} {path}: {reply.header.fields} {reply.body}")
        return reply.body

    def complete(self, prompt):
        """Runs a prompt; its result."""
        rule = MatchRule(type="signal", interface=f"{SECRET}.Prompt", member="Completed", path=prompt)
        bus = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
        self.bus.send_and_get_reply(new_method_call(bus, "AddMatch", "s", (rule.serialise(),)))
        with self.bus.filter(rule) as queue:
            self.call(prompt, "Prompt", "Prompt", "s", "")
            dismissed, result = self.bus.recv_until_filtered(queue, timeout=120).body
        if dismissed:
            raise RuntimeError("the prompt was dismissed")
        return result[1]

    def collection(self, name, label, password="login"):
        properties = {f"{SECRET}.Collection.Label": ("s", name)}
        try:
            # gnome-keyring would ask for a password at its own prompter.
            master = (self.session, b"", password.encode(), "text/plain")
            path = self.call(
                ROOT, "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface", "CreateWithMasterPassword", "a{sv}(oayays)",
                properties, master)[0]
        except RuntimeError:
            path, prompt = self.call(ROOT, "Service", "CreateCollection", "a{sv}s", properties, "")
            if prompt != "/":
                path = self.complete(prompt)
        self.paths[name] = path
        self.label(path, "Collection", label)

    def label(self, path, kind, label):
        self.call(path, "org.freedesktop.DBus.Properties", "Set", "ssv", f"{SECRET}.{kind}", "Label", ("s", label))

    def alias(self, alias, name):
        self.call(ROOT, "Service", "SetAlias", "so", alias, self.paths[name])

    def item(self, collection, name, label, attributes, secret):
        path = self.paths.get(collection, f"{ROOT}/collection/{collection}")
        properties = {
            f"{SECRET}.Item.Label": ("s", name), f"{SECRET}.Item.Attributes": ("a{ss}", attributes),
        }
        value = (self.session, b"", secret.encode(), "text/plain")
        made = self.call(path, "Collection", "CreateItem", "a{sv}(oayays)b", properties, value, False)[0]
        self.label(made, "Item", label)


def fill(name, lines):
    client = Client(name)
    for what, *values in lines:
        getattr(client, what)(*values)


if __name__ == "__main__" and len(sys.argv) > 1:
    fill(sys.argv[1], map(json.loads, sys.stdin))
