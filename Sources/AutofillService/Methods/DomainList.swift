// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import ConfigurationFiles

extension DomainList: PromptedCall {
    func promptSummary(_ modules: Modules) -> String {
        "list the domains of \(bundleID.map { "the app \(shown($0))" } ?? "all apps")"
    }

    func perform(_ request: RequestContext, _ modules: Modules) async throws(RefusedRequest) -> Answer {
        try await modules.decide(request) { () throws(RefusedRequest) in _ = try modules.vault.unlocked() }
        let registrations: [Registration]
        if request.isProven, bundleID == nil {
            try request.willWait()
            await modules.apps.look()
            registrations = modules.apps.catalog.registrations
        } else {
            registrations = [try await modules.registration(asked: bundleID, request)]
        }
        let entries = registrations.flatMap { app in app.entitlements.associatedDomains.map { (app, $0) } }
        let start = try page.offset()
        return try await modules.decide(request) { () throws(RefusedRequest) in
            var domains: [DomainReport] = []
            for (app, entry) in entries.dropFirst(start).prefix(page.limit) {
                let statements = try modules.associations.statements(app, entry, named: entry.name)
                domains.append(modules.report(app, entry, statements))
            }
            let end = start + domains.count
            return Answer(domains: domains, next: end < entries.count ? "\(end)" : nil)
        }
    }
}
