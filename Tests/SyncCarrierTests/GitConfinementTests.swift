// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import SyncCarrier
import TestGround
import Testing

/// What autofill-sync, git and ssh may use of a home where the remote is one of git. Over ssh(1) itself: GitSyncTests.
@Suite(
    "autofill-sync with a git remote", .blocking, .timeLimit(.minutes(2)),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/git"), "needs git"))
struct GitConfinementTests {
    private let ground: CarrierGround
    private let (a, b): (Machine, Machine)
    private let home: String
    /// In the home, as a repository's path is that has to be encoded in a URL.
    private let remote: String

    init() throws {
        ground = try CarrierGround()
        (a, b) = (try ground.machine(1, spool: "home/spool-1"), try ground.machine(2, spool: "home/spool-2"))
        home = ground.directory.path + "/home"
        remote = home + "/the remote.git"
        let made = try Process.run(
            URL(filePath: "/usr/bin/git"), arguments: ["init", "--quiet", "--bare", remote])
        made.waitUntilExit()
        try #require(made.terminationStatus == 0)
        for (name, text) in [
            (".ssh/key", "in ~/.ssh\n"), ("dotfiles/config", "linked\n"), ("keys/key", "elsewhere\n"), ("note", "-\n"),
        ] {
            try CarrierGround.write(text.bytes, to: "\(home)/\(name)")
        }
        try link("config", to: "../dotfiles/config")
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(home)/.ssh/\(name)", withDestinationPath: target)
    }

    private func program(_ machine: Machine, _ options: [String], url: String) throws -> CarrierProgram {
        try machine.configure(location: #"{"type":"git","url":"\#(url)"}"#)
        return try CarrierProgram(
            ["--spool", machine.spool.path] + options,
            environment: ["HOME": home, "PATH": "\(home)/bin:/usr/bin:/bin"])
    }

    /// In place of ssh(1), in a directory of PATH in the home.
    private func writeSSH(_ script: String) throws {
        try CarrierGround.write("#!/bin/sh\n\(script)\n".bytes, to: home + "/bin/ssh")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home + "/bin/ssh")
    }

    @Test("ssh(1) may read ~/.ssh, what a link in it points to, and what --read names; it writes nothing but the spool")
    func reading() throws {
        let (found, given) = (a.spool.path + "/found", a.spool.path + "/arguments")
        try writeSSH(
            """
            printf '%s\\n' "$@" >'\(given)'
            for name in .ssh/key .ssh/config keys/key note spool-2/../note; do cat "$HOME/$name"; done >'\(found)' 2>/dev/null
            ulimit -f >>'\(found)'
            for name in "$HOME/.ssh" "$HOME/bin" "$HOME" '\(ground.directory.path)'; do echo x >"$name/written"; done 2>/dev/null
            echo "Load key: Permission denied" >&2
            exit 255
            """)
        // In blocks of 512 bytes.
        let blocks = "\(CarrierLimits.totalBytes / 512)\n"
        let (status, output) = try program(a, ["--once"], url: "server.example:x").end()
        #expect(status == 75 && output.contains("Load key: Permission denied; "), "\(output)")
        #expect(output.contains("autofill-sync(8), --read"))
        #expect(CarrierGround.read(found) == "in ~/.ssh\nlinked\n\(blocks)".bytes)
        let used = String(decoding: try #require(CarrierGround.read(given)), as: UTF8.self).split(separator: "\n")
        #expect(used.contains("-oBatchMode=yes") && used.contains("-oControlPath=none"))
        for key in ["/keys", "/keys/key"] {
            let options = ["--read", home + key, "--read", home + "/absent", "--once"]
            #expect(try program(a, options, url: "server.example:x").end().status == 75)
            #expect(CarrierGround.read(found) == "in ~/.ssh\nlinked\nelsewhere\n\(blocks)".bytes)
        }
        for directory in [home + "/.ssh", home + "/bin", home, ground.directory.path] {
            #expect(!CarrierGround.exists(directory + "/written"), "\(directory)")
        }
    }

    @Test(
        "Machines exchange files over a bare repository in the home, by its path and its URL, with .git or without",
        arguments: ["the remote.git", "the remote", "file:the%20remote.git", "file:the%20remote"])
    func repository(name: String) throws {
        let path = "\(home)/\(name.replacing("file:", with: ""))"
        let url = name.hasPrefix("file:") ? "file://" + path : path
        let names = [try a.put("one"), try b.put("two")]
        for machine in [a, b, a] {
            #expect(try program(machine, ["--once"], url: url).end() == (0, ""))
        }
        #expect(CarrierGround.read(b.received(names[0], of: a)) == "one".bytes)
        #expect(CarrierGround.read(a.received(names[1], of: b)) == "two".bytes)
    }

    @Test("It ends with 0 where ~/.ssh has a link to another file by now, so that it is started again for that one")
    func otherFile() throws {
        let running = try program(a, [], url: remote)
        #expect(try running.nextLine() == "All files are carried.")
        try link("other", to: "../keys/key")
        try a.put("one")
        #expect(try running.end() == (0, ""))
    }
}
