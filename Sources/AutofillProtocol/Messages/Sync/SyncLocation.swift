// SPDX-License-Identifier: Apache-2.0

/// Where machines exchange their files: a folder that another program carries, or a git remote.
package enum SyncLocation: VariantMessage, Hashable {
    package enum Kind: String, CaseIterable, Sendable { case folder, git }

    /// An absolute path.
    case folder(String)
    /// A URL as git accepts it.
    case git(String)

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        switch try field.variant("type", \.kind, "What carries the files.") {
        case .folder:
            return .folder(
                try field("path", \.text, .path, "The absolute path of the folder, which has to exist."))
        case .git:
            return .git(try field("url", \.text, .string(1...Limits.pathBytes), "The URL of the git remote."))
        }
    }

    package var kind: Kind {
        switch self {
        case .folder: .folder
        case .git: .git
        }
    }

    private var text: String {
        switch self {
        case .folder(let text), .git(let text): text
        }
    }
}

extension WireType where Self == VariantType<SyncLocation> {
    package static var syncLocation: Self { VariantType(SyncLocation.Kind.allCases) }
}
