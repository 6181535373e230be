# SPDX-License-Identifier: Apache-2.0
"""One of two programs on the bus: isolation_client.py OWNER OTHER SEED CALLS. Creates items whose labels, attributes and secrets
are marked with their owner, then makes random calls of the Secret Service, on its own and on the other's items. At the end its
own items must be unchanged. Prints a JSON object: its calls, answers, errors by name, and lost items.
"""
import collections
import json
import random
import sys

from jeepney import DBusAddress, MatchRule, new_method_call
from jeepney.io.blocking import open_dbus_connection

ROOT = "/org/freedesktop/secrets"
NAME = "org.freedesktop.secrets"
SECRET = "org.freedesktop.Secret"
PROPERTIES = "org.freedesktop.DBus.Properties"
owner, other, seed, calls = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
chance = random.Random(f"{owner}{seed}")
bus = open_dbus_connection()
errors = collections.Counter()
answers = 0
serial = 0


def call(path, interface, method, signature="", *body):
    global answers
    if not interface.startswith("org."):
        interface = f"{SECRET}.{interface}"
    message = new_method_call(DBusAddress(path, NAME, interface), method, signature, body)
    reply = bus.send_and_get_reply(message, timeout=120)
    if reply.header.message_type.name == "error":
        errors[reply.header.fields[4]] += 1
        return None
    answers += 1
    return reply.body


def marks(kind, path=None):
    """The marks of its owner, which never go into the other's items."""
    global serial
    serial += 1
    if path is not None and path not in mine:
        return f"written into another's item {serial}"
    return f"{owner}-{kind}-{serial:04}-{chance.getrandbits(48):012x}"


session = call(ROOT, "Service", "OpenSession", "sv", "plain", ("s", ""))[1]
mine = {}  # path: (label, attributes, secret)
foreign = set()


def common():
    """The attributes that both programs use: a search by them finds the items of both."""
    return {"server": f"common.{chance.randrange(6)}"}


def create():
    label, secret = marks("label"), marks("secret").encode()
    attributes = common() | {"user": marks("attribute")}
    path = chance.choice([f"{ROOT}/collection/login", f"{ROOT}/aliases/default"])
    properties = {f"{SECRET}.Item.Label": ("s", label), f"{SECRET}.Item.Attributes": ("a{ss}", attributes)}
    made = call(path, "Collection", "CreateItem", "a{sv}(oayays)b", properties, (session, b"", secret, "text/plain"),
                chance.random() < 0.5)
    if made and made[0] != "/":
        mine[made[0]] = (label, attributes, secret)


def some(own=0.3):
    """A path: of its own, of the other's, or of nothing."""
    if mine and chance.random() < own:
        return chance.choice(sorted(mine))
    if foreign and chance.random() < 0.95:
        return chance.choice(sorted(foreign))
    return f"{ROOT}/collection/login/itm_{chance.getrandbits(32)}"


def search():
    attributes = chance.choice([{}, common(), common(), common() | {"other": "value"}])
    found = call(ROOT, "Service", "SearchItems", "a{ss}", attributes)
    for path in (found[0] + found[1] if found else []):
        if path not in mine:
            foreign.add(path)


def collection_search():
    found = call(f"{ROOT}/collection/login", "Collection", "SearchItems", "a{ss}", common())
    foreign.update(path for path in (found[0] if found else []) if path not in mine)


def get_secret():
    call(some(), "Item", "GetSecret", "o", session)


def get_secrets():
    call(ROOT, "Service", "GetSecrets", "aoo", [some() for _ in range(chance.randrange(1, 8))], session)


def read_item():
    call(some(), PROPERTIES, "GetAll", "s", f"{SECRET}.Item")


def read_property():
    call(some(), PROPERTIES, "Get", "ss", f"{SECRET}.Item", chance.choice(["Label", "Attributes", "Locked", "Created"]))


def read_collection():
    call(f"{ROOT}/collection/login", PROPERTIES, "GetAll", "s", f"{SECRET}.Collection")


def read_service():
    call(ROOT, PROPERTIES, "GetAll", "s", f"{SECRET}.Service")


def introspect():
    call(chance.choice([ROOT, f"{ROOT}/collection/login", some()]), "org.freedesktop.DBus.Introspectable", "Introspect")


def set_secret():
    path = some()
    secret = marks("secret", path).encode()
    if call(path, "Item", "SetSecret", "(oayays)", (session, b"", secret, "text/plain")) is not None and path in mine:
        mine[path] = (*mine[path][:2], secret)


def set_label():
    path = some()
    label = marks("label", path)
    if call(path, PROPERTIES, "Set", "ssv", f"{SECRET}.Item", "Label", ("s", label)) is not None and path in mine:
        mine[path] = (label, *mine[path][1:])


def set_attributes():
    path = some()
    attributes = common() | {"user": marks("attribute", path)}
    done = call(path, PROPERTIES, "Set", "ssv", f"{SECRET}.Item", "Attributes", ("a{ss}", attributes))
    if done is not None and path in mine:
        mine[path] = (mine[path][0], attributes, mine[path][2])


def delete():
    path = some()
    answer = call(path, "Item", "Delete")
    if answer and answer[0] != "/":
        prompt(answer[0])
    elif answer:
        mine.pop(path, None)


def prompt(path):
    if chance.random() < 0.9:
        call(path, "Prompt", "Prompt", "s", "")
    else:
        call(path, "Prompt", "Dismiss")


def unlock():
    paths = [some(0.2) for _ in range(chance.randrange(1, 5))]
    answer = call(ROOT, "Service", "Unlock", "ao", paths)
    if answer and answer[1] != "/":
        prompt(answer[1])


def open_all(paths=(f"{ROOT}/collection/login",)):
    """Undoes a lock, or asks for items of the other, and waits for it."""
    answer = call(ROOT, "Service", "Unlock", "ao", list(paths))
    if answer and answer[1] != "/":
        rule = MatchRule(type="signal", interface=f"{SECRET}.Prompt", member="Completed", path=answer[1])
        dbus = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
        bus.send_and_get_reply(new_method_call(dbus, "AddMatch", "s", (rule.serialise(),)))
        with bus.filter(rule) as queue:
            call(answer[1], "Prompt", "Prompt", "s", "")
            bus.recv_until_filtered(queue, timeout=120)


def lock():
    call(ROOT, "Service", "Lock", "ao", [chance.choice([f"{ROOT}/collection/login", some(0)])])
    for way in chance.choices([search, get_secret, create, get_secrets], k=4):
        way()
    open_all()


def aliases():
    call(ROOT, "Service", "ReadAlias", "s", chance.choice(["default", "login", "session", "other"]))


ways = {
    create: 10, search: 14, collection_search: 6, get_secret: 14, get_secrets: 10, read_item: 10, read_property: 8,
    read_collection: 3, read_service: 2, introspect: 2, set_secret: 5, set_label: 4, set_attributes: 4, delete: 3, unlock: 3,
    lock: 1, aliases: 1,
}
def meet():
    """Asks the user for items of the other, and reads them, before chance uses up what is allowed, or deletes them."""
    for number in range(10_000):
        # Without attributes a search finds its own items alone.
        found = call(ROOT, "Service", "SearchItems", "a{ss}", {"server": f"common.{number % 6}"})
        foreign.update(path for path in (found[0] + found[1] if found else []) if path not in mine)
        if foreign:
            break
    open_all(sorted(foreign))
    call(ROOT, "Service", "GetSecrets", "aoo", sorted(foreign), session)


for _ in range(8):
    create()
if owner == "second":
    meet()
for way in chance.choices(list(ways), list(ways.values()), k=calls):
    way()

lost = []
open_all()
# All that it may read of the other's.
for start in range(0, len(foreign), 50):
    call(ROOT, "Service", "GetSecrets", "aoo", sorted(foreign)[start:start + 50], session)
for path, (label, attributes, secret) in mine.items():
    found = call(path, PROPERTIES, "GetAll", "s", f"{SECRET}.Item")
    value = call(path, "Item", "GetSecret", "o", session)
    if not found or not value:
        lost.append(f"{path} is gone")
    elif (found[0]["Label"][1], bytes(value[0][2])) != (label, secret) or found[0]["Attributes"][1].get("user") != attributes["user"]:
        lost.append(f"{path} was changed")
print(json.dumps({"answers": answers, "errors": errors, "own": len(mine), "foreign": len(foreign), "lost": lost}))
