#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A FUSE file system for tests, which hangs on command. It implements the kernel's protocol itself.

    server.py MOUNTPOINT FILE...

FILE is NAME:MODE:PATH[:PATH...], the mode in octal. The file called NAME reads as what PATH has; of more than one path
each whole reading uses the next, and the last remains. Needs root: it mounts. Prints "mounted" when it is mounted.

Each line on standard input is a command, answered by a line on standard output:

    hang OPERATIONS [NAME]   from now on hold those of lookup, getattr, open, read, flush (with commas between), of one file or
                             of all: "hanging"
    await COUNT              wait until so many requests are held: "held N"
    release                  hold no more, and answer what is held: "released N"
    stop                     answer what is held, unmount and end; the end of standard input does the same

A held request remains when its process is killed, as with any server that hangs: only release ends it, or two minutes
without a command, so that no mistake in a test holds up the machine.
"""
import ctypes, errno, os, select, stat, struct, sys, time

LIBC = ctypes.CDLL(None, use_errno=True)
LOOKUP, FORGET, GETATTR, OPEN, READ, STATFS, RELEASE, FLUSH = 1, 2, 3, 14, 15, 17, 18, 25
INIT, OPENDIR, READDIR, RELEASEDIR, ACCESS, INTERRUPT, DESTROY, BATCH_FORGET = 26, 27, 28, 29, 34, 36, 38, 42
OPERATIONS = {"lookup": LOOKUP, "getattr": GETATTR, "open": OPEN, "read": READ, "flush": FLUSH}
DIRECT_IO, KEEP_CACHE = 1, 2
PARALLEL_DIROPS = 1 << 18  # else one look-up that hangs holds up all others of the directory
MNT_DETACH = 2
ROOT = 1
NOW = int(time.time())


class File:
    def __init__(self, node, text):
        self.node = node
        self.name, mode, *paths = text.split(":")
        self.mode = stat.S_IFREG | int(mode, 8)
        self.faces = [open(path, "rb").read() for path in paths]
        self.readings = 0

    @property
    def face(self):
        return self.faces[min(max(self.readings - 1, 0), len(self.faces) - 1)]

    def read(self, offset, size):
        if offset == 0:
            self.readings += 1
        return self.face[offset:offset + size]

    def attributes(self):
        return attributes(self.node, len(self.face), self.mode)


def attributes(node, size, mode):
    return struct.pack("<6Q10I", node, size, (size + 511) // 512, NOW, NOW, NOW, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)


class Server:
    def __init__(self, place, files):
        self.place = place
        self.files = {ROOT + 1 + index: File(ROOT + 1 + index, text) for index, text in enumerate(files)}
        self.names = {file.name: file for file in self.files.values()}
        self.hanging, self.hanging_file = set(), None
        self.held, self.awaited = [], None
        self.commands, self.last_command = b"", time.monotonic()
        self.device = os.open("/dev/fuse", os.O_RDWR | os.O_CLOEXEC)
        options = f"fd={self.device},rootmode=40000,user_id=0,group_id=0,allow_other,default_permissions"
        flags = 2 | 4  # MS_NOSUID | MS_NODEV
        if LIBC.mount(b"autofill-test", place.encode(), b"fuse.autofill-test", flags, options.encode()) != 0:
            raise OSError(ctypes.get_errno(), "mount")

    # ---- the kernel's side

    def reply(self, unique, data=b"", error=0):
        try:
            os.write(self.device, struct.pack("<IiQ", 16 + len(data), -error, unique) + data)
        except OSError as failure:
            if failure.errno not in (errno.ENOENT, errno.ENODEV):  # the request, or the mount, is gone
                raise

    def request(self):
        try:
            data = os.read(self.device, 1 << 18)
        except OSError as failure:
            if failure.errno in (errno.ENOENT, errno.EINTR, errno.EAGAIN):
                return True
            if failure.errno == errno.ENODEV:
                return False
            raise
        _, operation, unique, node = struct.unpack_from("<IIQQ", data)
        if self.is_held(operation, node, data[40:]):
            self.held.append((operation, unique, node, data[40:]))
            self.write_awaited()
        else:
            self.answer(operation, unique, node, data[40:])
        return True

    def is_held(self, operation, node, body):
        if operation not in self.hanging:
            return False
        file = self.names.get(body.rstrip(b"\0").decode()) if operation == LOOKUP else self.files.get(node)
        return file is not None and self.hanging_file in (None, file.name)

    def answer(self, operation, unique, node, body):
        file = self.files.get(node)
        if operation in (FORGET, BATCH_FORGET, INTERRUPT):
            return
        if operation == INIT:
            readahead = struct.unpack_from("<I", body, 8)[0]
            self.reply(unique, struct.pack("<4I2H2I2H8I", 7, 31, readahead, PARALLEL_DIROPS, 64, 48, 1 << 17, 1, 0, 0, *[0] * 8))
        elif operation == LOOKUP:
            found = self.names.get(body.rstrip(b"\0").decode())
            if found is None:
                self.reply(unique, error=errno.ENOENT)
            else:  # neither name nor attributes are cached: each access is a new request
                self.reply(unique, struct.pack("<4Q2I", found.node, 0, 0, 0, 0, 0) + found.attributes())
        elif operation == GETATTR:
            of = file.attributes() if file else attributes(ROOT, 0, stat.S_IFDIR | 0o755)
            self.reply(unique, struct.pack("<QII", 0, 0, 0) + of)
        elif operation in (OPEN, OPENDIR):
            # What is executed stays in memory, so that a running program does not hang with its file.
            flags = KEEP_CACHE if file and file.mode & 0o111 and len(file.faces) == 1 else DIRECT_IO if file else 0
            self.reply(unique, struct.pack("<QII", node, flags, 0))
        elif operation == READ:
            _, offset, size = struct.unpack_from("<QQI", body)
            self.reply(unique, file.read(offset, size))
        elif operation == READDIR:
            _, offset, size = struct.unpack_from("<QQI", body)
            self.reply(unique, self.entries(offset, size))
        elif operation == STATFS:
            self.reply(unique, struct.pack("<5Q4I6I", 0, 0, 0, len(self.files), 0, 4096, 255, 4096, 0, *[0] * 6))
        elif operation in (RELEASE, RELEASEDIR, FLUSH, ACCESS, DESTROY):
            self.reply(unique)
        else:
            self.reply(unique, error=errno.ENOSYS)

    def entries(self, offset, size):
        listed = b""
        for index, file in list(enumerate(self.files.values(), 1))[offset:]:
            name = file.name.encode()
            entry = struct.pack("<QQII", file.node, index, len(name), stat.S_IFREG >> 12) + name
            entry += bytes(-len(entry) % 8)
            if len(listed) + len(entry) > size:
                break
            listed += entry
        return listed

    # ---- the test's side

    def write(self, line):
        os.write(1, (line + "\n").encode())

    def write_awaited(self):
        if self.awaited is not None and len(self.held) >= self.awaited:
            self.awaited = None
            self.write(f"held {len(self.held)}")

    def release(self):
        self.hanging = set()
        held, self.held = self.held, []
        for request in held:
            self.answer(*request)
        return len(held)

    def command(self):
        """Performs the commands that have arrived; returns whether to continue."""
        data = os.read(0, 4096)
        self.last_command = time.monotonic()
        self.commands += data
        while b"\n" in self.commands:
            line, self.commands = self.commands.split(b"\n", 1)
            command, *rest = line.decode().split(" ")
            if command == "hang":
                self.hanging = {OPERATIONS[name] for name in rest[0].split(",")}
                self.hanging_file = rest[1] if len(rest) > 1 else None
                self.write("hanging")
            elif command == "await":
                self.awaited = int(rest[0])
                self.write_awaited()
            elif command == "release":
                self.write(f"released {self.release()}")
            elif command == "stop":
                return False
            else:
                self.write(f"unknown command {command}")
        return bool(data)

    def serve(self):
        self.write("mounted")
        while True:
            ready, _, _ = select.select([0, self.device], [], [], 5)
            if self.held and time.monotonic() > self.last_command + 120:
                self.release()
            if self.device in ready and not self.request():
                return
            if 0 in ready and not self.command():
                return

    def end(self):
        self.release()
        LIBC.umount2(self.place.encode(), MNT_DETACH)
        os.close(self.device)


if __name__ == "__main__":
    server = Server(sys.argv[1], sys.argv[2:])
    try:
        server.serve()
    finally:
        server.end()
