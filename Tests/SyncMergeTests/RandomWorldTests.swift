// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Machines in random worlds: wrong clocks, a folder that fails in every way, restores, clones and removals. In the end all are
/// equal, and no save that was answered is lost. 300 short worlds; 10,000 of 200 steps with AUTOFILL_FULL=1.
@Suite("The merge in random worlds")
struct RandomWorldTests {
    private static let isFull = ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1"
    private static let batches = isFull ? 500 : 15

    @Test("All machines are equal in the end, and nothing that was saved is lost", arguments: 0..<batches)
    func worlds(batch: Int) {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["AUTOFILL_SEED"].flatMap { UInt64($0) } ?? 0
        for number in 0..<20 {
            let seed = first + UInt64(batch * 20 + number)
            let world = SyncWorld(seed: seed)
            do {
                try world.run(steps: Self.isFull ? 200 : 60)
            } catch {
                Issue.record("world \(seed): \(error)")
            }
        }
    }
}
