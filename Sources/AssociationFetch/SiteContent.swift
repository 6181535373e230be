// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol

/// A file that was read, and how long the site lets it be used.
struct SiteContent {
    let association: SiteAssociation
    let seconds: Int
}

/// The result for one file of a site.
struct SiteReading {
    let file: AssociationFile
    let result: Result<SiteContent, FetchFailure>
}

extension AssociationReport {
    /// No file could be asked for.
    init(_ query: AssociationQuery, failure: FetchFailure) {
        self.init(query, readings: AssociationFile.allCases.map { SiteReading(file: $0, result: .failure(failure)) })
    }

    init(_ query: AssociationQuery, readings: [SiteReading]) {
        let seconds = readings.compactMap { try? $0.result.get().seconds }
        self.init(
            domain: query.domain, mode: query.mode, validSeconds: seconds.min() ?? 0,
            files: readings.map(AssociationFileReport.init))
    }
}

extension AssociationFileReport {
    fileprivate init(_ reading: SiteReading) {
        switch reading.result {
        case .success(let content):
            let malformed = content.association.malformed
            self.init(
                file: reading.file.rawValue, status: 200, failure: nil,
                detail: malformed == 0 ? nil : "\(malformed) entries for Linux name no bundle ID",
                apps: content.association.apps.map(\.text))
        case .failure(let failure):
            self.init(
                file: reading.file.rawValue, status: failure.status, failure: failure.kind, detail: failure.detail,
                apps: [])
        }
    }
}
