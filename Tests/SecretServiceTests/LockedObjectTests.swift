// SPDX-License-Identifier: Apache-2.0
import SecretService
import Testing

@Suite("Locks of more programs than are kept")
struct LockedObjectTests {
    @Test("The program that locked something first is dropped, and no other one")
    func oldest() {
        var locked = LockedObjects()
        for number in 0..<BridgeLimits.callers { locked.lock("item", of: "app \(number)") }
        locked.lock("other", of: "app 0")
        locked.unlock("item", of: "app 1")
        locked.lock("item", of: "app 1")
        for number in 2..<4 { locked.lock("item", of: "new \(number)") }
        #expect(!locked.isLocked("item", of: "app 0") && !locked.isLocked("item", of: "app 2"))
        for number in [1] + Array(3..<BridgeLimits.callers) {
            #expect(locked.isLocked("item", of: "app \(number)"), "\(number)")
        }
        #expect(locked.isLocked("item", of: "new 2") && locked.isLocked("item", of: "new 3"))
    }
}
