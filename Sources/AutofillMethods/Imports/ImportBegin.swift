// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension ImportBegin: JudgedCall {
    typealias Area = ImportMethods

    /// Nothing is left to decide.
    struct Decision: Sendable {}

    func judge(_ views: ImportViews, _ request: RequestView) throws(Unsettled) -> Decision {
        try views.imports.requireOpenVault()
        try views.imports.requireNoWork()
        return Decision()
    }

    func act(on decision: Decision, _ effects: ImportEffects) throws(Refusal) -> Changed {
        effects.begin()
        return Changed(true)
    }
}

extension ImportAdd: JudgedCall {
    typealias Area = ImportMethods

    func judge(_ views: ImportViews, _ request: RequestView) throws(Unsettled) -> [ImportEntry] {
        let staging = try views.imports.staging(request)
        guard staging.hasCapacity(for: entries.count) else {
            throw .invalid(
                "entries", because: "The import has \(staging.count) entries, and more do not fit.",
                fix: "Divide the file into several imports")
        }
        return entries.map { $0.staged(by: request.administrator, at: views.sites) }
    }

    func act(on entries: [ImportEntry], _ effects: ImportEffects) throws(Refusal) -> Answer {
        Answer(count: try effects.add(entries))
    }
}
