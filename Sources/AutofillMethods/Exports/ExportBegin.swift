// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension ExportBegin: JudgedCall {
    typealias Area = ExportMethods

    func judge(_ views: ExportViews, _ request: RequestView) throws(Unsettled) -> BegunExport {
        try views.saved.requireOpenVault()
        let only = try only.map { only throws(Unsettled) in
            try views.sites.service(only, request, member: "only")
        }
        return try views.access.beginExport(of: only, at: views.now, request)
    }

    func act(on export: BegunExport, _ effects: ExportEffects) throws(Refusal) -> Changed {
        effects.keep(export)
        return Changed(true)
    }
}

extension ExportRead: JudgedCall {
    typealias Area = ExportMethods

    struct Decision: Sendable {
        let export: BegunExport
        let exported: [(sealed: Sealed<Credential>, permit: Permit)]
        let next: ObjectID?
    }

    func judge(_ views: ExportViews, _ request: RequestView) throws(Unsettled) -> Decision {
        try views.saved.requireOpenVault()
        let after: ObjectID? = try page.after()
        let export = try views.access.export(after: after, at: views.now, request)
        let found = try views.saved.exported(export, after: after, limit: page.limit)
        let exported = try found.elements.map { sealed throws(Unsettled) in
            (sealed, try views.access.toExport(sealed, of: export))
        }
        return Decision(export: export, exported: exported, next: found.next)
    }

    /// After the last page nothing more can be read.
    func act(on decision: Decision, _ effects: ExportEffects) throws(Refusal) -> Answer {
        let entries = try effects.releases.open(decision.exported).map(ImportedEntry.init)
        effects.keep(decision.export.continued(at: decision.next))
        return Answer(entries: entries, next: decision.next?.description)
    }
}
