// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import AssociationFetch
import AutofillProtocol
import Foundation

/// The files of a site: what is read of them is what Foundation reads in the same bytes, and the daemon receives it
/// unchanged.
enum AssociationTarget {
    static let seeds = [
        #"{"applinks":{"details":[]},"webcredentials":{"apps":["ABCDE12345.org.example.Shop","linux.org.example.Shop"]}}"#,
        #"{"webcredentials":{"apps":["linux.org.example.Shop","linux.","linux.com.apple.x","linux.a-b._c","\u006c.x"]}}"#,
        #"{"webcredentials":{"apps":["linux.org.freedesktop.secrets.x","linux.program.shop.1","linux.Script.x"]}}"#,
        """
        [{"relation":["delegate_permission/common.get_login_creds"],
        "target":{"namespace":"linux_app","bundle_id":"org.example.Shop"}},{"target":{"namespace":"web","site":"https://a.b"}}]
        """,
    ].map { Array($0.utf8) }

    static func run(_ input: [UInt8]) throws {
        for file in AssociationFile.allCases {
            do {
                let association = try file.association(in: input)
                try hold(association, against: expected(file, input))
                try handOver(association, of: file)
            } catch SiteAssociationError.notJSON(let problem, let offset) {
                try require(!problem.isEmpty && (0...input.count).contains(offset), "\(problem), at byte \(offset)")
            } catch let error as SiteAssociationError {
                if case .read(let wanted) = expected(file, input) {
                    try require(wanted == nil, "refused (\(error.reason)), though it lists \(wanted?.apps ?? [])")
                }
            }
        }
    }

    private struct Listing: Hashable {
        var apps: [String] = []
        var malformed = 0
    }

    private enum Reading {
        /// nil where it is no association.
        case read(Listing?)
        /// Foundation does not hold numbers that are too large for it; their text is theirs.
        case unread
    }

    private static func hold(_ association: SiteAssociation, against reading: Reading) throws {
        guard case .read(let wanted) = reading else { return }
        let found = Listing(apps: association.apps.map(\.text), malformed: association.malformed)
        try require(found == wanted, "\(found), and Foundation's is \(wanted.map { "\($0)" } ?? "refused")")
        for app in association.apps { try require(association.lists(app), "\(app) is in the list and not listed") }
    }

    private static func expected(_ file: AssociationFile, _ bytes: [UInt8]) -> Reading {
        guard let object = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed) else {
            return .unread
        }
        guard let names = file == .apple ? entries(object) : statements(object) else { return .read(nil) }
        var listing = Listing()
        for name in names {
            if !isBundleID(name) {
                listing.malformed += 1
            } else if !listing.apps.contains(name) {
                listing.apps.append(name)
            }
        }
        return .read(listing.apps.count <= SiteAssociation.appLimit ? listing : nil)
    }

    private static func entries(_ object: Any) -> [String]? {
        let service = (object as? [String: Any])?["webcredentials"] as? [String: Any]
        guard let entries = service?["apps"] as? [Any] else { return nil }
        let texts = entries.compactMap(text)
        guard texts.count == entries.count else { return nil }
        return texts.filter { $0.utf8.starts(with: "linux.".utf8) }.map { String($0.unicodeScalars.dropFirst(6)) }
    }

    private static func statements(_ object: Any) -> [String]? {
        guard let statements = object as? [Any] else { return nil }
        var names: [String] = []
        for statement in statements {
            guard let statement = statement as? [String: Any] else { return nil }
            guard let target = statement["target"] as? [String: Any], text(target["namespace"]) == "linux_app" else {
                continue
            }
            guard let relations = statement["relation"] as? [Any] else { return nil }
            guard relations.contains(where: { text($0) == "delegate_permission/common.get_login_creds" }) else {
                continue
            }
            guard let name = text(target["bundle_id"]) else { return nil }
            names.append(name)
        }
        return names
    }

    /// A string of JSON; one with a NUL is none to the product.
    private static func text(_ value: Any?) -> String? {
        guard let text = value as? String, !text.utf8.contains(0) else { return nil }
        return text
    }

    private static func isBundleID(_ name: String) -> Bool {
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let letters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-".utf8)
        let prefixes = ["org.autofilld.", "com.apple.", "org.freedesktop.secrets.", "program.", "script."]
        let reserved = prefixes.contains { (name.lowercased() + ".").hasPrefix($0) }
        return !reserved && name.utf8.count <= 255 && !name.hasPrefix("-") && labels.count > 1
            && labels.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(letters.contains) }
    }

    /// What `autofill-associations` makes of it, and the daemon reads.
    private static func handOver(_ association: SiteAssociation, of file: AssociationFile) throws {
        let read = AssociationFileReport(
            file: file.rawValue, status: 200, failure: nil, detail: nil, apps: association.apps.map(\.text))
        let report = AssociationReport(
            domain: "shop.example.com", mode: .standard, validSeconds: 3600, files: [read, read])
        let line = report.line
        try require(line.firstIndex(of: 0x0A) == line.count - 1, "the report is not one line")
        try require(line.count <= AssociationReport.lineBytes, "a report of \(line.count) bytes")
        try require(AssociationReport(line: line) == report, "another report arrives")
        for app in read.apps { try require(report.lists(app), "\(app) gets lost on the way") }
    }
}
