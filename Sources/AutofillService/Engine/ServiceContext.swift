// SPDX-License-Identifier: Apache-2.0
package import EventLoop
internal import SecretMemory

/// What the service gets from its process.
package struct ServiceContext {
    package let product: ServiceProduct
    package let clock: ServiceClock
    /// For what blocks.
    package let pool: WorkerPool
    /// Inspects files of programs.
    package let files: FileInspections
    let tasks: TaskStarter
    let turn = TurnEnd()
    /// On the loop only.
    let entropy = SystemEntropy()
    let revision = PolicyRevision()

    package init(_ product: ServiceProduct, loop: EventLoop, pool: WorkerPool, files: FileInspections) {
        self.product = product
        clock = ServiceClock(loop.clocks)
        self.pool = pool
        self.files = files
        tasks = TaskStarter(loop)
    }

    package var loop: EventLoop { tasks.loop }
}

/// Which daemon it is.
package struct ServiceProduct: Sendable {
    package let version: String
    /// Whether its vault is in memory only, for an app's own tests.
    package let isEphemeral: Bool

    package init(version: String, isEphemeral: Bool) { (self.version, self.isEphemeral) = (version, isEphemeral) }
}

/// Receives what the engine has for the server.
package protocol EngineSubscriber: AnyObject {
    /// `endTurn` is to be called at the end of the loop's turn.
    func armTurnEnd()
    /// The line for `systemctl status` has changed. Called before the answers of the turn leave; only a change of the vault's state
    /// may not wait a moment.
    func statusChanged(_ line: String, mayWait: Bool)
}

/// The end of the loop's turn, at which what was written leaves.
final class TurnEnd {
    weak var subscriber: (any EngineSubscriber)?
    /// Since the last end, or the last upkeep.
    private var isArmed = false

    func arm() {
        guard !isArmed, let subscriber else { return }
        isArmed = true
        subscriber.armTurnEnd()
    }

    /// What comes from now on is for the next end, and the next upkeep.
    func begin() { isArmed = false }
}
