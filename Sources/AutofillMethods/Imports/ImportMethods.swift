// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// The methods `admin.import.*`.
struct ImportMethods: MethodArea {
    let views: ImportViews
    let imports: Imports

    init(_ imports: Imports, _ sites: Sites) {
        self.imports = imports
        views = ImportViews(imports: imports, sites: sites)
    }

    func effects(for request: RequestContext) -> ImportEffects { ImportEffects(imports: imports, request: request) }
}

struct ImportViews {
    let imports: Imports
    let sites: Sites
}

struct ImportEffects {
    private let imports: Imports
    private let request: RequestContext

    init(imports: Imports, request: RequestContext) { (self.imports, self.request) = (imports, request) }

    func begin() { imports.begin(request) }

    /// Adds entries to the import of the connection; how many it has then.
    func add(_ entries: [ImportEntry]) throws(Refusal) -> Int { try imports.add(entries, request) }
}

extension ImportFinding {
    init(_ row: ImportRow) {
        let credential = row.entry.credential
        let first = credential.service
        self.init(
            entry: row.position + 1, line: row.entry.line, title: credential.details.label, user: credential.user,
            service: first.kind.isOfSites ? ServiceIdentifier(first) : nil,
            outcome: row.remark?.outcome.rawValue ?? "conflict", component: row.remark?.component.rawValue,
            changed: credential.changed.milliseconds > 0 ? credential.changed.description : nil,
            saved: row.saved?.description)
    }
}
