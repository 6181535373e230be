// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// Starts tasks on the engine, for its modules: each runs at once as far as it need not wait.
final class TaskStarter {
    /// What a task does, on the engine. (A closure that captures `weak self` goes to the global pool instead, whatever its
    /// type says: seen with Swift 6.3.1.)
    typealias Body = nonisolated(nonsending) () async -> Void

    let loop: EventLoop
    /// Set by the engine, which knows its own isolation.
    private var starting: ((@escaping Body) -> Task<Void, Never>)?

    init(_ loop: EventLoop) { self.loop = loop }

    func begin(_ starting: @escaping (@escaping Body) -> Task<Void, Never>) { self.starting = starting }

    /// - Returns: nil once the engine has ended.
    func start(_ body: @escaping Body) -> Task<Void, Never>? { starting?(body) }

    func end() { starting = nil }
}
