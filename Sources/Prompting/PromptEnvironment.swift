// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux

/// Where a prompt is shown: the display of the user's session, or a terminal. Never what the requesting program claims.
package struct PromptEnvironment: Hashable, Sendable {
    package struct Terminal: Hashable, Sendable {
        /// `/dev/pts/3`.
        package let path: String
        /// Its terminfo name: `xterm-256color`.
        package let type: String

        package init(path: String, type: String) {
            self.path = path
            self.type = type
        }

        /// Whether it exists, and is this user's.
        var isOwn: Bool { af_is_own_terminal(path) == 1 }
    }

    /// The variables of a session that a prompter needs to show itself, and no others: none that loads code.
    private static let variables = [
        "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "XDG_SESSION_TYPE",
        "XDG_CURRENT_DESKTOP",
    ]
    private static let languages = ["LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES"]
    /// A directory that does not exist, and that only root could create: from the user's own, toolkits load modules and
    /// interpreters packages.
    private static let home = "/nonexistent"

    let environment: [String: String]
    let terminal: Terminal?

    /// - Parameter session: the environment of the user's session, of which only the needed variables are used.
    package init(session: [String: String], terminal: Terminal? = nil) {
        var environment = ["PATH": "/usr/bin:/bin", "HOME": Self.home]
        for name in Self.variables { environment[name] = session[name] }
        // Where X searches for it by default.
        if environment["DISPLAY"] != nil, environment["XAUTHORITY"] == nil, let home = session["HOME"] {
            environment["XAUTHORITY"] = home + "/.Xauthority"
        }
        // The address of a bus may also be a command, which is run.
        let addresses = environment["DBUS_SESSION_BUS_ADDRESS"]?.split(separator: ";") ?? []
        if !addresses.allSatisfy({ $0.hasPrefix("unix:") }) { environment["DBUS_SESSION_BUS_ADDRESS"] = nil }
        // A value with a slash names a directory, which would supply the prompter's own texts.
        for name in Self.languages where session[name]?.contains("/") == false { environment[name] = session[name] }
        self.environment = environment
        self.terminal = terminal
    }

    /// The same on a terminal, without the display.
    func on(_ terminal: Terminal) -> PromptEnvironment {
        var session = environment
        session["DISPLAY"] = nil
        session["WAYLAND_DISPLAY"] = nil
        return PromptEnvironment(session: session, terminal: terminal)
    }

    var hasDisplay: Bool { environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil }

    /// The options that are sent to a pinentry with OPTION.
    var options: [(name: String, value: String)] {
        let kind = environment["LC_ALL"] ?? environment["LC_CTYPE"] ?? environment["LANG"] ?? "C.UTF-8"
        let messages = environment["LC_ALL"] ?? environment["LC_MESSAGES"] ?? environment["LANG"] ?? "C.UTF-8"
        var options = [("lc-ctype", kind), ("lc-messages", messages)]
        if let display = environment["DISPLAY"] { options.append(("display", display)) }
        if let terminal { options += [("ttyname", terminal.path), ("ttytype", terminal.type)] }
        return options
    }
}
