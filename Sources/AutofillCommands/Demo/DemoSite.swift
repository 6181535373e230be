// SPDX-License-Identifier: Apache-2.0
import ConfigurationFiles
import FoundationEssentials
import Glibc
import SecretMemory
import Synchronization

/// The temporary environment of the demo: a directory with registrations, a key file, a vault and a socket, and the
/// daemon that uses it. All of it is removed when the demo ends, however it ends.
final class DemoSite: Sendable {
    let directory: String
    private let executable: String
    private let state = Mutex(State())

    private struct State {
        var daemon: DaemonProcess?
        var isInterrupted = false
    }

    var socket: String { directory + "/socket" }
    var registrations: String { directory + "/apps" }
    var keyFile: String { directory + "/credentials/autofilld.vault-key" }

    /// - Parameters:
    ///   - executable: the daemon's.
    ///   - temporaryDirectory: where the directory is made; must be short enough for a socket's path.
    init(executable: String, temporaryDirectory: String) throws(CommandFailure) {
        guard let made = TemporaryFolder.make(in: temporaryDirectory, named: "autofilld-demo") else {
            throw CommandFailure(
                .system, "No directory can be made in \(temporaryDirectory): \(String(cString: strerror(errno)))",
                fix: "Set TMPDIR to a directory that you own")
        }
        directory = made
        self.executable = executable
        for name in ["apps", "credentials"] { mkdir("\(directory)/\(name)", 0o700) }
    }

    /// Registers an app, as `autofillctl app register` does.
    func register(_ bundleID: String, _ json: String) throws(CommandFailure) {
        let file = "\(directory)/\(bundleID).json"
        do {
            try json.write(toFile: file, atomically: false, encoding: .utf8)
        } catch {
            throw CommandFailure(.system, "\(file) cannot be written")
        }
        let own = UserRegistrations(directory: registrations, userID: geteuid())
        do throws(ConfigurationFileProblem) {
            _ = try own.register(file, refusing: nil)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The daemon's arguments.
    var arguments: [String] {
        [
            "--socket", socket, "--data-directory", directory + "/data", "--registrations", registrations, "--settings",
            directory + "/settings.json",
        ]
    }

    func startDaemon() async throws(CommandFailure) {
        do throws(ChildProcess.StartFailure) {
            let started = try await DaemonProcess.start(
                executable, arguments, environment: ["CREDENTIALS_DIRECTORY": directory + "/credentials"],
                notifySocket: directory + "/notify")
            state.withLock { state in
                if state.isInterrupted { started.kill() }
                state.daemon = started
            }
        } catch {
            if error.wasInterrupted { state.withLock { $0.isInterrupted = true } }
            throw CommandFailure(
                .refused, "autofilld did not start: \(error.text.printable)", fix: "Name another one: --daemon PATH")
        }
    }

    /// kill -9.
    func killDaemon() { state.withLock { $0.daemon }?.kill() }

    func journal() -> [String] { state.withLock { $0.daemon }?.journal() ?? [] }

    func journal(until isEnd: (String) -> Bool) -> [String] {
        state.withLock { $0.daemon }?.journal(until: isEnd, within: .seconds(5)) ?? []
    }

    /// Whether a signal requested the end. The daemon is then killed, so that every call that waits for it ends at
    /// once.
    var isInterrupted: Bool { Interruption.isRequested || state.withLock { $0.isInterrupted } }

    /// Has SIGINT, SIGTERM and SIGHUP end the daemon, and not this process, which has to clean up.
    func catchInterruptions() throws(CommandFailure) {
        signal(SIGPIPE, SIG_IGN)
        try Interruption.catch { [self] in
            state.withLock { state in
                state.isInterrupted = true
                state.daemon?.kill()
            }
        }
    }

    /// Ends the daemon and removes the directory.
    func cleanUp() {
        killDaemon()
        try? FileManager.default.removeItem(atPath: directory)
    }
}
