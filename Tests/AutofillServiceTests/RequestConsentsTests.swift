// SPDX-License-Identifier: Apache-2.0
import Credentials
import Testing

@testable import AutofillService

/// The subject of a request may become another one while it waits, and so may the vault.
@Suite("What the user has allowed one request")
struct RequestConsentsTests {
    private static func subject(_ assurance: String) -> Subject {
        Subject(app: "org.example.Shop", assurance: assurance, executable: "path:/usr/bin/shop")
    }

    @Test("It counts for the subject that was asked about, and not after the vault was replaced")
    func subjects() {
        let (asked, other) = (Self.subject("claimed"), Self.subject("installed"))
        let service = Credentials.Service(kind: .domain, value: "shop.example.com")
        let (item, account) = (ObjectID(kind: .item, high: 1, low: 2), ObjectID(kind: .credential, high: 3, low: 4))
        let items = PromptedItems(ids: [item], grants: [service], whole: [], owners: [], labels: [])
        var consents = RequestConsents()
        consents.allow(Allowance(matter: .read(items), subject: asked, service: service))
        var picked = Allowance(matter: .fillOne(accounts: [], isGranted: false), subject: asked, service: service)
        picked.account = account
        consents.allow(picked)
        #expect(consents.items(for: asked) == [item] && consents.items(for: other) == [])
        #expect(consents.pick(of: service, toSave: false, for: asked)?.account == account)
        #expect(consents.pick(of: service, toSave: false, for: other) == nil)
        #expect(consents.pick(of: service, toSave: true, for: asked) == nil)
        #expect(consents.contains(picked))
        consents.noteBroughtProof()
        consents.noteProof()
        consents.vaultWasReplaced()
        #expect(consents.items(for: asked) == [] && !consents.contains(picked))
        #expect(consents.proof == .lost, "the proof was for the former vault")
    }
}
