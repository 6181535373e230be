// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import AutofillService
internal import ConfigurationFiles

extension DomainList: JudgedCall {
    typealias Area = DomainMethods
    typealias Decision = Answer

    func promptText(_ views: DomainViews) -> String? {
        "list the domains of \(bundleID.map { "the app \(shown($0))" } ?? "all apps")"
    }

    func judge(_ views: DomainViews, _ request: RequestView) throws(Unsettled) -> Answer {
        try views.saved.requireOpenVault()
        let registrations: [Registration]
        if request.isProven, bundleID == nil {
            try request.requireReadFiles()
            registrations = views.apps.catalog.registrations
        } else {
            registrations = [try views.registration(asked: bundleID, request)]
        }
        let entries = registrations.flatMap { app in app.entitlements.associatedDomains.map { (app, $0) } }
        let start = try page.offset()
        var domains: [DomainReport] = []
        for (app, entry) in entries.dropFirst(start).prefix(page.limit) {
            let statements = try views.associations.statements(app, entry, named: entry.name)
            domains.append(views.report(app, entry, statements))
        }
        let end = start + domains.count
        return Answer(domains: domains, next: end < entries.count ? "\(end)" : nil)
    }
}
