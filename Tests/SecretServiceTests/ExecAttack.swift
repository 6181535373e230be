// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

/// A program that connects to the bus, forks, and has its parent execute a victim, which the bus then states as the
/// process of the connection, while the child makes calls on it.
struct ExecAttack {
    static let isAvailable = SecretStage.isAvailable && FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
    static let need = "\(SecretStage.need) and /usr/bin/python3"

    /// How the victim is started.
    enum Form: String, CaseIterable, Sendable, CustomTestStringConvertible {
        /// The connection is closed when the victim is executed.
        case closed
        /// The victim inherits it, as a descriptor that it knows nothing of.
        case inherited
        /// The victim inherits it, and nobody may see the descriptors of the program that makes the calls.
        case hidden
        /// The victim inherits another connection, which has no name yet.
        case unnamed
        /// The victim inherits the connection of another process, in exchange for its own.
        case exchanged
        /// The victim is stopped between connecting and its first message, where the program can have it.
        case stopped
        /// All of them are in user and network namespaces of their own.
        case apart

        var testDescription: String { rawValue }
    }

    struct Outcome: Decodable {
        /// Races in which the secret was received.
        let released: Int
        let races: Int
        let answers: Int
        let errors: [String: Int]
    }

    let stage: SecretStage

    /// Stores the victim's secret.
    init(_ stage: SecretStage) throws {
        self.stage = stage
        try stage.directory.write("attack.py", Self.script)
        let stored = try stage.run(
            program: "one", ["store", "--label=Mail", "service", "mail", "user", "ann"], input: "s3cr3t")
        guard stored.status == 0 else { throw StageFailure(text: stored.output + stage.log + stage.daemon.log()) }
    }

    /// - Parameter arguments: of the victim.
    func run(_ form: Form, races: Int, seed: Int, _ arguments: [String]) throws -> Outcome {
        let run = try stage.run(
            [
                "/usr/bin/python3", stage.directory.path + "/attack.py", form.rawValue, "\(races)", "\(seed)",
                "/etc/autofilld/bin/one",
            ] + arguments)
        do { return try JSONDecoder().decode(Outcome.self, from: Data(run.output.utf8)) } catch {
            throw StageFailure(text: run.output + stage.log)
        }
    }

    private static let script = #"""
        import collections, contextlib, ctypes, json, os, random, re, select, signal, socket, struct, sys, time

        form, races, seed, victim = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
        chance = random.Random(seed)
        USER = str(os.getuid()).encode().hex().encode()
        ROOT, SECRET = "/org/freedesktop/secrets", "org.freedesktop.Secret."

        def align(data, size): return data + b"\0" * (-len(data) % size)
        def text(value): return struct.pack("<I", len(value.encode())) + value.encode() + b"\0"
        def paths(values):
            body = b""
            for value in values: body = align(body, 4) + text(value)
            return struct.pack("<I", len(body)) + body
        def pairs(values):
            body = b""
            for key, value in values.items(): body = align(align(body, 8) + text(key), 4) + text(value)
            return align(struct.pack("<I", len(body)), 8) + body

        class Connection:
            def __init__(self, is_named=True):
                self.socket = socket.socket(socket.AF_UNIX)
                self.socket.connect(os.environ["DBUS_SESSION_BUS_ADDRESS"].split("=", 1)[1])
                self.serial, self.session = 0, None
                self.socket.sendall(b"\0AUTH EXTERNAL " + USER + b"\r\n")
                if not self.socket.recv(200).startswith(b"OK"): raise OSError("no authentication")
                self.socket.sendall(b"BEGIN\r\n")
                if is_named:
                    self.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello")

            def exact(self, count):
                data = b""
                while len(data) < count:
                    more = self.socket.recv(count - len(data))
                    if not more: raise EOFError
                    data += more
                return data

            def call(self, name, path, interface, member, signature="", body=b""):
                """The answer: its type (2 or 3) and its bytes."""
                self.serial += 1
                fields = b""
                for code, kind, value in [(1, "o", path), (2, "s", interface), (3, "s", member), (6, "s", name)]:
                    fields = align(fields, 8) + bytes([code, 1]) + kind.encode() + b"\0" + text(value)
                if signature:
                    fields = align(fields, 8) + bytes([8, 1]) + b"g\0" + bytes([len(signature)]) + signature.encode() + b"\0"
                header = struct.pack("<cBBBII", b"l", 1, 0, 1, len(body), self.serial) + struct.pack("<I", len(fields)) + fields
                self.socket.sendall(align(header, 8) + body)
                while True:
                    start = self.exact(16)
                    length, _, fields = struct.unpack_from("<III", start, 4)
                    rest = self.exact(fields + -fields % 8 + length)
                    if start[1] in (2, 3): return start[1], rest

            def ask(self, path, interface, member, signature, body):
                return self.call("org.freedesktop.secrets", ROOT + path, SECRET + interface, member, signature, body)

        def attempt(connection, counts):
            """Whether the secret was received."""
            answers = []
            if not connection.session:
                answers.append(connection.ask(
                    "", "Service", "OpenSession", "sv", align(text("plain") + b"\1s\0", 4) + text("")))
                connection.session = re.findall(rb"/org/freedesktop/secrets/session/\w+", answers[-1][1])
            session = connection.session
            answers.append(connection.ask("", "Service", "SearchItems", "a{ss}", pairs({"service": "mail"})))
            items = re.findall(rb"/org/freedesktop/secrets/collection/\w+/\w+", answers[-1][1])
            if session and items:
                items = [item.decode() for item in items]
                answers.append(connection.ask(
                    "", "Service", "GetSecrets", "aoo", align(paths(items), 4) + text(session[0].decode())))
            for kind, data in answers:
                name = re.search(rb"org\.[\w.]*Error[\w.]*", data)
                if kind == 3: counts[name.group().decode() if name else "error"] += 1
                else: counts[""] += 1
            return any(b"s3cr3t" in data for _, data in answers)

        def stop(process):
            """Stops a process as soon as it has made a socket."""
            end = time.monotonic() + 1
            while time.monotonic() < end:
                with contextlib.suppress(OSError):
                    if os.readlink(f"/proc/{process}/exe") != victim[0]: continue
                    folder = f"/proc/{process}/fd"
                    if any(os.readlink(f"{folder}/{name}").startswith("socket:") for name in os.listdir(folder)): break
            with contextlib.suppress(ProcessLookupError): os.kill(process, signal.SIGSTOP)

        def speak(connection, parent, delay, report):
            if form == "hidden": ctypes.CDLL(None).prctl(4, 0)
            time.sleep(delay)
            if form == "stopped": stop(parent)
            counts, released, end = collections.Counter(), False, time.monotonic() + 0.15
            try:
                while time.monotonic() < end and not released: released = attempt(connection, counts)
            except (OSError, EOFError): counts["closed"] += 1
            with contextlib.suppress(ProcessLookupError): os.kill(parent, signal.SIGKILL)
            os.write(report, json.dumps([released, counts]).encode())

        def race():
            reading, report = os.pipe()
            delay = chance.random() * 0.012
            first = os.fork()
            if first == 0 and form == "exchanged":
                other = Connection()
                other.socket.set_inheritable(True)
                if second := os.fork():
                    other.socket.close()
                    os.close(report)
                    os.waitpid(second, 0)
                    os._exit(0)
            if first == 0:
                # CLONE_NEWUSER and CLONE_NEWNET
                if form == "apart" and ctypes.CDLL(None).unshare(0x50000000) != 0: raise OSError("unshare")
                connection = Connection()
                given, _ = os.pipe()
                if form == "unnamed":
                    other = Connection(is_named=False)
                    other.socket.set_inheritable(True)
                if os.fork() == 0:
                    try: speak(connection, os.getppid(), delay, report)
                    finally: os._exit(0)
                if form in ("inherited", "hidden"): connection.socket.set_inheritable(True)
                # The victim waits for its input, where it reads it.
                os.dup2(given, 0)
                os.set_inheritable(_, True)
                void = os.open("/dev/null", os.O_WRONLY)
                os.dup2(void, 1)
                os.dup2(void, 2)
                os.execv(victim[0], victim)
            os.close(report)
            os.waitpid(first, 0)
            data = b""
            while more := os.read(reading, 65536): data += more
            os.close(reading)
            return json.loads(data)

        outcomes = [race() for _ in range(races)]
        errors = sum((collections.Counter(counts) for _, counts in outcomes), collections.Counter())
        print(json.dumps({
            "released": sum(released for released, _ in outcomes), "races": races, "answers": errors.pop("", 0),
            "errors": errors}))

        """#
}
