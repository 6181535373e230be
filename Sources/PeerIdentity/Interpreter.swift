// SPDX-License-Identifier: Apache-2.0

/// A program that runs other programs: its own file does not identify the requester.
package struct Interpreter: Hashable, Sendable {
    /// The family, for users: `python`, `electron`.
    package let family: String

    package init(family: String) { self.family = family }

    /// Electron started from a directory that holds an app for it.
    package static let electron = Interpreter(family: "electron")

    /// A program whose requests another one may make too.
    static let shared = Interpreter(family: "shared")

    /// A tool that sends messages to the session's bus for the program that starts it, or for what that runs.
    private static let carrier = Interpreter(family: "carrier")

    /// Whether it does nothing of its own: it sends what it is given.
    package var isCarrier: Bool { self == Self.carrier || family == "relay" }

    /// Recognises an interpreter by its file's name: `python3.11`, `gjs-console`, `ld-linux-x86-64.so.2`.
    package init?(fileName: String) {
        var name = fileName.lowercased()[...]
        // RHEL's own Python.
        if name.hasPrefix("platform-python") { name = name.dropFirst("platform-".count) }
        if Self.carriers.contains(where: { name.hasPrefix($0) }) {
            self = Self.carrier
            return
        }
        if let prefix = Self.prefixes.first(where: { name.hasPrefix($0) }) {
            self.init(family: String(prefix.prefix { $0.isLetter }))
            return
        }
        let stem = name.prefix { $0.isLetter }
        let rest = name.dropFirst(stem.count)
        guard let family = Self.families[String(stem)],
            Self.isVersion(family == "python" ? Self.withoutBuild(rest) : rest) || Self.isBuild(rest)
        else { return nil }
        self.init(family: family)
    }

    /// Names that go on after a hyphen in ways that a version does not.
    private static let prefixes = [
        "gjs-console", "cjs-console", "ld-", "ld.", "qemu-", "php-cgi", "php-fpm", "phpdbg", "memcheck-", "callgrind-",
        "sshd-session",
    ]

    private static let carriers = [
        "secret-tool", "busctl", "gdbus", "dbus-send", "qdbus", "kwallet-query", "xdg-dbus-proxy",
        "flatpak-dbus-proxy", "systemd-stdio-bridge", "systemd-socket-proxyd",
    ]

    private static let families: [String: String] = {
        var families: [String: String] = [:]
        for (family, names) in [
            "python": "python pypy ipython", "node": "node nodejs deno bun js", "gjs": "gjs cjs seed",
            "java": "java javaw jshell kotlin scala groovy", "ruby": "ruby jruby irb", "perl": "perl",
            "shell": "sh bash dash zsh fish ksh lksh mksh csh tcsh ash yash sash busybox toybox pwsh nu elvish xonsh",
            "php": "php",
            "lua": "lua luajit texlua", "tcl": "tclsh wish expect", "electron": "electron nw", "dotnet": "dotnet mono",
            "wine": "wine wineloader", "lisp": "guile sbcl racket emacs clisp", "r": "r rscript",
            "julia": "julia octave",
            "erlang": "erl beam", "ocaml": "ocaml ocamlrun", "awk": "awk gawk mawk", "qml": "qml qmlscene",
            "debugger": "gdb lldb valgrind", "vim": "vim nvim",
            // Their messages on a socket are the ones that they are given.
            "relay": "socat websocat nc ncat netcat ssh sshd dbclient dropbear curl",
        ] as KeyValuePairs {
            for name in names.split(separator: " ") { families[String(name)] = family }
        }
        return families
    }()

    /// The suffixes that distributions use for the builds of one program: `vim.basic`, `emacs-gtk`, `mono-sgen`,
    /// `bash-static`, `wine-preloader`, `nc.openbsd`.
    private static let builds: Set = [
        "basic", "tiny", "huge", "nox", "gtk", "x", "athena", "motif", "lucid", "pgtk", "sgen", "boehm", "preloader",
        "stable", "devel", "staging", "cli", "gui", "static", "multiarch", "minimal", "openbsd", "traditional",
        "distrib", "mri",
    ]

    private static func isBuild(_ rest: Substring) -> Bool {
        rest.split { $0 == "." || $0 == "-" || $0.isNumber }.allSatisfy { builds.contains(String($0)) }
    }

    /// `3.13` of `3.13t`: Python without its lock (`t`), for debugging (`d`), or both.
    private static func withoutBuild(_ rest: Substring) -> Substring {
        let letters = ["td", "t", "d"].first { rest.hasSuffix($0) } ?? ""
        return rest.dropLast(letters.count)
    }

    /// Nothing, `3`, `3.11`, `-2.1`, `64-preloader`, `5.36-x86_64-linux-gnu`: a version, and what it was built for.
    private static func isVersion(_ rest: Substring) -> Bool {
        if rest.isEmpty || rest == ".smp" { return true }
        let version = rest.drop { $0 == "-" }.prefix { $0.isNumber || $0 == "." }
        let end = version.endIndex
        return version.first?.isNumber == true && (end == rest.endIndex || rest[end] == "-")
    }
}
