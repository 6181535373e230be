// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// Starts tasks on the engine, for its modules: each runs at once as far as it need not wait.
final class TaskStarter {
    /// What a task does, on the engine. (A closure that captures `weak self` runs on the global pool instead, whatever its
    /// type: seen with Swift 6.3.1.)
    typealias Body = nonisolated(nonsending) () async -> Void

    let loop: EventLoop
    /// Nothing is started without it, or once it has ended.
    weak var owner: (any TaskOwner)?

    init(_ loop: EventLoop) { self.loop = loop }

    /// - Returns: nil once the engine has ended.
    func start(_ body: @escaping Body) -> Task<Void, Never>? { owner?.start(body) }
}

/// The actor that tasks run on.
protocol TaskOwner: Actor {
    /// To be called on the actor.
    nonisolated func start(_ body: @escaping TaskStarter.Body) -> Task<Void, Never>
}
