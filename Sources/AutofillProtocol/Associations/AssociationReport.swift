// SPDX-License-Identifier: Apache-2.0

/// The answer of `autofill-associations`: the result for each file, one object a line.
package struct AssociationReport: Message, Hashable {
    /// Bytes of one line at most: the most apps that two files can list.
    package static let lineBytes = 1 << 20

    package let domain: String
    package let mode: AssociationQuery.Mode
    package let validSeconds: Int
    package let files: [AssociationFileReport]

    package init(domain: String, mode: AssociationQuery.Mode, validSeconds: Int, files: [AssociationFileReport]) {
        (self.domain, self.mode, self.validSeconds, self.files) = (domain, mode, validSeconds, files)
    }

    /// Whether the site answered: one of its files was fetched and understood.
    package var isAnswered: Bool { files.contains { $0.failure == nil } }

    /// Whether one of its files could not be fetched for now: it may list what the others do not.
    package var isPartial: Bool { isAnswered && files.contains(where: \.mayComeLater) }

    /// The same, with what an earlier report has of the files that could not be fetched for now.
    package func completed(by earlier: AssociationReport) -> AssociationReport {
        let files = files.map { file in
            file.mayComeLater ? earlier.files.first { $0.file.utf8.elementsEqual(file.file.utf8) } ?? file : file
        }
        return AssociationReport(domain: domain, mode: mode, validSeconds: validSeconds, files: files)
    }

    package func lists(_ app: String) -> Bool {
        files.contains { file in file.apps.contains { $0.utf8.elementsEqual(app.utf8) } }
    }

    /// The fetching program was not available.
    package static func unavailable(_ query: AssociationQuery, _ detail: String) -> AssociationReport {
        let failure = AssociationFailure.unavailable
        return AssociationReport(
            domain: query.domain, mode: query.mode, validSeconds: 0,
            files: [
                AssociationFileReport(
                    file: "apple-app-site-association", status: nil, failure: failure,
                    detail: "\(failure.meaning): \(detail)", apps: [])
            ])
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            domain: try field("domain", \.domain, .string(1...253), "The domain."),
            mode: try field(
                "mode", \.mode, .choice(), "Whether a test certificate authority is accepted for the site."),
            validSeconds: try field(
                "validSeconds", \.validSeconds, .integer(0...Limits.associationSeconds.upperBound),
                "How long the answer may be used, in seconds; 0 where no file could be read."),
            files: try field("files", \.files, .objects(limit: 8), "The result for each file."))
    }
}

/// The result for one file of a site.
package struct AssociationFileReport: Message, Hashable {
    package let file: String
    package let status: Int?
    /// An `AssociationFailure`, or one of a later version.
    package let failure: String?
    package let detail: String?
    package let apps: [String]

    package init(file: String, status: Int?, failure: AssociationFailure?, detail: String?, apps: [String]) {
        self.init(file: file, status: status, failureName: failure?.rawValue, detail: detail, apps: apps)
    }

    package init(file: String, status: Int?, failureName: String?, detail: String?, apps: [String]) {
        (self.file, self.status, self.failure, self.detail, self.apps) = (file, status, failureName, detail, apps)
    }

    /// The failure, unless it is one of a later version.
    package var failureKind: AssociationFailure? { failure.flatMap(AssociationFailure.init(rawValue:)) }

    /// Whether another attempt may read it, though the site has changed nothing.
    fileprivate var mayComeLater: Bool {
        switch failureKind {
        case .notReached, .timedOut, .tlsFailed, .httpInvalid, .nameNotFound, .unavailable: true
        case .status: status == 429 || status ?? 0 >= 500
        default: false
        }
    }

    /// The failure in a sentence, or its name if it is one of a later version.
    package var failureText: String? { detail ?? failureKind?.meaning ?? failure }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            file: try field("file", \.file, .string(1...64), "Its name below `/.well-known/`."),
            status: try field(
                optional: "status", \.status, .integer(0...999), "The HTTP status, when there was an answer."),
            failureName: try field(
                optional: "failure", \.failure, .word(Words.associationFailures, 1...64), "Absent where it was read."),
            detail: try field(optional: "detail", \.detail, .string(0...1024), "The failure, for people."),
            apps: try field("apps", \.apps, .strings(), "The bundle IDs of the apps that it lists."))
    }
}

/// Why a site's file could not be used. The raw value is on the wire and in protocol.md.
package enum AssociationFailure: String, CaseIterable, Sendable {
    case nameNotAllowed = "name-not-allowed"
    case nameNotFound = "name-not-found"
    case addressNotPublic = "address-not-public"
    case notReached = "not-reached"
    case timedOut = "timed-out"
    case certificateInvalid = "certificate-invalid"
    case certificateNameWrong = "certificate-name-wrong"
    case tlsFailed = "tls-failed"
    case httpInvalid = "http-invalid"
    case redirected = "redirected"
    case status = "status"
    case tooLarge = "too-large"
    case notJSON = "not-json"
    case notAnAssociation = "not-an-association"
    case unavailable = "unavailable"

    /// What it means, for protocol.md and for people.
    package var meaning: String {
        switch self {
        case .nameNotAllowed: "The domain is no full name of a host"
        case .nameNotFound: "The name has no address, or the name server did not say"
        case .addressNotPublic: "The name leads to no public address; nothing was sent there"
        case .notReached: "No connection could be made"
        case .timedOut: "It took over 10 seconds in all"
        case .certificateInvalid: "The certificate has expired, or is from no authority that this machine trusts"
        case .certificateNameWrong: "The certificate is for another name"
        case .tlsFailed: "The encrypted connection could not be made"
        case .httpInvalid: "The answer was not HTTP, or ended early"
        case .redirected: "The site answered with a redirect, which is never followed"
        case .status: "The HTTP status was not 200"
        case .tooLarge: "The file has over 128 KiB"
        case .notJSON: "The file is not JSON"
        case .notAnAssociation: "The file is JSON, but not of the shape that is wanted"
        case .unavailable: "autofill-associations cannot be reached"
        }
    }
}
