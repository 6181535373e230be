// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import EventLoop

/// Starts programs on a thread of the pool, for a file system may delay that, and reaps them on the loop.
final class ProgramLauncher {
    /// The time limit of inspecting and starting a program.
    static let deadline = Duration.seconds(5)

    let loop: EventLoop
    let pool: WorkerPool
    /// Programs that were killed, and have not ended yet.
    private var ending: [Int32: ChildSource] = [:]

    init(on loop: EventLoop, pool: WorkerPool) {
        self.loop = loop
        self.pool = pool
    }

    /// Waits for the programs that were killed last. Released with the loop, or when that runs no longer.
    deinit {
        let last = ending.keys
        ending = [:]
        for process in last { af_end_prompter(process) }
    }

    /// - Parameter environment: all that it gets of one.
    func start(
        _ program: String, _ arguments: [String] = [], environment: [String: String]
    ) async throws(PrompterProcess.Failure) -> PrompterProcess {
        var sockets: [Int32] = [-1, -1]
        let paired = af_socket_pair(&sockets)
        guard paired == 0 else { throw .start(errno: -paired) }
        let start = ProgramStart(program, arguments, environment: environment, socket: sockets[1])
        let result: Int32
        do throws(WaitFailure) {
            result = try await pool.run(.files, about: program, deadline: Self.deadline) { start.run() }
        } catch {
            af_close(sockets[0])
            if let process = start.abandon() { end(process) }
            throw error == .cancelled ? .withdrawn : .notStarted
        }
        guard result > 0 else {
            af_close(sockets[0])
            throw .start(errno: -result)
        }
        return try PrompterProcess(result, socket: sockets[0], of: self)
    }

    /// Kills a program with all that it started, without waiting.
    func end(_ process: Int32) {
        af_kill_prompter(process)
        // Without a descriptor for it, it stays on the kernel's list until this process ends.
        ending[process] = try? ChildSource(on: loop, process: process) { [unowned self] _ in ending[process] = nil }
    }
}
