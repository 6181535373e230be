// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol

extension AssociationReport {
    /// A site that answers, and lists these apps.
    package static func listing(
        _ apps: [String], to query: AssociationQuery, validSeconds: Int = 86_400
    ) -> AssociationReport {
        AssociationReport(
            domain: query.domain, mode: query.mode, validSeconds: validSeconds,
            files: [
                AssociationFileReport(
                    file: "apple-app-site-association", status: 200, failure: nil, detail: nil, apps: apps),
                AssociationFileReport(
                    file: "assetlinks.json", status: 404, failure: .status, detail: "HTTP status 404", apps: []),
            ])
    }

    /// A site that answers, and lists these apps in its second file: its first one cannot be fetched for now.
    package static func partly(listing apps: [String], to query: AssociationQuery) -> AssociationReport {
        AssociationReport(
            domain: query.domain, mode: query.mode, validSeconds: 86_400,
            files: [
                AssociationFileReport(
                    file: "apple-app-site-association", status: 503, failure: .status, detail: "HTTP status 503",
                    apps: []),
                AssociationFileReport(file: "assetlinks.json", status: 200, failure: nil, detail: nil, apps: apps),
            ])
    }

    /// A site that is broken.
    package static func failing(_ query: AssociationQuery) -> AssociationReport {
        AssociationReport(
            domain: query.domain, mode: query.mode, validSeconds: 0,
            files: ["apple-app-site-association", "assetlinks.json"].map {
                AssociationFileReport(file: $0, status: 503, failure: .status, detail: "HTTP status 503", apps: [])
            })
    }
}
