// SPDX-License-Identifier: Apache-2.0

/// Where a prompt is shown: the display of the user's session, or a terminal. Never what the asking program says.
package struct PromptSurroundings: Hashable, Sendable {
    package struct Terminal: Hashable, Sendable {
        /// `/dev/pts/3`.
        package let path: String
        /// What it is to terminfo: `xterm-256color`.
        package let type: String

        package init(path: String, type: String) {
            self.path = path
            self.type = type
        }
    }

    /// The variables of a session that a prompter needs to show itself, and no others: none that loads code.
    static let variables = [
        "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "XDG_SESSION_TYPE",
        "XDG_CURRENT_DESKTOP", "HOME", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES",
    ]

    let environment: [String: String]
    let terminal: Terminal?

    /// - Parameter session: the environment of the user's session; what is not needed of it is left out.
    package init(session: [String: String], terminal: Terminal? = nil) {
        var environment = ["PATH": "/usr/bin:/bin"]
        for name in Self.variables { environment[name] = session[name] }
        self.environment = environment
        self.terminal = terminal
    }

    var hasDisplay: Bool { environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil }

    /// What a pinentry is told with OPTION.
    var options: [(name: String, value: String)] {
        let kind = environment["LC_ALL"] ?? environment["LC_CTYPE"] ?? environment["LANG"] ?? "C.UTF-8"
        let messages = environment["LC_ALL"] ?? environment["LC_MESSAGES"] ?? environment["LANG"] ?? "C.UTF-8"
        var options = [("lc-ctype", kind), ("lc-messages", messages)]
        if let display = environment["DISPLAY"] { options.append(("display", display)) }
        if let terminal { options += [("ttyname", terminal.path), ("ttytype", terminal.type)] }
        return options
    }
}
