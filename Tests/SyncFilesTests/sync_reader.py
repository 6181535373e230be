# SPDX-License-Identifier: Apache-2.0
"""Reads files of sync, after Sources/SyncFiles/Sync-format.md.

usage: sync_reader.py VECTORS

VECTORS is a JSON file: the recovery key as shown, the private keys of a machine, files with their directories and names, and an
invitation with its code, private answer key and answer. Prints what they contain as one line of JSON. Ends with an error where
anything does not hold that the page says. Needs the package cryptography.
"""
import hashlib
import hmac
import json
import re
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

RAW = (Encoding.Raw, PublicFormat.Raw)
LAST = 99_999_999


class Refused(Exception):
    pass


def hold(condition, what):
    if not condition:
        raise Refused(what)


# Keys

def extract(salt, material):
    return hmac.digest(salt or bytes(32), material, "sha256")


def expand(key, info, length):
    output, block, number = b"", b"", 1
    while len(output) < length:
        block = hmac.digest(key, block + info + bytes([number]), "sha256")
        output, number = output + block, number + 1
    return output[:length]


def derive(info, key, salt=b""):
    return expand(extract(salt, key), info.encode(), 32)


def identifier(purpose, content):
    return hashlib.sha256(purpose.encode() + b"\0" + content).digest()[:16]


def is_signed(public, signature, message, purpose):
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, f"autofilld sync 1 {purpose}".encode() + b"\0" + message)
        return True
    except (InvalidSignature, ValueError):
        return False


def open_sealed(key, sealed, associated):
    return ChaCha20Poly1305(key).decrypt(sealed[:12], sealed[12:], associated)


def open_to_key(private, sealed, info, associated, psk=b"", psk_id=b""):
    """RFC 9180, the receiver's side, the first message; None where it does not open."""
    kem, suite = b"KEM\x00\x20", b"HPKE\x00\x20\x00\x01\x00\x03"

    def labeled_extract(suite, salt, label, material):
        return extract(salt, b"HPKE-v1" + suite + label + material)

    def labeled_expand(suite, key, label, info, length):
        return expand(key, length.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info, length)

    enc, cipher = sealed[:32], sealed[32:]
    own = X25519PrivateKey.from_private_bytes(private)
    shared = own.exchange(X25519PublicKey.from_public_bytes(enc))
    context = enc + own.public_key().public_bytes(*RAW)
    secret = labeled_expand(kem, labeled_extract(kem, b"", b"eae_prk", shared), b"shared_secret", context, 32)
    context = bytes([1 if psk else 0]) + labeled_extract(suite, b"", b"psk_id_hash", psk_id)
    context += labeled_extract(suite, b"", b"info_hash", info)
    secret = labeled_extract(suite, secret, b"secret", psk)
    key = labeled_expand(suite, secret, b"key", context, 32)
    nonce = labeled_expand(suite, secret, b"base_nonce", context, 12)
    try:
        return ChaCha20Poly1305(key).decrypt(nonce, cipher, associated)
    except Exception:  # cryptography's InvalidTag, or a cipher text that is too short
        return None


def typed(text):
    """A recovery key or code as it is shown; the check sum is that of BIP 350."""
    symbols = ["qpzry9x8gf2tvdw0s3jn54khce6mua7l".index(c) for c in re.sub(r"[-\s]", "", text).lower()]
    hold(len(symbols) == 32 and symbols[25] & 3 == 0, "the code's length")
    check = 1
    for symbol in symbols:
        top, check = check >> 25, (check & 0x1FFFFFF) << 5 ^ symbol
        for bit, term in enumerate([0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3]):
            check ^= term if top >> bit & 1 else 0
    hold(check == 0x2BC830A3, "the code's check sum")
    number = 0
    for symbol in symbols[:26]:
        number = number << 5 | symbol
    return (number >> 2).to_bytes(16, "big")


class KeyPairs:
    def __init__(self, signing, sealing):
        self.sealing = sealing
        self.public = Ed25519PrivateKey.from_private_bytes(signing).public_key().public_bytes(*RAW)
        self.public += X25519PrivateKey.from_private_bytes(sealing).public_key().public_bytes(*RAW)
        self.device = identifier("autofilld sync 1 device", self.public)


# Bytes

class Reader:
    def __init__(self, content):
        self.content, self.at = content, 0

    def take(self, count):
        hold(self.at + count <= len(self.content), "an end")
        self.at += count
        return self.content[self.at - count:self.at]

    def rest(self):
        return self.take(len(self.content) - self.at)

    def number(self, count):
        return int.from_bytes(self.take(count), "big")

    def compact(self):
        number = 0
        for position in range(10):
            byte = self.number(1)
            number |= (byte & 0x7F) << 7 * position
            if byte < 0x80:
                hold(byte or not position, "a compact number")
                hold(number < 1 << 64, "a compact number")
                return number
        raise Refused("a compact number")

    def counted(self):
        return self.take(self.compact())

    def is_padding(self):
        return not any(self.content[self.at:])


class Table:
    def __init__(self, reader):
        self.devices = [reader.take(16) for _ in range(reader.compact())]
        hold(all(a < b for a, b in zip(self.devices, self.devices[1:])) and len(self.devices) <= 1024, "the table")

    def origin(self, reader):
        device, sequence = self.devices[reader.compact()], reader.compact()
        hold(sequence == 0 if device == bytes(16) else 1 <= sequence <= LAST, "an origin")
        return device, sequence


# Statements

class Statement:
    def __init__(self, content):
        hold(64 < len(content) <= 8192, "a statement's length")
        reader = Reader(content[:-64])
        self.signed, self.signature = content[:-64], content[-64:]
        self.kind, self.group, self.signer = reader.number(1), reader.take(16), reader.take(16)
        self.sequence = reader.number(8)
        hold(1 <= self.sequence <= LAST and self.kind, "a statement's sequence")
        self.content = content[41:-64]
        if self.kind == 1:
            self.keys, self.recovery, self.random = reader.take(64), reader.take(64), reader.take(16)
        elif self.kind == 2:
            self.keys = reader.take(64)
        elif self.kind == 3:
            self.device, self.last = reader.take(16), reader.number(8)
            hold(self.last <= LAST, "a removal")
        elif self.kind == 4:
            self.public = reader.take(32)
            self.sealed = [(reader.take(16), reader.take(80)) for _ in range(reader.number(1))]
            hold(all(a[0] < b[0] for a, b in zip(self.sealed, self.sealed[1:])), "an epoch's recipients")
            self.recovery, self.proof = reader.take(80), reader.take(64)
            self.epoch = identifier("autofilld sync 1 epoch", self.public)
        else:
            reader.rest()
        hold(reader.at == len(reader.content), "a statement's end")

    def is_proven(self):
        message = self.group + self.signer + self.sequence.to_bytes(8, "big") + self.content[:-64]
        return is_signed(self.public, self.proof, message, "epoch")


class Group:
    def __init__(self, founding):
        hold(founding.kind == 1 and identifier("autofilld sync 1 group", founding.content) == founding.group, "the founding")
        self.id, self.founder = founding.group, identifier("autofilld sync 1 device", founding.keys)
        self.recovery, self.statements = founding.recovery, [founding]
        self.keys = {self.founder: founding.keys}
        hold(founding.signer == self.founder and founding.sequence == 1, "the founder")
        hold(is_signed(founding.keys[:32], founding.signature, founding.signed, "statement"), "the founding's signature")

    def insert(self, statements):
        known = {s.signed for s in self.statements}
        waiting = [s for s in statements if s.signed not in known]
        count = None
        while count != len(waiting):
            count = len(waiting)
            for statement in list(waiting):
                key = self.recovery if statement.signer == bytes(16) else self.keys.get(statement.signer)
                if not key:
                    continue
                waiting.remove(statement)
                hold(statement.group == self.id, "a statement's group")
                hold(is_signed(key[:32], statement.signature, statement.signed, "statement"), "a statement's signature")
                hold(statement.kind != 4 or statement.is_proven(), "an epoch's proof")
                hold(statement.signer != bytes(16) or statement.kind == 3 or statement.kind > 4, "the recovery key")
                self.statements.append(statement)
                if statement.kind == 2:
                    self.keys[identifier("autofilld sync 1 device", statement.keys)] = statement.keys
        hold(not waiting, "an unknown signer")

    def members(self):
        ranks, cuts, visited = {self.founder: ()}, {}, set()

        def cut(statement):
            cuts[statement.device] = min(cuts.get(statement.device, LAST), statement.last)

        for statement in self.statements:
            if statement.kind == 3 and statement.signer == bytes(16):
                cut(statement)
        while visited != set(ranks):
            device = min(set(ranks) - visited, key=lambda d: ranks[d])
            visited.add(device)
            own = [s for s in self.statements if s.signer == device and s.sequence <= cuts.get(device, LAST)]
            for statement in sorted(own, key=lambda s: (s.sequence, s.kind)):
                if statement.kind == 2:
                    new = identifier("autofilld sync 1 device", statement.keys)
                    if new not in ranks:
                        ranks[new] = ranks[device] + ((statement.sequence, new),)
                if statement.kind == 3 and not (statement.device in ranks and ranks[statement.device] < ranks[device]):
                    cut(statement)
        return sorted((d for d in ranks if d not in cuts), key=lambda d: ranks[d]), cuts

    def current(self):
        members, _ = self.members()
        given, stated = {}, []
        for statement in self.statements:
            if statement.kind == 4:
                given.setdefault(statement.epoch, set()).update(device for device, _ in statement.sealed)
                if statement.signer in members:
                    stated.append((statement.sequence, statement.signer, statement.epoch))
        return max((s for s in stated if given[s[2]] == set(members)), default=(0, b"", b""))[2]

    def epoch_key(self, epoch, keys):
        for statement in self.statements:
            if statement.kind != 4 or statement.epoch != epoch:
                continue
            sealed = dict(statement.sealed).get(keys.device)
            if keys.public == self.recovery:
                sealed = statement.recovery
            if sealed:
                key = open_to_key(keys.sealing, sealed, b"autofilld sync 1 epoch", self.id + epoch + keys.device)
                if key and Ed25519PrivateKey.from_private_bytes(derive("autofilld sync 1 epoch proof", key)) \
                        .public_key().public_bytes(*RAW) == statement.public:
                    return key
        raise Refused("no key of the epoch")


# Files

def value(kind, content):
    reader = Reader(content)
    if kind == 1:
        secret, site = reader.counted(), reader.counted().decode()
        return ["password", secret.hex(), site, reader.rest().decode()]
    if kind == 2:
        nonce = reader.number(8)
        return ["code", reader.rest().hex(), nonce]
    if kind == 3:
        hold(not content, "a code")
        return ["no code"]
    if kind in (4, 5):
        return ["site" if kind == 4 else "user", content.decode()]
    if kind == 6:
        name = reader.counted().decode()
        return ["field", name, reader.rest().hex()]
    hold(kind, "a kind")
    return ["unknown", kind, content.hex()]


class Entries:
    """The operations of the entries of all batches."""

    def __init__(self, table):
        self.table, self.operations, self.record, self.counter = table, [], b"", None

    def read(self, reader):
        while not reader.is_padding():
            kind = reader.number(1)
            if kind == 1:
                hold(self.counter is None, "the order")
                self.read_record(reader)
            elif kind == 2:
                nonce, origin = reader.number(8), self.table.origin(reader)
                hold(self.counter is None or self.counter < (nonce, origin[0]), "the order")
                self.counter = (nonce, origin[0])
                hold(origin[1], "a counter's origin")
                self.operations.append(["counter", nonce, reader.compact(), origin[0].hex(), origin[1]])
            else:
                raise Refused("an entry")

    def read_record(self, reader):
        key = reader.take(17)
        hold(key[0] == 1 and key[9:] != b"counter\0", "a record's id")
        hold(self.record < key, "the order")
        self.record = key
        record, count = f"crd_{key[1:].hex()}", len(self.operations)
        last, moment = None, None
        for _ in range(reader.compact()):
            time = int.from_bytes(reader.take(8), "big", signed=True)
            device, sequence = self.table.origin(reader)
            hold(moment is None or moment < (time, device, sequence), "the order of moments")
            moment = (time, device, sequence)
            elements = reader.compact()
            hold(elements, "an empty moment")
            for _ in range(elements):
                stamp = moment + (reader.number(8),)
                hold(last is None or last <= stamp, "the order of elements")
                last = stamp
                kind = reader.number(1)
                self.operations.append(
                    ["add", record, time, device.hex(), sequence, stamp[3], value(kind, reader.counted())])
        for what in ("dead", "gone"):
            last = -1
            for _ in range(reader.compact()):
                mark, origins = reader.number(8), [self.table.origin(reader) for _ in range(reader.compact())]
                hold(last < mark and origins and all(o[1] for o in origins), "a mark")
                hold(all(a < b for a, b in zip(origins, origins[1:])), "a mark's origins")
                last = mark
                self.operations += [[what, record, mark, device.hex(), sequence] for device, sequence in origins]
        hold(len(self.operations) > count, "an empty record")


class File:
    def __init__(self, content, name, directory):
        match = re.fullmatch(r"(\d{8})-([0-9a-f]{16})\.(snap|delta)", name)
        hold(match and hashlib.sha256(content).hexdigest().startswith(match[2]), "the name's hash")
        reader = Reader(content)
        hold(reader.take(5) == b"AFsy\x01", "the format")
        self.kind, self.group, self.device = reader.number(1), reader.take(16), reader.take(16)
        self.first, self.last, self.epoch = reader.number(8), reader.number(8), reader.take(16)
        hold(1 <= self.first <= self.last <= LAST, "the range")
        hold((self.kind, match[3]) in ((1, "snap"), (2, "delta")) and int(match[1]) == self.last, "the name")
        hold(self.kind == 2 or self.first == 1, "a snapshot's range")
        hold(directory == f"{self.group.hex()}/{self.device.hex()}", "the directory")
        count, length, batches = reader.number(4), reader.number(4), reader.number(4)
        statements = Reader(reader.take(length))
        self.statements = [Statement(statements.take(statements.number(4))) for _ in range(count)]
        hold(statements.at == length and batches, "the statements' length")
        self.clear = hashlib.sha256(content[:reader.at]).digest()
        self.batches = [reader.take(reader.number(4)) for _ in range(batches)]
        self.signed, self.signature = content[:reader.at], reader.take(64)
        hold(reader.at == len(content), "the end")
        self.name = name

    def describe(self, group, keys):
        members, cuts = group.members()
        hold(self.device in members or self.last <= cuts.get(self.device, 0), "a member")
        hold(is_signed(group.keys[self.device][:32], self.signature, self.signed, "file"), "the file's signature")
        key = derive("autofilld sync 1 file", group.epoch_key(self.epoch, keys), self.group + self.device)
        plain = [Reader(open_sealed(key, batch, self.clear + number.to_bytes(4, "big")))
                 for number, batch in enumerate(self.batches)]
        table = Table(plain[0])
        device_name = plain[0].counted().decode()
        vector = [table.origin(plain[0]) for _ in range(plain[0].compact())]
        hold(all(a[0] < b[0] for a, b in zip(vector, vector[1:])) and self.device not in dict(vector), "the vector")
        entries = Entries(table)
        for reader in plain:
            entries.read(reader)
        for operation in entries.operations:
            device, sequence = operation[3:5]
            if device == self.device.hex():
                hold(self.first <= sequence <= self.last, "an own origin")
            else:
                hold(self.kind == 1 or device == bytes(16).hex(), "another's origin")
        return {"name": self.name, "device": self.device.hex(), "snapshot": self.kind == 1, "first": self.first,
                "last": self.last, "epoch": self.epoch.hex(), "deviceName": device_name,
                "vector": [[device.hex(), sequence] for device, sequence in vector], "operations": entries.operations}


# Invitations

def invitation(vectors):
    content, code = bytes.fromhex(vectors["file"]), typed(vectors["code"])
    header, group, random = content[:37], content[5:21], content[21:37]
    hold(content[:5] == b"AFsi\x01", "an invitation")
    reader = Reader(open_sealed(derive("autofilld sync 1 invitation", code, random), content[37:], header))
    answer_key, device_name = reader.take(32), reader.counted().decode()
    founded = Group(Statement(reader.take(reader.number(4))))
    hold(founded.id == group, "the invitation's group")
    vector = [[device.hex(), reader.compact()] for device in Table(reader).devices]
    hold(reader.is_padding(), "the invitation's end")
    private, answer = bytes.fromhex(vectors["answerKey"]), bytes.fromhex(vectors["answer"])
    hold(X25519PrivateKey.from_private_bytes(private).public_key().public_bytes(*RAW) == answer_key, "the answer key")
    hold(answer[:37] == b"AFsa\x01" + group + random, "an answer")
    info = b"autofilld sync 1 answer"
    plain = open_to_key(private, answer[37:], info, answer[:37], derive(info.decode(), code, random), random)
    hold(plain, "the answer's seal")
    reader = Reader(plain)
    keys, signature, name = reader.take(64), reader.take(64), reader.counted()
    hold(reader.is_padding(), "the answer's end")
    hold(is_signed(keys[:32], signature, answer[:37] + keys + name, "answer"), "the answer's signature")
    return {"group": group.hex(), "deviceName": device_name, "vector": vector,
            "answer": [identifier("autofilld sync 1 device", keys).hex(), name.decode()]}


def main(path):
    with open(path, encoding="utf-8") as file:
        vectors = json.load(file)
    files = [File(bytes.fromhex(f["bytes"]), f["name"], f["directory"]) for f in vectors["files"]]
    statements = [statement for file in files for statement in file.statements]
    group = Group(next(s for s in statements if s.kind == 1))
    group.insert(statements)
    machine = KeyPairs(*(bytes.fromhex(vectors["machine"][name]) for name in ("signing", "sealing")))
    recovery = typed(vectors["recovery"])
    recovery = KeyPairs(*(derive(f"autofilld sync 1 recovery {name}", recovery) for name in ("signing", "sealing")))
    hold(recovery.public == group.recovery, "the recovery key")
    members, cuts = group.members()
    described = [file.describe(group, machine) for file in files]
    # The recovery key opens the same.
    hold(described == [file.describe(group, recovery) for file in files], "the recovery key's files")
    print(json.dumps({
        "group": group.id.hex(), "founder": group.founder.hex(), "members": [m.hex() for m in members],
        "cuts": {device.hex(): last for device, last in cuts.items()}, "current": group.current().hex(),
        "files": described, "invitation": invitation(vectors["invitation"])},
        sort_keys=True, separators=(",", ":"), ensure_ascii=False))


if __name__ == "__main__":
    main(sys.argv[1])
