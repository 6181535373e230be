// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The installed service under a real user manager: started by its first client, killed, hung, reloaded, stopped.
@Suite(
    .enabled(if: areProgramsBuilt, "autofilld and autofillctl are not built beside the tests"),
    .enabled(if: geteuid() == 0, "needs root, to boot Tests/box"),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs /usr/bin/python3"))
struct ServiceTests {
    @Test("A killed, hung or reloaded service refuses no client, and a stopped one has ended cleanly")
    func lifecycle() throws {
        let installation = try Installation()
        let client = "\(installation.directory)/client.py"
        try Self.client.write(toFile: client, atomically: false, encoding: .utf8)
        let script = """
            set -eu
            \(installation.installer) >/dev/null
            systemctl --user stop autofilld.service # the installer asked it what to do next
            exec python3 '\(client)'
            """
        let (status, output) = try run(
            [UnderSystemdTests.box, "--chdir", "/", "--env", "PATH=\(installation.directory):/usr/bin:/bin", "--"]
                + ["bash", "-c", script])
        #expect(status == 0, "\(output)")
        let lines = output.split(separator: "\n")
        for line in [
            "started by its first client", "killed: no client refused, all answered", "hung: killed by the watchdog",
            "reloaded: the connection continues", "stopped: success", "journal: nothing but the manager's lines",
        ] {
            #expect(lines.contains(line[...]), "no “\(line)” in:\n\(output)")
        }
    }

    @Test("A service that ends at each start is stopped with its socket, and continues when the user restarts it")
    func endsAtEachStart() throws {
        let installation = try Installation()
        let script = """
            set -eu
            \(installation.installer) >/dev/null
            systemctl --user stop autofilld.service
            mkdir -p ~/.config/systemd/user/autofilld.service.d
            broken=~/.config/systemd/user/autofilld.service.d/broken.conf
            # So many starts, however slow each is here.
            printf '[Unit]\\nStartLimitIntervalSec=1h\\n[Service]\\nExecStart=\\nExecStart=/bin/false\\n' >"$broken"
            systemctl --user daemon-reload
            systemctl --user start autofilld.service || true
            until systemctl --user is-failed --quiet autofilld.service; do sleep 0.2; done
            starts=$(systemctl --user show -P NRestarts autofilld.service)
            [ "$starts" -gt 20 ] && [ "$starts" -le 60 ] && echo "at rest"
            echo "its socket: $(systemctl --user show -P ActiveState autofilld.socket)"
            rm "$broken"
            systemctl --user daemon-reload
            systemctl --user reset-failed autofilld.service autofilld.socket
            systemctl --user start autofilld.socket
            autofillctl status | grep -q '^vault' && echo "continues"
            printf '[Service]\\nExecStart=\\nExecStart=/bin/sh -c "exit 71"\\n' >"$broken"
            systemctl --user daemon-reload
            systemctl --user stop autofilld.socket autofilld.service
            systemctl --user start autofilld.service || true
            echo "71: $(systemctl --user show -P ActiveState autofilld.service)"
            """
        let path = "\(installation.directory):/home/boxuser/.local/bin:/usr/bin:/bin"
        let (status, output) = try run(
            [UnderSystemdTests.box, "--chdir", "/", "--env", "PATH=\(path)", "--", "bash", "-c", script])
        for line in ["at rest", "its socket: failed", "continues", "71: failed"] {
            #expect(output.split(separator: "\n").contains(line[...]), "no “\(line)” (\(status)) in:\n\(output)")
        }
    }

    /// Written from protocol.md alone, with nothing but Python's own library.
    private static let client = """
        import json, os, signal, socket, subprocess, threading, time

        PATH = os.environ["XDG_RUNTIME_DIR"] + "/autofilld/socket"
        HELLO = {"jsonrpc": "2.0", "id": 1, "method": "hello",
                 "params": {"bundleID": "org.example.NotSetUp", "protocol": {"min": 1, "max": 1}}}

        def connect():
            connection = socket.socket(socket.AF_UNIX)
            connection.settimeout(30)
            connection.connect(PATH)
            return connection, connection.makefile("rw")

        def ask(stream, request):
            stream.write(json.dumps(request) + "\\n")
            stream.flush()
            return json.loads(stream.readline())

        def systemctl(*arguments):
            return subprocess.run(["systemctl", "--user", *arguments], capture_output=True, text=True, check=True).stdout.strip()

        def process():
            return int(systemctl("show", "-P", "MainPID", "autofilld"))

        assert systemctl("show", "-P", "ActiveState", "autofilld") == "inactive"
        assert "result" in ask(connect()[1], HELLO)
        assert systemctl("show", "-P", "ActiveState", "autofilld") == "active"
        print("started by its first client", flush=True)

        # A connection that the killed process had accepted is reset; a client asks again, and is never refused.
        answered, refused = [], []
        def client():
            for _ in range(5):
                try:
                    connection, stream = connect()
                except OSError as error:
                    refused.append(error)
                    return
                try:
                    if "result" in ask(stream, HELLO):
                        answered.append(1)
                        return
                except (ConnectionError, json.JSONDecodeError):
                    pass
        clients = [threading.Thread(target=client) for _ in range(100)]
        for number, thread in enumerate(clients):
            thread.start()
            if number in (20, 60):
                subprocess.run(["systemctl", "--user", "kill", "--kill-whom=main", "-s", "KILL", "autofilld"])
        for thread in clients:
            thread.join()
        assert not refused and len(answered) == 100, (refused, len(answered))
        assert int(systemctl("show", "-P", "NRestarts", "autofilld")) >= 1
        print("killed: no client refused, all answered", flush=True)

        # Found sooner than in the unit's 30 seconds; only here, for a busy machine may keep any process waiting for some.
        drop_ins = os.path.expanduser("~/.config/systemd/user/autofilld.service.d")
        def watchdog(seconds):
            os.makedirs(drop_ins, exist_ok=True)
            with open(drop_ins + "/watchdog.conf", "w") as file:
                file.write(f"[Service]\\nWatchdogSec={seconds}\\n")
            systemctl("daemon-reload")
            systemctl("restart", "autofilld")

        def journal(*arguments):
            command = ["journalctl", "--user", "-u", "autofilld", *arguments]
            return subprocess.run(command, capture_output=True, text=True).stdout

        watchdog(3)
        hung = 0
        while not hung:
            try:
                hung = process()
                if hung:
                    os.kill(hung, signal.SIGSTOP)
            except ProcessLookupError:
                hung = 0
        while process() == hung:
            time.sleep(0.05)
        assert "result" in ask(connect()[1], HELLO)
        watchdog(30)
        assert "Watchdog timeout" in journal("-o", "cat"), journal()
        print("hung: killed by the watchdog", flush=True)

        connection, stream = connect()
        assert "result" in ask(stream, HELLO)
        before = process()
        systemctl("reload", "autofilld")
        answer = ask(stream, {"jsonrpc": "2.0", "id": 2, "method": "status", "params": {}})
        assert "result" in answer and process() == before, answer
        print("reloaded: the connection continues", flush=True)

        systemctl("stop", "autofilld")
        print("stopped:", systemctl("show", "-P", "Result", "autofilld"), flush=True)
        entries = [json.loads(line) for line in journal("-o", "json").splitlines()]
        ours = [entry["MESSAGE"] for entry in entries if entry.get("SYSLOG_IDENTIFIER") == "autofilld"]
        print("journal: nothing but the manager's lines" if not ours else ours, flush=True)
        """
}
