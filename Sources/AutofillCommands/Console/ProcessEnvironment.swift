// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The environment variables that autofillctl reads.
package struct ProcessEnvironment: Sendable {
    package private(set) var variables: [String: String]

    package init(_ variables: [String: String]) { self.variables = variables }

    package subscript(name: String) -> String? { variables[name] }

    /// Of this process.
    package static let current: ProcessEnvironment = {
        let names = [
            "HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "AUTOFILLD_SOCKET", "PATH", "TMPDIR",
            "NO_COLOR", "TERM", "WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY", "GIT_CONFIG_GLOBAL", "DOCKER_CONFIG",
            "CARGO_HOME", "DBUS_SESSION_BUS_ADDRESS", "GNUPGHOME", "GPG_TTY",
        ]
        var variables: [String: String] = [:]
        for name in names {
            if let value = getenv(name) { variables[name] = String(cString: value) }
        }
        return ProcessEnvironment(variables)
    }()
}
