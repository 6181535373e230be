// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Glibc
import Synchronization
import Testing

/// Lines from any thread.
final class Log: Sendable {
    private let all = Mutex<[String]>([])
    var lines: [String] { all.withLock { $0 } }
    func add(_ line: String) { all.withLock { $0.append(line) } }
}

func socketPair() throws -> (Int32, Int32) {
    var both: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &both) == 0)
    return (both[0], both[1])
}

func closeAll(_ descriptors: Int32...) { for descriptor in descriptors { close(descriptor) } }

func write(_ descriptor: Int32, _ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
}

/// What has arrived; nil when nothing has.
func receive(_ descriptor: Int32) -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
}

/// An actor on a loop with clocks that the test sets, the waits of its tasks, and their results.
actor Stage {
    nonisolated let loop: EventLoop
    nonisolated let clock: ManualClock
    nonisolated let log = Log()
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    let wait: Wait<Int>
    let list: WaitList<String>
    let pool: WorkerPool
    private var tasks: [Task<Void, Never>] = []

    init(limits: WorkLimits = WorkLimits(running: 2, stuck: 3, waiting: 4)) throws {
        clock = ManualClock()
        loop = try EventLoop(clocks: clock.clocks)
        wait = Wait(on: loop)
        list = WaitList(on: loop)
        pool = WorkerPool(on: loop) { _ in limits }
    }

    /// Starts a task here and now.
    nonisolated func start(_ body: @escaping @Sendable (isolated Stage) async -> Void) {
        assumeIsolated { stage in stage.begin { await body(stage) } }
    }

    private func begin(_ body: @escaping @Sendable () async -> Void) {
        tasks.append(
            Task.immediate {
                _ = self
                await body()
            })
    }

    nonisolated func cancel(_ number: Int) { assumeIsolated { $0.tasks[number].cancel() } }

    nonisolated var threads: Int { assumeIsolated { $0.pool.threads } }
    nonisolated func stuck(_ lane: WorkLane) -> Int { assumeIsolated { $0.pool.stuck(lane) } }
}

/// The result of a wait, as text.
func words<Value>(_ body: () async throws(WaitFailure) -> Value) async -> String {
    do throws(WaitFailure) { return "\(try await body())" } catch { return "\(error)" }
}
