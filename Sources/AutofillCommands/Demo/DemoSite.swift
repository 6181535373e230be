// SPDX-License-Identifier: Apache-2.0
import ConfigurationFiles
import FoundationEssentials
import Glibc
import SecretMemory
import Synchronization

/// The throwaway place of the demo: a directory with registrations, a key file, a vault and a socket, and the daemon that
/// works there. All of it goes when the demo ends, however it ends.
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
    ///   - temporaryDirectory: where the directory is made; must leave room for a socket's path.
    init(executable: String, temporaryDirectory: String) throws(CommandFailure) {
        guard let made = TemporaryFolder.make(in: temporaryDirectory, named: "autofilld-demo") else {
            throw CommandFailure(
                .system, "No directory can be made in \(temporaryDirectory): \(String(cString: strerror(errno)))",
                fix: "Set TMPDIR to a directory that is yours")
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

    /// What the daemon is started with.
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

    func journal(until isWanted: (String) -> Bool) -> [String] {
        state.withLock { $0.daemon }?.journal(until: isWanted, within: .seconds(5)) ?? []
    }

    /// Whether a signal asked for the end. The daemon is killed then, so that whatever waits for it ends at once.
    var isInterrupted: Bool { Interruption.hasCome || state.withLock { $0.isInterrupted } }

    /// Has SIGINT, SIGTERM and SIGHUP end the daemon, not this process, which has to clean up.
    func catchInterruptions() throws(CommandFailure) {
        signal(SIGPIPE, SIG_IGN)
        try Interruption.catch { [self] in
            state.withLock { state in
                state.isInterrupted = true
                state.daemon?.kill()
            }
        }
    }

    /// Ends the daemon and takes the directory away.
    func cleanUp() {
        killDaemon()
        try? FileManager.default.removeItem(atPath: directory)
    }
}
