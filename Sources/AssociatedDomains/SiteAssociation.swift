// SPDX-License-Identifier: Apache-2.0

/// A site's statement: the Linux apps that may use what is saved for it. A plain value; the module that fetches files
/// parses their bytes.
package struct SiteAssociation: Hashable, Sendable {
    /// The prefix of the bundle ID in `apple-app-site-association`. Apple has its team's identifier there, ten letters
    /// and digits, so that an entry for an Apple app never approves a Linux app.
    package static let applePrefix = "linux."
    /// Apps of one site at most.
    package static let appLimit = 1000

    /// In the order of the file, none twice.
    package private(set) var apps: [BundleIdentifier] = []
    /// Entries that were meant for Linux, and name no bundle ID.
    package private(set) var malformed = 0
    private var listed: Set<BundleIdentifier> = []

    package init() {}

    package func lists(_ app: BundleIdentifier) -> Bool { listed.contains(app) }

    /// Adds an entry of `webcredentials.apps`. Those of other platforms are passed over.
    package mutating func add(appleEntry entry: String) throws(SiteAssociationError) {
        guard entry.utf8.starts(with: Self.applePrefix.utf8) else { return }
        try add(String(entry.dropFirst(Self.applePrefix.count)))
    }

    /// Adds the bundle ID of a statement of `assetlinks.json`.
    package mutating func add(_ text: String) throws(SiteAssociationError) {
        guard let app = try? BundleIdentifier(text) else {
            malformed += 1
            return
        }
        guard listed.insert(app).inserted else { return }
        guard apps.count < Self.appLimit else { throw .tooManyApps }
        apps.append(app)
    }
}

/// Why a file of a site is no association.
package enum SiteAssociationError: Explained, Hashable {
    /// The JSON scanner's error, and its byte offset.
    case notJSON(String, offset: Int)
    /// A member is missing, by its path.
    case missing(String)
    /// A value is of another type: its path (empty for the whole), and what is wanted there.
    case wrongType(String, wanted: String)
    case tooManyApps

    package var reason: String {
        switch self {
        case .notJSON(let problem, let offset): "It is not JSON: \(problem), at byte \(offset)."
        case .missing(let path): "It has no \(path)."
        case .wrongType("", let wanted): "It is not \(wanted)."
        case .wrongType(let path, let wanted): "Its \(path) is not \(wanted)."
        case .tooManyApps: "It lists over \(SiteAssociation.appLimit) apps for Linux."
        }
    }

    package var fix: String {
        switch self {
        case .notJSON: "Serve the file as JSON (RFC 8259), in UTF-8, without a signature around it."
        case .missing, .wrongType: "Write {\"webcredentials\": {\"apps\": [\"linux.BUNDLE-ID\"]}}."
        case .tooManyApps: "Keep it to \(SiteAssociation.appLimit)."
        }
    }
}
