// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Random worlds of admissions and removals: 300; 2,000 with AUTOFILL_FULL=1.
@Suite("Members in random worlds")
struct MemberWorldTests {
    private static let worlds: UInt64 = ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1" ? 2000 : 300

    @Test("All machines have the same members and one key, which exactly the members know")
    func agreement() throws {
        var agreed = 0
        for seed in 0..<Self.worlds {
            var world = MemberWorld(seed: seed)
            do {
                if try world.run() == .agreed { agreed += 1 }
            } catch {
                Issue.record("world \(seed): \(error)")
            }
        }
        #expect(agreed > Int(Self.worlds) * 9 / 10)
    }
}
