# SPDX-License-Identifier: Apache-2.0
"""Reads a vault with nothing but Python's standard library, after Sources/VaultFormat/Vault-format.md.

usage: independent_reader.py VAULT passphrase|keyFile|recoveryKey SECRET

VAULT is vault.sqlite, of a daemon that was stopped or killed, with its vault.sqlite-wal and vault.releases beside it where
there are such; SECRET is the passphrase, the path of the key file, or the recovery key as it was shown. Prints all that the
vault holds as one line of JSON, bytes in hexadecimal. Ends with an error where anything does not hold that the page says.
"""
import hashlib
import hmac
import json
import os
import shutil
import sqlite3
import struct
import sys
import tempfile
import unicodedata

NONE = bytes(16)
# Where the mark lies in vault.releases
MARK = 262144


# Ciphers and keys

def chacha_block(key, counter, nonce):
    def rotate(value, bits):
        return ((value << bits) | (value >> (32 - bits))) & 0xFFFFFFFF

    state = list(struct.unpack("<4I", b"expand 32-byte k")) + list(struct.unpack("<8I", key))
    state += [counter] + list(struct.unpack("<3I", nonce))
    work = state[:]
    rounds = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
              (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]
    for _ in range(10):
        for a, b, c, d in rounds:
            for x, y, z, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                work[x] = (work[x] + work[y]) & 0xFFFFFFFF
                work[z] = rotate(work[z] ^ work[x], bits)
    return struct.pack("<16I", *((a + b) & 0xFFFFFFFF for a, b in zip(work, state)))


def open_sealed(key, sealed, associated):
    """RFC 8439, 2.8; None where it does not open."""
    nonce, cipher, tag = sealed[:12], sealed[12:-16], sealed[-16:]
    one_time = chacha_block(key, 0, nonce)[:32]
    r = int.from_bytes(one_time[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    s = int.from_bytes(one_time[16:], "little")
    data = associated + bytes(-len(associated) % 16) + cipher + bytes(-len(cipher) % 16)
    data += struct.pack("<QQ", len(associated), len(cipher))
    sum_ = 0
    for at in range(0, len(data), 16):
        sum_ = (sum_ + int.from_bytes(data[at:at + 16] + b"\x01", "little")) * r % (2**130 - 5)
    if not hmac.compare_digest(((sum_ + s) & (2**128 - 1)).to_bytes(16, "little"), tag):
        return None
    plain = b""
    for number, at in enumerate(range(0, len(cipher), 64)):
        block = chacha_block(key, number + 1, nonce)
        plain += bytes(a ^ b for a, b in zip(cipher[at:at + 64], block))
    return plain


def hkdf(key, salt, info):
    extracted = hmac.digest(salt or bytes(32), key, "sha256")
    return hmac.digest(extracted, info.encode() + b"\x01", "sha256")


def nfc(text):
    return unicodedata.normalize("NFC", text).encode()


def recovery_bytes(shown):
    """The 16 bytes of a recovery key."""
    alphabet = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"
    symbols = [alphabet.index(character) for character in shown.replace("-", "")]
    assert len(symbols) == 32
    remainder = 1
    for symbol in symbols:
        top = remainder >> 25
        remainder = (remainder & 0x1FFFFFF) << 5 ^ symbol
        for bit, term in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            remainder ^= term if top >> bit & 1 else 0
    assert remainder == 0x2BC830A3
    bits = 0
    for symbol in symbols[:26]:
        bits = bits << 5 | symbol
    assert bits & 3 == 0
    return (bits >> 2).to_bytes(16, "big")


# Values in plain texts

class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        self.at += count
        assert self.at <= len(self.data)
        return self.data[self.at - count:self.at]

    def is_at_end(self):
        return not any(self.data[self.at:])

    def number(self, count, signed=False):
        return int.from_bytes(self.take(count), "big", signed=signed)

    def optional_bytes(self):
        length = self.number(4)
        return None if length == 0xFFFFFFFF else self.take(length).hex()

    def bytes(self):
        found = self.optional_bytes()
        assert found is not None
        return found

    def optional_text(self):
        found = self.optional_bytes()
        return None if found is None else bytes.fromhex(found).decode()

    def text(self):
        return bytes.fromhex(self.bytes()).decode()

    def optional_time(self):
        found = self.number(8, signed=True)
        return None if found == -2**63 else found

    def time(self):
        return self.number(8, signed=True)

    def id(self):
        kind, bits = self.number(1), self.take(16)
        if kind == 0:
            assert bits == NONE
            return None
        return name_of(bytes([kind]) + bits)

    def flag(self):
        value = self.number(1)
        assert value in (0, 1)
        return value == 1

    def service(self):
        return [["domain", "url", "origin", "keychain"][self.number(1) - 1], self.text()]

    def subject(self):
        return [self.text(), self.text(), self.text()]

    def tagged(self, **forms):
        """The fields of a tagged value by their names, in the order of their tags from 1 on; each a list of what they hold."""
        names, found, unknown, last = list(forms), {name: [] for name in forms}, [], 1
        while self.at < len(self.data) and self.data[self.at]:
            tag, length = self.number(1), self.number(1)
            if length == 255:
                length = self.number(4)
                assert length >= 255
            assert tag >= last
            last, content = tag, self.take(length)
            if tag > len(names):
                unknown.append([tag, content.hex()])
                continue
            inner = Reader(content)
            found[names[tag - 1]].append(forms[names[tag - 1]](inner))
            assert inner.at == length
        return found, unknown

    def rest(self):
        return self.take(len(self.data) - self.at).hex()

    def rest_text(self):
        return bytes.fromhex(self.rest()).decode()

    def dated(self):
        time = self.time()
        return [self.rest(), time]

    def attributes(self):
        return [[self.text(), self.text()] for _ in range(self.number(2))]

    def logins(self):
        return [[self.text(), self.text()] for _ in range(self.number(4))]

    def writers(self):
        found = [[self.number(8), self.subject()] for _ in range(self.number(4))]
        assert found == sorted(found)
        return [[str(mark), subject] for mark, subject in found]

    def last_subject(self):
        return None if self.is_at_end() else self.subject()

    def former(self):
        return [[self.bytes(), self.time()] for _ in range(self.number(1))]


def usual_match(type_):
    return "site" if type_ in ("domain", "origin") else "exact"


def one(values, absent=None):
    assert len(values) <= 1
    return values[0] if values else absent


def credential_service(reader):
    found, unknown = reader.tagged(type=Reader.rest_text, value=Reader.rest_text, match=Reader.rest_text)
    type_ = one(found["type"], "")
    return [type_, one(found["value"], ""), one(found["match"], usual_match(type_)), unknown]


def custom_field(reader):
    found, unknown = reader.tagged(name=Reader.rest_text, value=Reader.rest, secret=Reader.rest)
    return [one(found["name"], ""), one(found["value"], ""), bool(found["secret"]), unknown]


def passkey(reader):
    names = ("credentialID", "relyingParty", "user", "displayName", "userHandle")
    found, unknown = reader.tagged(**{name: Reader.rest_text for name in names}, key=Reader.rest)
    return [one(found[name], "") for name in (*names, "key")] + [unknown]


def credential(reader):
    """The fields of a credential; those that the first version has not only where there is something."""
    members, unknown = reader.tagged(
        services=credential_service, kind=Reader.rest_text, user=Reader.rest_text, password=Reader.rest,
        label=Reader.rest_text, notes=Reader.rest, tags=Reader.rest_text, custom=custom_field,
        collection=Reader.rest_text, detailsWriter=Reader.subject, rules=Reader.rest_text, oneTimeCode=Reader.rest,
        codeWriter=Reader.subject, created=Reader.time, changed=Reader.time, lastUsed=Reader.time,
        deleted=Reader.time, writer=Reader.subject, previous=Reader.dated, formerCodes=Reader.dated,
        passkeys=passkey)
    assert reader.number(1) == 0
    services = members["services"]
    found = {"service": services[0][:2], "user": one(members["user"], ""), "password": one(members["password"], "")}
    for name in ("rules", "oneTimeCode", "notes", "created", "changed", "lastUsed", "deleted", "writer", "codeWriter"):
        found[name] = one(members[name])
    assert None not in (found["created"], found["changed"], found["writer"])
    found.update(previous=members["previous"], formerCodes=members["formerCodes"])
    if len(services) > 1 or services[0][2] != usual_match(services[0][0]) or services[0][3]:
        found["services"] = services
    for name in ("kind", "label", "collection", "detailsWriter"):
        if members[name]:
            found[name] = one(members[name])
    for name in ("tags", "custom", "passkeys"):
        if members[name]:
            found[name] = members[name]
    if unknown:
        found["unknown"] = unknown
    return found


def sites(number, service):
    """The domains that a credential's service is looked up by."""
    type_, value, match = service[:3]
    if type_ == "origin" and value.startswith("https://"):
        value = value[8:].split(":")[0]
    elif type_ != "domain":
        return []
    if match != "site":
        return []
    labels = value.split(".")
    above = [".".join(labels[-count:]) for count in range(2, len(labels))][:6]
    return above if number == 0 and type_ == "domain" else [value, *above]


KINDS = {1: "crd", 2: "off", 3: "itm", 4: "grt", 5: "vrf", 6: "set", 7: "rel", 8: "syn"}


def name_of(id_):
    return KINDS[id_[0]] + "_" + id_[1:].hex()


FIELDS = {
    1: "service:service user:text password:bytes rules:optional_text oneTimeCode:optional_bytes notes:optional_bytes "
       "created:time changed:time lastUsed:optional_time deleted:optional_time writer:subject previous:former",
    2: "subject:subject service:service form:optional_text password:bytes rules:text created:time expires:time "
       "settled:optional_time state:number credential:id",
    3: "accessGroup:text service:text account:text data:bytes created:time changed:time writer:last_subject",
    (3, 2): "accessGroup:text service:optional_text account:optional_text attributes:attributes label:optional_text "
            "contentType:optional_text collection:optional_text data:bytes created:time changed:time writer:last_subject",
    4: "subject:subject service:service allowed:flag created:time origin:text",
    5: "accessGroup:text service:text account:text hash:bytes failures:number4 notBefore:optional_time created:time "
       "changed:time writer:last_subject",
    6: "name:text value:bytes changed:time",
    8: "form:number logins:logins sequence:number8 shown:id greatestVersion:number8 writers:writers content:bytes "
       "changed:time",
}


def fields_of(kind, plain, version):
    """The fields, and which sealing it is."""
    reader, found = Reader(plain), {}
    assert reader.number(1) == version
    sealing = reader.number(8) if version > 1 else 0
    if kind == 1 and version > 1:
        found = credential(reader)
    for field in [] if found else FIELDS.get((kind, version), FIELDS[kind]).split():
        name, form = field.split(":")
        found[name] = reader.number(int(form[6:] or 1)) if form.startswith("number") else getattr(reader, form)()
    if kind == 1 and version == 1:
        found.update(codeWriter=None, formerCodes=[])
        if not reader.is_at_end():
            known = reader.number(1)
            assert known in (1, 2)
            found["codeWriter"] = reader.subject() if known == 2 else None
            found["formerCodes"] = reader.former()
    if kind == 3:
        assert (found["service"] is None) == (found["account"] is None)
        # What it does not have is not returned.
        for name in ("service", "account", "attributes", "label", "contentType", "collection"):
            if found.get(name) in (None, []):
                found.pop(name, None)
    if kind == 2:
        assert (found["credential"] is not None) == (found["state"] == 1)
        found["state"] = ["pending", "accepted", "declined", "expired"][found["state"]]
    assert reader.is_at_end()
    classes = (256, 512, 1024, 2048, 4096)
    assert len(plain) == next((size for size in classes if size >= reader.at), -(-reader.at // 4096) * 4096)
    return found, sealing


# Tables

class Vault:
    def __init__(self, folder, path, kind, secret):
        copy = os.path.join(folder, "vault.sqlite")
        for suffix in ("", "-wal"):
            if os.path.exists(path + suffix):
                shutil.copyfile(path + suffix, copy + suffix)
        self.database = sqlite3.connect(copy)
        assert self.one("PRAGMA application_id") == 0x41467674
        migrations = [row[0] for row in self.database.execute("SELECT identifier FROM grdb_migrations ORDER BY 1")]
        assert migrations in (["1"], ["1", "2"], ["1", "2", "3"])
        self.has_sync = "3" in migrations
        self.version = min(len(migrations), 2)
        self.log = os.path.join(os.path.dirname(path), "vault.releases")
        self.opened, master = self.master_key(kind, secret)
        names = ("records", "index", "manifest", "releases", "slot notes")
        self.keys = {name: hkdf(master, b"", f"autofilld vault {self.version} {name}") for name in names}
        self.keys["marks"] = hkdf(master, b"", "autofilld vault marks")

    def one(self, sql):
        return self.database.execute(sql).fetchone()[0]

    # Slots

    def slots(self):
        columns = "id, kind, salt, cost, wrapped, checksum, note, failures"
        for slot in self.database.execute(f"SELECT {columns} FROM slot ORDER BY id"):
            associated = b"\x01S" + struct.pack(">QB", *slot[:2]) + slot[2] + slot[3]
            assert len(slot[2]) == 32 and len(slot[3]) == 3 and len(slot[4]) == 60
            assert hashlib.sha256(associated + slot[4]).digest()[:8] == slot[5]
            yield slot, associated

    def master_key(self, kind, secret):
        number = ["passphrase", "keyFile", "recoveryKey"].index(kind) + 1
        for (id_, slot_kind, salt, cost, wrapped, _, _, _), associated in self.slots():
            if slot_kind != number:
                continue
            if number == 1:
                n, r, p = 1 << cost[0], cost[1], cost[2]
                assert cost[0] == 17 and r == 8 and 1 <= p <= 8
                key = hashlib.scrypt(nfc(secret), salt=salt, n=n, r=r, p=p, maxmem=256 * n * r, dklen=32)
            elif number == 2:
                with open(secret, "rb") as file:
                    key = hkdf(file.read(), salt, "autofilld vault 1 key file")
            else:
                key = hkdf(recovery_bytes(secret), salt, "autofilld vault 1 recovery key")
            found = open_sealed(key, wrapped, associated)
            if found is not None:
                return id_, found
        sys.exit("wrong secret")

    def listed_slots(self):
        slots, digest = [], hashlib.sha256()
        for (id_, kind, _, cost, wrapped, checksum, note, failures), associated in self.slots():
            for part in (associated, wrapped, checksum, note):
                digest.update(struct.pack(">I", len(part)) + part)
            plain = open_sealed(self.keys["slot notes"], note, b"\x01N" + struct.pack(">Q", id_))
            reader = Reader(plain)
            assert reader.number(1) == 1 and len(plain) % 128 == 0
            label, created = reader.text(), reader.time()
            assert reader.is_at_end()
            count = failures[:1]
            check = hashlib.sha256(b"autofilld failures" + struct.pack(">Q", id_) + count).digest()[:8]
            assert failures == count + check
            slots.append({"slot": id_, "kind": kind, "cost": list(cost), "label": label, "created": created,
                         "failures": count[0]})
        return slots, digest.digest()

    # Records

    def code(self, purpose, *values):
        message = bytes([purpose]) + b"".join(struct.pack(">I", len(nfc(value))) + nfc(value) for value in values)
        return hmac.digest(self.keys["index"], message, "sha256")[:16]

    def scoped(self, purpose, scope, name_purpose, *name):
        values = [*scope, *name] if self.version > 1 else name
        return self.code(purpose, *scope) + self.code(name_purpose, *values)

    def lookup(self, name, kind, record):
        """What the table of scopes and names says, and what the root of the manifest counts it as."""
        of = record.get
        if kind == 1 and of("deleted") is not None:
            return 1, self.code(3) + self.code(4, name)
        if kind == 1:
            is_password = of("kind") is None
            name = self.code(2, *of("service"), of("user")) if is_password else self.code(24, name)
            return 0, self.code(1, *of("service")) + name
        if kind == 2 and of("state") != "pending":
            return 3, self.code(8) + self.code(9, name)
        if kind == 2:
            scope = self.code(5, of("subject")[0], *of("service"))
            if of("form") is None:
                return 2, scope + self.code(7, name)
            return 2, scope + self.code(6, *of("subject"), *of("service"), of("form"))
        if kind == 3 and of("service") is None:
            return 4, self.scoped(20, [of("accessGroup")], 21, name)
        if kind == 3:
            return 4, self.scoped(12, [of("accessGroup"), of("service")], 13, of("account"))
        if kind == 4:
            return 6, self.scoped(10, [of("subject")[0], *of("service")], 11, *of("subject")[1:])
        if kind == 5:
            return 5, self.scoped(14, [of("accessGroup"), of("service")], 15, of("account"))
        if kind == 8:
            assert self.has_sync and of("form") in (1, 2, 3)
            return 8, self.code(29, str(of("form"))) + self.code(30, name)
        return 7, self.code(16) + self.code(17, of("name"))

    def tags(self, kind, record):
        """The tags of the rows that the record is looked up by."""
        of, tags = record.get, set()
        if self.version == 1:
            return tags
        if kind == 3:
            group = of("accessGroup")
            place = [[name, of(name)] for name in ("service", "account") if of(name) is not None]
            tags = {self.code(18, group, *attribute) for attribute in of("attributes", []) + place}
            tags.add(self.code(19, group))
            if of("collection") is not None:
                tags.add(self.code(22, group, of("collection")))
            if group == "org.freedesktop.secrets" and of("writer"):
                tags.add(self.code(28, group, of("writer")[0]))
        if kind == 1 and of("deleted") is None:
            for number, service in enumerate(of("services", [[*of("service"), usual_match(of("service")[0])]])):
                if number > 0:
                    tags.add(self.code(25, *service[:2]))
                if number > 0 and of("kind") is None:
                    tags.add(self.code(26, *service[:2], of("user")))
                tags |= {self.code(27, site) for site in sites(number, service)}
        if kind == 8:
            tags = {self.code(31, *login) for login in of("logins")}
            if of("sequence") and of("form") != 3:
                tags.add(self.code(32, str(of("sequence"))))
        return tags

    def check_lookups(self, tags):
        """That the table has just these rows."""
        if self.version == 1:
            return
        rows = self.database.execute("SELECT tag, id FROM lookup").fetchall()
        assert sorted(rows) == sorted((tag, id_) for id_, all_ in tags.items() for tag in all_)

    def record(self, id_, lookup, version, sealed):
        """The record, what it counts as, and which sealing it is; None where it does not open."""
        plain = open_sealed(self.keys["records"], sealed, b"\x01R" + id_ + struct.pack(">Q", version) + lookup)
        if plain is None:
            return None
        name, (fields, sealing) = name_of(id_), fields_of(id_[0], plain, self.version)
        tally, expected = self.lookup(name, id_[0], fields)
        assert lookup == expected
        return {"id": name, "version": version, **fields}, tally, sealing

    def records(self):
        found, entries, counts, lookups = [], {}, [0] * 16, {}
        for id_, lookup, version, sealed in self.database.execute(
                "SELECT id, lookup, version, sealed FROM record ORDER BY id"):
            record, tally, sealing = self.record(id_, lookup, version, sealed)
            found.append(record)
            counts[tally] += 1
            # An offer's change is its settling; a grant's its making.
            changed = record.get("changed", record.get("settled"))
            tags = lookups[id_] = self.tags(id_[0], record)
            digest = hashlib.sha256(b"".join(sorted(tags))).digest()[:16] if tags else NONE
            time = record["created"] if changed is None else changed
            entries[id_] = (version, sealing, time, sealed[-16:], digest)
        self.check_lookups(lookups)
        return found, entries, counts

    def quarantine(self):
        rows = self.database.execute("SELECT source, fault, id, lookup, version, sealed FROM quarantine ORDER BY number")
        for source, fault, id_, lookup, version, sealed in rows:
            row = {"source": source, "fault": fault, "number": version}
            if source == "record":
                is_named = len(id_) == 17 and sealed is not None
                opened = self.record(id_, lookup, version, sealed) if is_named else None
                row.update(id=id_.hex(), record=opened and opened[0])
            if source == "slot":
                reader = Reader(sealed)
                row.update(kind=reader.number(1), columns=[reader.bytes() for _ in range(6)])
                assert reader.at == len(sealed)
            yield row

    # The manifest

    def manifest(self, entries, counts, slots):
        nodes = dict(self.database.execute("SELECT node, sealed FROM manifest"))
        opened = {node: open_sealed(self.keys["manifest"], sealed, b"\x01M" + struct.pack(">I", node))
                  for node, sealed in nodes.items()}
        first = {node: 1 if 1 <= node <= 64 else self.version for node in nodes}
        assert all(plain is not None and plain[0] == first[node] for node, plain in opened.items())
        root = Reader(opened[0][1:])
        vault, generation = root.take(16).hex(), root.number(8)
        assert [root.number(8) for _ in range(16)] == counts
        assert root.take(32) == slots
        next_slot = root.number(8)
        head = (root.number(8), root.take(16), root.number(8), root.take(16))
        self.release_count = root.number(8) if self.version > 1 else None
        # How much of the record each app has: for whoever drops some of it.
        shares = [(root.take(16), root.number(4), root.number(8)) for _ in range(32)] if self.version > 1 else []
        assert sum(length for _, length, _ in shares) <= sum(
            length for (length,) in self.database.execute("SELECT length(entries) FROM release"))
        self.marked = root.flag() if self.version > 1 else False
        self.root = (bytes.fromhex(vault), generation, nodes[0][-16:])
        expected, known = {}, {0}
        for middle in range(64):
            tag = root.take(16)
            if tag == NONE:
                continue
            assert nodes[1 + middle][-16:] == tag
            known.add(1 + middle)
            tags = Reader(opened[1 + middle][1:])
            for bucket in range(64 * middle, 64 * middle + 64):
                tag = tags.take(16)
                if tag == NONE:
                    continue
                assert nodes[65 + bucket][-16:] == tag
                known.add(65 + bucket)
                reader = Reader(opened[65 + bucket][1:])
                for _ in range(reader.number(4)):
                    id_, version = reader.take(17), reader.number(8)
                    sealing = reader.number(8) if self.version > 1 else 0
                    changed, tag = reader.time(), reader.take(16)
                    lookups = reader.take(16) if self.version > 1 else NONE
                    expected[id_] = (version, sealing, changed, tag, lookups)
                    assert int.from_bytes(id_[1:3], "big") >> 4 == bucket
                assert reader.at == len(reader.data)
            assert tags.at == len(tags.data)
        assert root.at == len(root.data)
        assert expected == entries and known == set(nodes)
        return {"vault": vault, "generation": generation, "nextSlot": next_slot}, head

    # The record of releases

    def release(self, number, sealed, previous):
        """The entry, where it follows on the tag `previous`."""
        plain = open_sealed(self.keys["releases"], sealed, b"\x01A" + struct.pack(">Q", number))
        if plain is None:
            return None
        reader = Reader(plain)
        format_ = reader.number(1)
        assert format_ in (1, 3) and len(plain) % 128 == 0
        if reader.take(16) != previous:
            return None
        if format_ == 3:
            assert reader.number(8) <= self.root[1]
        entry = {"number": number, "time": reader.time(), "app": reader.text(), "assurance": reader.text(),
                "process": reader.number(4, signed=True), "executable": reader.text(), "unit": reader.optional_text(),
                "method": reader.text(), "service": reader.service() if reader.flag() else None,
                "object": reader.id(), "grant": reader.id(), "refused": reader.optional_text()}
        if not reader.is_at_end():
            entry["evidence"] = reader.optional_text()
        assert reader.is_at_end()
        return entry

    def gap(self, number, sealed, previous):
        """Where a gap ends that follows on the tag `previous`; None where it is none."""
        plain = open_sealed(self.keys["releases"], sealed, b"\x01A" + struct.pack(">Q", number))
        if plain is None or plain[0] != 2:
            return None
        reader = Reader(plain)
        assert reader.number(1) == 2 and len(plain) % 128 == 0 and reader.take(16) == previous
        last, tag = reader.number(8), reader.take(16)
        assert last >= number and reader.is_at_end()
        return last + 1, tag

    def stored_releases(self, head):
        found, (number, previous, next_, last) = [], head
        for first, entries in self.database.execute("SELECT first, entries FROM release ORDER BY first"):
            reader = Reader(entries)
            assert first == int.from_bytes(entries[2:10], "big")
            while reader.at < len(entries):
                length, given = reader.number(2), reader.number(8)
                assert given >= number
                sealed = reader.take(length)
                behind = self.gap(given, sealed, previous)
                if behind is not None:
                    number, previous = behind
                    continue
                found.append(self.release(given, sealed, previous))
                assert found[-1] is not None
                number, previous = given + 1, sealed[-16:]
        assert number <= next_ and previous == last
        assert self.release_count in (None, len(found))
        return found

    def check_mark(self, sealed):
        """That the vault is no older one than it was."""
        plain = open_sealed(self.keys["marks"], sealed, b"\x01G") if len(sealed) == 69 else None
        if plain is None:
            assert not self.marked
            return
        reader = Reader(plain)
        assert reader.number(1) == 1
        vault, generation, tag = reader.take(16), reader.number(8), reader.take(16)
        assert reader.at == len(plain)
        if vault == self.root[0]:
            assert generation < self.root[1] or (generation, tag) == self.root[1:]

    def waiting_releases(self, head):
        """The entries of vault.releases that follow on the last row."""
        found, (_, _, number, previous) = [], head
        if not os.path.exists(self.log):
            return found
        with open(self.log, "rb") as file:
            rest = file.read()
        self.check_mark(rest[MARK:MARK + 69])
        rest = rest[:MARK]
        while len(rest) > 10:
            length, given = struct.unpack(">HQ", rest[:10])
            sealed = rest[10:10 + length]
            entry = self.release(given, sealed, previous) if given == number and 28 <= length == len(sealed) else None
            if entry is None:
                return found
            found.append(entry)
            number, previous, rest = number + 1, sealed[-16:], rest[10 + length:]
        return found


def main():
    path, kind, secret = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        vault = Vault(folder, path, kind, secret)
        slots, digest = vault.listed_slots()
        records, entries, counts = vault.records()
        manifest, head = vault.manifest(entries, counts, digest)
        print(json.dumps({
            "opened": vault.opened, "slots": slots, "records": records, "manifest": manifest,
            "releases": vault.stored_releases(head), "waiting": vault.waiting_releases(head),
            "quarantine": list(vault.quarantine())}))


main()
