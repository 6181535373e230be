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

    @Test("What a program locks past its limit is not locked, and that is returned; what it has locked stays locked")
    func limit() {
        var locked = LockedObjects()
        for number in 0..<BridgeLimits.rememberedItems {
            let isLocked = locked.lock("item \(number)", of: "app")
            #expect(isLocked, "\(number)")
        }
        let (again, more, others) = (
            locked.lock("item 0", of: "app"), locked.lock("more", of: "app"), locked.lock("more", of: "other")
        )
        #expect(again && !more && others && !locked.isLocked("more", of: "app"))
        locked.unlock("item 0", of: "app")
        let next = locked.lock("more", of: "app")
        #expect(next && locked.isLocked("more", of: "app"))
    }
}
