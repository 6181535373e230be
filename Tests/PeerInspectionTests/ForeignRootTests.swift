// SPDX-License-Identifier: Apache-2.0
import PeerIdentity
import Testing

@testable import PeerInspection

@Suite("Root directories that may hang")
struct ForeignRootTests {
    /// Runs `body` while so many of these units are read.
    private func reading(_ units: ArraySlice<String>, _ roots: ForeignRoots, _ body: () -> Void) -> Bool {
        guard let unit = units.first else {
            body()
            return true
        }
        let isRead = try? roots.read(of: unit) { reading(units.dropFirst(), roots, body) }
        return isRead ?? false
    }

    private func isLate(_ unit: String, _ roots: ForeignRoots) -> Bool {
        do throws(PeerRefusal) {
            try roots.read(of: unit) {}
            return false
        } catch {
            return error == .late
        }
    }

    @Test("Three of one unit that hang end the inspections of this unit alone, until one returns")
    func units() {
        let roots = ForeignRoots()
        let isRead = reading(["a", "a", "a"], roots) {
            #expect(isLate("a", roots))
            #expect(!isLate("b", roots) && !isLate("", roots))
        }
        #expect(isRead && !isLate("a", roots))
    }

    @Test("Of all units together fewer hang than a lane of the worker pool may have stuck")
    func all() {
        let roots = ForeignRoots()
        let isRead = reading(["a", "a", "a", "b", "b", "b", "c"], roots) {
            #expect(isLate("d", roots))
        }
        #expect(isRead && !isLate("d", roots))
    }
}
