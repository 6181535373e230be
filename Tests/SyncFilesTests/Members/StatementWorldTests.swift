// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Random worlds of admissions, removals and hostile files: 60; 2,000 with AUTOFILL_FULL=1.
@Suite("Members in random worlds of files")
struct StatementWorldTests {
    private static let worlds: UInt64 = ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1" ? 2000 : 60

    @Test(
        "All members agree who they are, have one key that nobody else has, and have merged the same", arguments: 0..<4)
    func agreement(batch: UInt64) throws {
        var agreed = 0
        for seed in Self.worlds / 4 * batch..<Self.worlds / 4 * (batch + 1) {
            do {
                var world = try StatementWorld(seed: seed)
                if try world.run() == .agreed { agreed += 1 }
            } catch {
                Issue.record("world \(seed): \(error)")
            }
        }
        #expect(agreed > Int(Self.worlds) / 4 * 8 / 10)
    }
}
