// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import Systemd
import Testing

/// A real systemd-logind: its signals lock the vault of the installed service, and sleep waits until it is locked.
@Suite(.enabled(if: geteuid() == 0, "needs root, to boot Tests/box"))
struct LoginTests {
    /// Run as root in the box: a machine that can sleep, and wakes up when `asleep` was written to /run/scratch/order.
    private static let canSleep = """
        mkdir -p /run/systemd/system/systemd-suspend.service.d
        printf '[Service]\\nExecStart=\\nExecStart=/bin/sh -c "echo asleep >>/run/scratch/order"\\n' \
        >/run/systemd/system/systemd-suspend.service.d/test.conf
        printf '[Path]\\nPathExists=/run/scratch/suspend\\n' >/run/systemd/system/test-suspend.path
        printf '[Service]\\nType=oneshot\\nExecStart=/bin/rm /run/scratch/suspend\\nExecStart=/bin/systemctl suspend\\n' \
        >/run/systemd/system/test-suspend.service
        mount -t tmpfs none /sys/power && echo freeze mem >/sys/power/state && echo s2idle >/sys/power/mem_sleep
        touch /run/scratch/order && chmod 666 /run/scratch/order
        systemctl daemon-reload && systemctl start test-suspend.path
        """

    @Test(
        "The vault is locked by lock-session, by a desktop's locked screen and before sleep, and its key file opens it again",
        .enabled(if: areProgramsBuilt, "autofilld and autofillctl are not built beside the tests"),
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs /usr/bin/python3"))
    func locks() throws {
        let installation = try Installation()
        let client = "\(installation.directory)/client.py"
        try Self.client.write(toFile: client, atomically: false, encoding: .utf8)
        let script = """
            set -eu
            mkdir -p ~/.config/autofilld
            echo "{\\"vaultKeyFile\\": \\"$HOME/vault.key\\"}" >~/.config/autofilld/settings.json
            \(installation.installer) >/dev/null
            ~/.local/bin/autofillctl vault create --no-passphrase --key-file ~/vault.key
            python3 '\(client)' || { journalctl --user -u autofilld; exit 1; }
            # The journal is written with a delay, which is not tested here.
            for try in $(seq 100); do
                ~/.local/bin/autofillctl log --journal-only >~/log
                ! grep -q 'credential.get .*refused: app-not-registered' ~/log || break
            done
            cat ~/log
            """
        let (status, output) = try run(
            [
                UnderSystemdTests.box, "--chdir", "/", "--env", "PATH=\(installation.directory):/usr/bin:/bin",
                "--setup",
                Self.canSleep, "--", "bash", "-c", script,
            ])
        #expect(status == 0, "\(output)")
        for line in [
            "lock-session: vaultLocked session", "unlock-session: vaultUnlocked None",
            "locked screen: vaultLocked session",
            "unlocked screen: vaultUnlocked None", "sleep: vaultLocked sleep", "awake: vaultUnlocked None",
        ] {
            #expect(output.split(separator: "\n").contains(line[...]), "no “\(line)” in:\n\(output)")
        }
        let row = output.split(separator: "\n").first { $0.contains("refused: app-not-registered") }
        #expect(row?.contains("org.example.Nobody") == true && row?.contains("credential.get") == true, "\(output)")
    }

    /// Only Python's own library. The service's actions are visible in its events; a signal that arrives before it
    /// listens is sent again.
    private static let client = """
        import json, os, socket, subprocess

        daemon = socket.socket(socket.AF_UNIX)
        daemon.connect(os.environ["XDG_RUNTIME_DIR"] + "/autofilld/socket")
        unread = b""

        def line(patience):
            global unread
            daemon.settimeout(patience)
            while b"\\n" not in unread:
                unread += daemon.recv(65536)
            first, unread = unread.split(b"\\n", 1)
            return json.loads(first)

        def call(method, **params):
            daemon.sendall((json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}) + "\\n").encode())
            return line(60)

        def event(patience=60):
            params = line(patience)["params"]
            return params["type"] + " " + str(params.get("cause"))

        def until_event(*command):
            for _ in range(60):
                subprocess.run(command, check=True)
                try:
                    return event(1)
                except TimeoutError:
                    pass
            raise SystemExit("no event after " + " ".join(command))

        assert "result" in call("hello", bundleID="org.example.Nobody", protocol={"min": 1, "max": 1})
        assert "error" in call("credential.get", service={"type": "domain", "value": "shop.example.com"})
        assert call("event.subscribe")["result"]["state"]["vault"] == "unlocked"
        session = os.environ["XDG_SESSION_ID"]
        print("lock-session:", until_event("loginctl", "lock-session"), flush=True)
        subprocess.run(["loginctl", "unlock-session"], check=True)
        print("unlock-session:", event(), flush=True)
        path = subprocess.run(
            ["busctl", "call", "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager",
             "GetSession", "s", session], check=True, capture_output=True, text=True).stdout.split('"')[1]
        hint = ["busctl", "call", "org.freedesktop.login1", path, "org.freedesktop.login1.Session", "SetLockedHint", "b"]
        subprocess.run(hint + ["true"], check=True)
        print("locked screen:", event(), flush=True)
        subprocess.run(hint + ["false"], check=True)
        print("unlocked screen:", event(), flush=True)
        open("/run/scratch/suspend", "w").close()
        print("sleep:", event(), flush=True)
        print("awake:", event(), flush=True)
        """

    @Test("Sleep waits for every inhibitor, and is inhibited again after waking", .timeLimit(.minutes(10)))
    func sleepWaits() throws {
        let program = testProgram(filter: "LoginManagerChild").map { "'\($0)'" }.joined(separator: " ")
        let script = "AUTOFILL_LOGIN_CHILD=1 \(program); cat /run/scratch/order"
        let (status, output) = try run(
            [UnderSystemdTests.box, "--root", "--chdir", "/", "--setup", Self.canSleep, "--", "bash", "-c", script])
        try #require(status != 126, "the box cannot start here: \(output)")
        #expect(output.hasSuffix("keys are gone\nasleep\nkeys are gone\nasleep\n"), "\(output)")
    }

    @Test("A missing system bus is reported, and has no other effect")
    func absent() throws {
        let program = testProgram(filter: "LoginManagerAbsent")
        let (status, output) = try run(
            program,
            environment: [
                "AUTOFILL_LOGIN_ABSENT_CHILD": "1", "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere/bus",
            ])
        #expect(status == 0, "\(output)")
    }
}

/// Runs as root in the box: it is slow to erase its keys, and the machine waits.
@Suite(.enabled(if: getenv("AUTOFILL_LOGIN_CHILD") != nil, "runs within another test"))
struct LoginManagerChild {
    private static func note(_ line: String) {
        guard let file = fopen("/run/scratch/order", "a") else { return }
        fputs(line + "\n", file)
        fclose(file)
    }

    /// The entry about this process in logind's own list.
    private static func inhibitors() throws -> Int {
        let (_, output) = try run(["/usr/bin/systemd-inhibit", "--list", "--no-legend"])
        return output.split(separator: "\n").count { $0.contains("autofilld") && $0.contains("delay") }
    }

    @Test("Holds sleep up twice") func holds() throws {
        let loop = try EventLoop()
        var (states, signals): ([LoginManager.State], [LoginManager.Signal]) = ([], [])
        let login = LoginManager(on: loop, onChange: { states.append($0) }, receive: { signals.append($0) })
        login.start()
        #expect(try loop.run(until: { !states.isEmpty }) && states == [.following(holdsSleep: true)])
        for number in 1...2 {
            // Until it is inhibited again; the state is reported once.
            #expect(try loop.run(until: { (try? Self.inhibitors()) == 1 }))
            signals = []
            #expect(FileManager.default.createFile(atPath: "/run/scratch/suspend", contents: nil))
            #expect(try loop.run(until: { signals == [.fallsAsleep(number)] }, patience: .seconds(120)))
            // Until logind reports that it waits for this process, it has not slept.
            if try Self.inhibitors() == 1 { Self.note("keys are gone") }
            login.letSleep(number)
            #expect(try loop.run(until: { signals == [.fallsAsleep(number), .wokeUp] }, patience: .seconds(120)))
        }
    }
}

/// Runs with an address of the system bus where nothing listens.
@Suite(.enabled(if: getenv("AUTOFILL_LOGIN_ABSENT_CHILD") != nil, "runs within another test"))
struct LoginManagerAbsent {
    @Test("Without a system bus the login manager is absent, and the reason is reported") func absent() throws {
        var states: [LoginManager.State] = []
        let login = LoginManager(on: try EventLoop(), onChange: { states.append($0) }, receive: { _ in })
        login.start()
        guard case .absent(let why)? = states.first else {
            Issue.record("a bus was found")
            return
        }
        #expect(!why.isEmpty && states.count == 1)
    }
}
