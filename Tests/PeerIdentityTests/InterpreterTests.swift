// SPDX-License-Identifier: Apache-2.0
import PeerIdentity
import Testing

@Suite struct InterpreterTests {
    @Test(
        "An interpreter is recognised by its file's name, with version and architecture",
        arguments: [
            ("python3", "python"), ("python3.11", "python"), ("python3.11-dbg", "python"), ("pypy3.9", "python"),
            ("node", "node"), ("node20", "node"), ("gjs", "gjs"), ("gjs-console", "gjs"), ("java", "java"),
            ("ruby3.1", "ruby"), ("perl5.36.0", "perl"), ("perl5.36-x86_64-linux-gnu", "perl"), ("bash", "shell"),
            ("dash", "shell"), ("sh", "shell"), ("busybox", "shell"), ("lua5.4", "lua"), ("luajit-2.1.0", "lua"),
            ("php8.2", "php"), ("php-cgi8.2", "php"), ("tclsh8.6", "tcl"), ("electron", "electron"),
            ("electron25", "electron"), ("wine64-preloader", "wine"), ("ld-linux-x86-64.so.2", "ld"), ("ld.so", "ld"),
            ("qemu-x86_64", "qemu"), ("js102", "node"), ("beam.smp", "erlang"),
            ("pwsh", "shell"), ("Rscript", "r"), ("dotnet", "dotnet"), ("python3.13t", "python"),
            ("python3.14td", "python"), ("python3.11d", "python"), ("platform-python3.6", "python"),
            ("ruby-mri", "ruby"), ("nu", "shell"),
        ])
    func identified(name: String, family: String) {
        #expect(Interpreter(fileName: name)?.family == family)
    }

    @Test(
        "The builds that Debian has of an interpreter are recognised by their names",
        arguments: [
            ("vim.basic", "vim"), ("vim.tiny", "vim"), ("vim.gtk3", "vim"), ("vim.nox", "vim"), ("emacs-gtk", "lisp"),
            ("emacs-nox", "lisp"), ("emacs-29.4", "lisp"), ("mono-sgen", "dotnet"), ("wine-preloader", "wine"),
            ("wine64-stable", "wine"), ("wineloader", "wine"), ("octave-cli", "julia"), ("octave-cli-9.2.0", "julia"),
            ("bash-static", "shell"), ("zsh5-static", "shell"), ("sh.distrib", "shell"), ("gdb-multiarch", "debugger"),
        ])
    func builds(name: String, family: String) {
        #expect(Interpreter(fileName: name)?.family == family)
    }

    @Test(
        "A program that passes on what it is handed is no app",
        arguments: [
            "socat", "socat1", "nc.openbsd", "nc.traditional", "ncat", "ssh", "sshd", "sshd-session", "curl",
            "xdg-dbus-proxy", "flatpak-dbus-proxy", "systemd-stdio-bridge", "systemd-socket-proxyd",
        ])
    func relays(name: String) {
        #expect(Interpreter(fileName: name) != nil)
    }

    @Test(
        "An app that is merely named like one is an app",
        arguments: [
            "shop", "bash-shop", "nodepad", "javascript-shop", "ldapsearch", "perlite", "firefox", "r2d", "",
            "-",
            "7z",
            "python3shop",
        ])
    func apps(name: String) {
        #expect(Interpreter(fileName: name) == nil)
    }

    @Test(
        "The first argument of an interpreter is its script, unless an option makes it run something else",
        arguments: [
            ("python3.11", "python3 /usr/bin/shop --sale", "/usr/bin/shop"),
            ("python3", "python3 -I shop.py", "shop.py"),
            ("python3", "python3 -sE -B shop.py", "shop.py"), ("python3", "python3 -c print(1) shop.py", nil),
            ("python3", "python3 -m shop", nil), ("python3", "python3 -X dev shop.py", nil),
            ("python3", "python3", nil),
            ("python3", "python3 - shop.py", nil), ("perl", "perl shop.pl", "shop.pl"),
            ("perl", "perl -Mevil shop.pl", nil),
            ("gjs-console", "gjs shop.js", "shop.js"), ("node", "node -r evil.js shop.js", nil),
            ("bash", "sh shop", "shop"),
            ("java", "java shop", nil), ("socat", "socat shop -", nil), ("gdb", "gdb shop", nil),
            ("ld.so", "ld.so shop", nil),
        ])
    func script(name: String, arguments: String, script: String?) throws {
        let interpreter = try #require(Interpreter(fileName: name))
        let found = interpreter.script(in: arguments.split(separator: " ").map { Array($0.utf8) })
        #expect(found.map { String(decoding: $0, as: UTF8.self) } == script)
        #expect(interpreter.script(in: []) == nil && interpreter.script(in: [Array("x".utf8), []]) == nil)
    }
}
