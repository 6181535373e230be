// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains

/// Where autofilld's files are: the XDG base directory specification (0.8), applied only here. A relative path in an
/// XDG variable counts as unset, by the specification.
package struct StandardPaths: Hashable, Sendable {
    /// The administrator's settings.
    package static let systemSettings = "/etc/autofilld/settings.json"
    /// Where packages install files, a local installation for all users, and the administrator. A later directory precedes
    /// an earlier one.
    private static let systemDirectories = ["/usr/share/autofilld", "/usr/local/share/autofilld", "/etc/autofilld"]
    /// Their registrations.
    package static let systemRegistrations = systemDirectories.map { $0 + "/apps" }
    /// The files that name the delegates; a later one replaces an earlier one of the same name.
    package static let systemDelegates = systemDirectories.map { $0 + "/delegates" }
    /// The files that name families of programs that share what they store through Secret Service, in the same way.
    package static let systemSecretFamilies = systemDirectories.map { $0 + "/secret-families" }
    /// Bytes of a socket's path: `sun_path` without the closing NUL (unix(7)).
    package static let socketLimit = 107

    private let home: String?
    private let dataHome: String?
    private let configurationHome: String?
    private let runtimeDirectory: String?
    private let namedSocket: String?
    private let namedDataDirectory: String?

    /// - Parameters:
    ///   - environment: the process's, as a value.
    ///   - dataDirectory: from the option `--data-directory`; replaces `$XDG_DATA_HOME/autofilld`.
    package init(environment: [String: String], dataDirectory: String? = nil) {
        func absolute(_ name: String) -> String? {
            environment[name].flatMap { $0.hasPrefix("/") ? Self.withoutTrailingSlashes($0) : nil }
        }
        home = absolute("HOME")
        dataHome = absolute("XDG_DATA_HOME")
        configurationHome = absolute("XDG_CONFIG_HOME")
        runtimeDirectory = absolute("XDG_RUNTIME_DIR")
        namedSocket = environment["AUTOFILLD_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
        namedDataDirectory = dataDirectory.map(Self.withoutTrailingSlashes)
    }

    /// `$XDG_DATA_HOME/autofilld`.
    package var dataDirectory: String {
        get throws(StandardPathsError) {
            if let namedDataDirectory { return namedDataDirectory }
            return try directory(dataHome, or: ".local/share") + "/autofilld"
        }
    }

    /// The user's own registrations.
    package var userRegistrations: String {
        get throws(StandardPathsError) { try dataDirectory + "/apps" }
    }

    /// Public data about sites, as stored by `autofillctl quirks import`.
    package var siteKnowledge: String {
        get throws(StandardPathsError) { try dataDirectory + "/site-knowledge.json" }
    }

    /// All directories of registrations, the later ones before the earlier ones where both are of one owner.
    package var registrationDirectories: [String] {
        get throws(StandardPathsError) { try Self.systemRegistrations + [userRegistrations] }
    }

    /// `$XDG_CONFIG_HOME/autofilld/settings.json`.
    package var settings: String {
        get throws(StandardPathsError) {
            try directory(configurationHome, or: ".config") + "/autofilld/settings.json"
        }
    }

    /// `$AUTOFILLD_SOCKET`, else `$XDG_RUNTIME_DIR/autofilld/socket`.
    package var socket: String {
        get throws(StandardPathsError) {
            if let namedSocket, !namedSocket.hasPrefix("/") { throw .relativeSocket(namedSocket) }
            guard let path = namedSocket ?? runtimeDirectory.map({ $0 + "/autofilld/socket" }) else {
                throw .noRuntimeDirectory
            }
            guard path.utf8.count <= Self.socketLimit else { throw .socketTooLong(path) }
            return path
        }
    }

    /// `$XDG_RUNTIME_DIR/autofill-associations/socket`; nil where there is no login session.
    package var associationsSocket: String? { runtimeDirectory.map { $0 + "/autofill-associations/socket" } }

    private func directory(_ named: String?, or pathInHome: String) throws(StandardPathsError) -> String {
        if let named { return named }
        guard let home else { throw .noHome }
        return (home == "/" ? "" : home) + "/" + pathInHome
    }
}

extension StandardPaths {
    /// `/a/` as `/a`; the root is unchanged.
    private static func withoutTrailingSlashes(_ path: String) -> String {
        var text = path[...]
        while text.utf8.count > 1, text.hasSuffix("/") { text.removeLast() }
        return String(text)
    }
}

/// Why a standard path is unknown.
package enum StandardPathsError: Explained, Hashable {
    case noHome
    case noRuntimeDirectory
    case relativeSocket(String)
    case socketTooLong(String)

    package var reason: String {
        switch self {
        case .noHome: "HOME is not set to an absolute path."
        case .noRuntimeDirectory: "XDG_RUNTIME_DIR is not set to an absolute path: there is no login session."
        case .relativeSocket(let path): "AUTOFILLD_SOCKET is the relative path \(path.quoted)."
        case .socketTooLong(let path): "The socket's path \(path.quoted) has \(path.utf8.count) bytes."
        }
    }

    package var fix: String {
        switch self {
        case .noHome: "Set HOME to the user's home directory."
        case .noRuntimeDirectory: "Log in through a session manager, or set AUTOFILLD_SOCKET to the socket's path."
        case .relativeSocket: "Set it to the whole path, from the root."
        case .socketTooLong: "Choose a path of \(StandardPaths.socketLimit) bytes at most."
        }
    }
}
