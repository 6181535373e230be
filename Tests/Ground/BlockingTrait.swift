// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import Testing

/// Runs the tests of a suite, which block, on threads of their own: the few that Swift has for asynchronous work stay
/// free for the tests of others, whose time limits continue meanwhile.
package struct BlockingTrait: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(BlockingThreads()) { try await function() }
    }
}

extension Trait where Self == BlockingTrait {
    package static var blocking: Self { BlockingTrait() }
}

/// As many threads as are asked for.
private final class BlockingThreads: TaskExecutor {
    private let queue = DispatchQueue(label: "blocking tests", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
