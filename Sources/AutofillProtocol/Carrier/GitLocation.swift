// SPDX-License-Identifier: Apache-2.0

/// The remote repository: a path, `file`, `ssh`, `http` or `https`, or `host:path`.
package struct GitLocation: Hashable, Sendable {
    package let url: String
    /// Whether it is on a file system of this machine: then this machine runs git's other side too.
    package let isLocal: Bool

    package init(_ url: String) throws(GitLocationError) {
        // git would read it as an option, as a transport's address (`ext::command`), or as several arguments of ssh.
        guard !url.isEmpty, url.utf8.first != UInt8(ascii: "-"), !Self.namesTransport(url),
            url.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { throw .notAllowed }
        self.url = url
        guard let mark = url.firstRange(of: "://") else {
            isLocal = url.utf8.first == UInt8(ascii: "/")
            if !isLocal { try Self.check(hostPath: url) }
            return
        }
        let scheme = url[..<mark.lowerBound]
        guard Self.schemes.contains(String(scheme)) else { throw .notAllowed }
        isLocal = scheme == "file"
        let authority = url[mark.upperBound...].prefix { $0 != "/" }
        guard isLocal || !authority.isEmpty, authority.utf8.first != UInt8(ascii: "-") else { throw .notAllowed }
        // It would be shown by every list of processes.
        if let at = authority.lastIndex(of: "@"), authority[..<at].contains(":") { throw .hasPassword }
    }

    private static let schemes: Set = ["file", "ssh", "http", "https"]

    /// `TRANSPORT::ADDRESS`.
    private static func namesTransport(_ url: String) -> Bool {
        url.drop { $0.isLetter || $0.isNumber || "+-.".contains($0) }.hasPrefix("::")
    }

    /// `user@host:path`: what ssh(1) connects to precedes the first colon, and has no slash.
    private static func check(hostPath url: String) throws(GitLocationError) {
        guard let colon = url.firstIndex(of: ":"), colon != url.startIndex, !url[..<colon].contains("/") else {
            throw .notAllowed
        }
    }
}

package enum GitLocationError: Error, Hashable, CustomStringConvertible {
    case notAllowed
    case hasPassword

    package var description: String {
        switch self {
        case .notAllowed: "the repository is neither an absolute path nor a URL of ssh, https, http or file"
        case .hasPassword: "the repository's URL contains a password"
        }
    }
}
