// SPDX-License-Identifier: Apache-2.0
package import EventLoop
internal import SecretMemory

/// What the service is given of the world.
package struct Surroundings {
    package let version: String
    package let isEphemeral: Bool
    package let loop: EventLoop
    package let clock: ServiceClock
    /// For what blocks.
    package let pool: WorkerPool
    /// What the file system says of programs.
    package let files: FileLooks
    let tasks: TaskStarter
    /// On the loop only.
    let entropy = SystemEntropy()
    let turn = TurnEnd()
    let prompts = PromptWatch()
    let revision = PolicyRevision()

    package init(
        version: String, isEphemeral: Bool, loop: EventLoop, pool: WorkerPool, files: FileLooks
    ) {
        self.version = version
        self.isEphemeral = isEphemeral
        self.loop = loop
        clock = ServiceClock(loop.clocks)
        self.pool = pool
        self.files = files
        tasks = TaskStarter(loop)
    }
}

/// The end of the loop's turn, at which what was written leaves.
final class TurnEnd {
    /// Set by whoever sends what leaves.
    var arm: () -> Void = {}
}
