// SPDX-License-Identifier: Apache-2.0
import Credentials
import SyncMerge
import Testing

/// Local versions: what `ifVersion` and a connection's ownership depend on.
@Suite("Versions of records")
final class RecordVersionsTests {
    private let desktop = VaultCopy(1), laptop = VaultCopy(2)
    private var versions = RecordVersions()

    /// Notes all that a merge into the desktop changes.
    private func merge(_ other: VaultCopy) -> Set<ObjectID> {
        let changed = desktop.state.merge(other.state.operations).records
        return versions.note(changed, in: desktop.state)
    }

    @Test("A visible change raises the version by one; a merge that shows nothing new does not")
    func raised() {
        laptop.save(id(1), "a")
        #expect(merge(laptop) == [id(1)])
        #expect(versions[id(1)] == 1)
        #expect(merge(laptop).isEmpty)
        laptop.setField("label", "x", of: id(1))
        #expect(merge(laptop) == [id(1)])
        #expect(versions[id(1)] == 2)
        laptop.change { $0.setCode(SyncSecret("otp"), of: id(1)) }
        _ = merge(laptop)
        laptop.change { _ = $0.advanceCounter(of: id(1)) }
        #expect(merge(laptop).isEmpty)
        #expect(versions[id(1)] == 3)
    }

    @Test("Ids that become one get a version greater than either had")
    func joined() {
        desktop.save(id(1), "a")
        versions.note([id(1)], in: desktop.state)
        for number in 0..<5 {
            laptop.save(id(2), "b\(number)", user: "bob")
            _ = merge(laptop)
        }
        #expect([versions[id(1)], versions[id(2)]] == [1, 5])
        laptop.change { $0.move(id(2), user: "ann", sites: ["shop.example"]) }
        #expect(merge(laptop) == [id(1), id(2)])
        #expect([versions[id(1)], versions[id(2)]] == [6, 6])
    }

    @Test("An id whose group split shows something else, and its version is raised though its record did not change")
    func split() {
        desktop.save(id(1), "a")
        laptop.clock += 5000
        laptop.save(id(2), "b")
        versions.note([id(1)], in: desktop.state)
        _ = merge(laptop)
        #expect(versions[id(1)] == 2)
        let other = VaultCopy(3)
        other.state.merge(laptop.state.operations(of: id(2)))
        other.clock = laptop.clock + 10_000
        other.change { $0.move(id(2), user: "bob", sites: ["mail.example"]) }
        #expect(merge(other) == [id(1), id(2)])
        #expect([versions[id(1)], versions[id(2)]] == [3, 3])
    }

    @Test("An id that returns after its purge exceeds all versions that it had")
    func returns() {
        for number in 0..<4 { desktop.setField("label", "\(number)", of: id(1)) }
        desktop.save(id(1), "a")
        for number in 0..<4 {
            desktop.setField("label", "x\(number)", of: id(1))
            versions.note([id(1)], in: desktop.state)
        }
        #expect(versions[id(1)] == 4)
        let old = desktop.state
        desktop.change { $0.delete(id(1)) }
        desktop.change { $0.purge(id(1)) }
        versions.note([id(1)], in: desktop.state)
        #expect(versions[id(1)] == nil)
        desktop.state = old
        versions.note([id(1)], in: desktop.state)
        #expect(versions[id(1)] == 5)
    }

    @Test("After a restore all versions exceed the floor")
    func restored() {
        desktop.save(id(1), "a")
        versions = RecordVersions(floor: 700)
        versions.note([id(1)], in: desktop.state)
        #expect(versions[id(1)] == 701)
        #expect(versions.greatest == 701)
    }

    @Test("A deletion, an undelete and an older code that becomes history are visible changes")
    func visible() {
        laptop.save(id(1), "a")
        _ = merge(laptop)
        let other = VaultCopy(3)
        other.merge(laptop)
        laptop.clock += 100_000
        laptop.change { $0.setCode(SyncSecret("otp"), of: id(1)) }
        #expect(merge(laptop) == [id(1)] && versions[id(1)] == 2)
        other.change { $0.setCode(SyncSecret("older"), of: id(1)) }
        #expect(merge(other) == [id(1)] && versions[id(1)] == 3)
        #expect(desktop.view(id(1))?.codeTexts == ["otp", "older"])
        laptop.merge(desktop)
        laptop.change { $0.delete(id(1)) }
        #expect(merge(laptop) == [id(1)] && versions[id(1)] == 4)
        laptop.change { $0.undelete(id(1)) }
        #expect(merge(laptop) == [id(1)] && versions[id(1)] == 5)
    }
}
