// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import Synchronization

/// A separate autofilld, for the demo and for tests: started, awaited until it is ready, and ended.
package final class DaemonProcess: Sendable {
    /// Why it did not become ready; the text is its own output, if there is any.
    package typealias StartFailure = ChildProcess.StartFailure

    package let processID: Int32
    private let errors: OutputLines
    private let hasEnded = Mutex(false)

    /// Starts it, and returns when it reports that it is ready: READY=1 of sd_notify(3).
    ///
    /// - Parameters:
    ///   - environment: the complete environment; no variable of this process is passed on.
    ///   - notifySocket: a path for a socket of this process, short enough for one.
    ///   - patience: how long it may take.
    package static func start(
        _ executable: String, _ arguments: [String], environment: [String: String], notifySocket: String,
        patience: Duration = .seconds(20)
    ) async throws(StartFailure) -> DaemonProcess {
        let result: Result<DaemonProcess, StartFailure> = await withCheckedContinuation { continuation in
            // A queue of its own, because it blocks, and the global queues have few threads.
            DispatchQueue(label: "org.autofilld.starting").async {
                do throws(StartFailure) {
                    let started = try DaemonProcess(executable, arguments, environment, notifySocket, patience)
                    continuation.resume(returning: .success(started))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    private init(
        _ executable: String, _ arguments: [String], _ environment: [String: String], _ notifySocket: String,
        _ patience: Duration
    ) throws(StartFailure) {
        let notices = try NoticeSocket(at: notifySocket)
        let errors = try OutputLines()
        var environment = environment
        environment["NOTIFY_SOCKET"] = notifySocket
        processID = try ChildProcess.start(
            executable, arguments, environment: environment,
            files: [
                (STDIN_FILENO, .path("/dev/null", flags: O_RDONLY)), (STDOUT_FILENO, .descriptor(errors.writingEnd)),
                (STDERR_FILENO, .descriptor(errors.writingEnd)),
            ])
        self.errors = errors
        errors.closeWritingEnd()
        let deadline = ContinuousClock.now + patience
        while !notices.isReady {
            guard ContinuousClock.now < deadline else {
                throw StartFailure(text: "it was not ready after \(patience)")
            }
            guard errors.waitForMore(or: notices.descriptor, until: deadline) else {
                throw StartFailure(
                    text: errors.newLines().joined(separator: "\n"), wasInterrupted: end(SIGKILL) == .signalled(SIGINT))
            }
        }
    }

    deinit { kill() }

    /// Its output on standard error since the last call, which is its journal.
    package func journal() -> [String] {
        errors.read()
        return errors.newLines()
    }

    /// The same, but waits for a line that matches.
    package func journal(until isEnd: (String) -> Bool, within patience: Duration) -> [String] {
        let deadline = ContinuousClock.now + patience
        var lines = journal()
        while !lines.contains(where: isEnd), errors.waitForMore(or: -1, until: deadline) { lines += errors.newLines() }
        return lines
    }

    /// SIGKILL: it can save nothing more.
    package func kill() { _ = end(SIGKILL) }

    /// SIGTERM: it answers the requests that it has received.
    ///
    /// - Returns: its exit status; nil if a signal ended it.
    @discardableResult
    package func stop() -> Int32? {
        if case .exited(let status) = end(SIGTERM) { status } else { nil }
    }

    /// nil if it was ended before.
    private func end(_ signal: Int32) -> ChildProcess.End? {
        hasEnded.withLock { hasEnded in
            guard !hasEnded else { return nil }
            hasEnded = true
            Glibc.kill(processID, signal)
            return ChildProcess.end(of: processID)
        }
    }
}
