// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Credentials
import SecretMemory
import Support
import Testing

@testable import AutofillService
@testable import CredentialStorage
@testable import VaultFormat

@Suite("A damaged record of releases")
struct MissingReleaseTests {
    @Test("A damaged entry is a finding, and is listed as missing, also after a repair; the others are listed")
    func listed() throws {
        let daemon = try TestService()
        let app = daemon.connect()
        try app.greet()
        for user in ["ann", "bob", "cid"] {
            try app.answer(to: CredentialSave(service: .shop, user: user, password: SecretBytes(utf8: "s3cret")))
            try app.answer(to: CredentialGet(service: .shop, user: user))
        }
        let user = try daemon.user()
        func list(_ page: PageRequest = PageRequest()) throws -> ReleaseList.Answer {
            try user.answer(to: ReleaseList(page: page, proof: .test))
        }
        #expect(try list().releases.map(\.number) == [3, 2, 1] && list().missing.isEmpty)
        // Each save has stored the release before it.
        try #require(daemon.vault).file.openDatabase.write { statements throws(VaultError) in
            let row = try statements.releases.oldest.first(.integer(2)) { row throws(VaultError) in
                (first: row.integer(0), bytes: row.copy(1))
            }
            guard let (first, intact) = row else { return }
            var bytes = intact
            bytes[60] ^= 1
            try statements.releases.delete.run(.integer(first))
            try statements.releases.insert.run(.integer(first), .bytes(bytes))
        }
        let missing = [MissingReleases(first: 2, last: 2)]
        #expect(try list().releases.map(\.number) == [3, 1] && list().missing == missing)
        let page = try list(PageRequest(limit: 1))
        #expect(page.releases.map(\.number) == [3] && page.missing.isEmpty && page.next == "3")
        let next = try list(PageRequest(limit: 1, cursor: page.next))
        #expect(next.releases.map(\.number) == [1] && next.missing == missing && next.next == nil)
        let report = try user.answer(to: VaultCheck(proof: .test))
        #expect(report.findings.map(\.text) == ["Entry 2 of the record of releases cannot be read or is gone"])
        #expect(try user.answer(to: VaultCheck(repairs: true, proof: .test)).isIntact)
        #expect(try list().releases.map(\.number) == [3, 1] && list().missing == missing)
    }
}
