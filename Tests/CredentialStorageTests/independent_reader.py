# SPDX-License-Identifier: Apache-2.0
"""Reads a vault with nothing but Python's standard library, after Sources/CredentialStorage/Vault-format.md.

usage: independent_reader.py VAULT PASSPHRASE
Prints one line of JSON: credentials, releases, and whether manifest and chain hold.
"""
import hashlib
import hmac
import json
import sqlite3
import struct
import sys


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
    """RFC 8439, 2.8."""
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


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        self.at += count
        assert self.at <= len(self.data)
        return self.data[self.at - count:self.at]

    def number(self, count, signed=False):
        return int.from_bytes(self.take(count), "big", signed=signed)

    def bytes(self):
        length = self.number(4)
        return None if length == 0xFFFFFFFF else self.take(length)

    def text(self):
        found = self.bytes()
        return None if found is None else found.decode()

    def time(self):
        found = self.number(8, signed=True)
        return None if found == -2**63 else found

    def service(self):
        return [["domain", "url", "origin"][self.number(1) - 1], self.text()]

    def subject(self):
        return [self.text(), self.text(), self.text()]


def vault_key(database, passphrase):
    rows = database.execute("SELECT id, salt, cost, wrapped, checksum FROM slot WHERE kind = 1")
    for id_, salt, cost, wrapped, checksum in rows:
        associated = b"\x01S" + struct.pack(">Q", id_) + b"\x01" + salt + cost
        assert hashlib.sha256(associated + wrapped).digest()[:8] == checksum
        n, r, p = 1 << cost[0], cost[1], cost[2]
        key = hashlib.scrypt(passphrase, salt=salt, n=n, r=r, p=p, maxmem=256 * n * r, dklen=32)
        found = open_sealed(key, wrapped, associated)
        if found is not None:
            return found
    sys.exit("wrong passphrase")


def credentials(database, master):
    records, index = hkdf(master, b"", "autofilld vault 1 records"), hkdf(master, b"", "autofilld vault 1 index")

    def code(purpose, *values):
        message = bytes([purpose])
        for value in values:
            message += struct.pack(">I", len(value.encode())) + value.encode()
        return hmac.digest(index, message, "sha256")[:16]

    found, tags = [], {}
    for id_, lookup, version, sealed in database.execute("SELECT id, lookup, version, sealed FROM record"):
        plain = open_sealed(records, sealed, b"\x01R" + id_ + struct.pack(">Q", version) + lookup)
        assert plain is not None and plain[0] == 1
        tags[id_] = (version, sealed[-16:])
        if id_[0] != 1:
            continue
        reader = Reader(plain[1:])
        service, user, password = reader.service(), reader.text(), reader.bytes()
        rules, _, _ = reader.text(), reader.bytes(), reader.bytes()
        created, changed, _, deleted = reader.time(), reader.time(), reader.time(), reader.time()
        reader.subject()
        previous = [(reader.bytes().decode(), reader.time()) for _ in range(reader.number(1))]
        if deleted is None:
            assert lookup == code(1, *service) + code(2, *service, user)
        found.append({"id": "crd_" + id_[1:].hex(), "service": service, "user": user, "password": password.decode(),
                      "rules": rules, "created": created, "changed": changed, "previous": previous})
    return found, tags


def check_manifest(database, master, tags):
    key = hkdf(master, b"", "autofilld vault 1 manifest")
    nodes = dict(database.execute("SELECT node, sealed FROM manifest"))
    opened = {n: open_sealed(key, sealed, b"\x01M" + struct.pack(">I", n)) for n, sealed in nodes.items()}
    assert all(plain is not None and plain[0] == 1 for plain in opened.values())
    root = Reader(opened[0][1:])
    root.take(16 + 8 + 128 + 32 + 8)
    head = (root.number(8), root.take(16), root.number(8), root.take(16))
    expected = {}
    for middle in range(64):
        tag = root.take(16)
        if tag == bytes(16):
            continue
        assert nodes[1 + middle][-16:] == tag
        for place in range(64):
            bucket, tag = 64 * middle + place, opened[1 + middle][1 + 16 * place:17 + 16 * place]
            if tag == bytes(16):
                continue
            assert nodes[65 + bucket][-16:] == tag
            reader = Reader(opened[65 + bucket][1:])
            for _ in range(reader.number(4)):
                id_, version, _ = reader.take(17), reader.number(8), reader.time()
                expected[id_] = (version, reader.take(16))
                assert int.from_bytes(id_[1:3], "big") >> 4 == bucket
    assert expected == tags
    return head


def releases(database, master, head):
    key = hkdf(master, b"", "autofilld vault 1 releases")
    found, (_, previous, _, last) = [], head
    for (entries,) in database.execute("SELECT entries FROM release ORDER BY first"):
        reader = Reader(entries)
        while reader.at < len(entries):
            length, number = reader.number(2), reader.number(8)
            sealed = reader.take(length)
            plain = Reader(open_sealed(key, sealed, b"\x01A" + struct.pack(">Q", number))[1:])
            assert plain.take(16) == previous
            previous = sealed[-16:]
            time, app = plain.time(), plain.text()
            found.append({"number": number, "time": time, "app": app})
    assert previous == last
    return found


def main():
    database = sqlite3.connect("file:" + sys.argv[1] + "?immutable=1", uri=True)
    assert database.execute("PRAGMA application_id").fetchone()[0] == 0x41467674
    assert [row[0] for row in database.execute("SELECT identifier FROM grdb_migrations")] == ["1"]
    master = vault_key(database, sys.argv[2].encode())
    found, tags = credentials(database, master)
    head = check_manifest(database, master, tags)
    print(json.dumps({"credentials": found, "releases": releases(database, master, head), "records": len(tags)}))


main()
