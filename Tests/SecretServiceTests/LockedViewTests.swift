// SPDX-License-Identifier: Apache-2.0
import SecretService
import Testing

@Suite("Locks of more programs than are remembered")
struct LockedViewTests {
    @Test("The program that locked something first is forgotten, and no other one")
    func oldest() {
        var views = LockedViews()
        for number in 0..<BridgeLimits.callers { views.lock("item", of: "app \(number)") }
        views.lock("other", of: "app 0")
        views.unlock("item", of: "app 1")
        views.lock("item", of: "app 1")
        for number in 2..<4 { views.lock("item", of: "new \(number)") }
        #expect(!views.isLocked("item", of: "app 0") && !views.isLocked("item", of: "app 2"))
        for number in [1] + Array(3..<BridgeLimits.callers) {
            #expect(views.isLocked("item", of: "app \(number)"), "\(number)")
        }
        #expect(views.isLocked("item", of: "new 2") && views.isLocked("item", of: "new 3"))
    }
}
