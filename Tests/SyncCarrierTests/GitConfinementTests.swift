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
            ("dotfiles/work", "linked deeper\n"),
        ] {
            try CarrierGround.write(text.bytes, to: "\(home)/\(name)")
        }
        try link("config", to: "../dotfiles/config")
        try FileManager.default.createDirectory(atPath: home + "/.ssh/config.d", withIntermediateDirectories: false)
        try link("config.d/work", to: "../../dotfiles/work")
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

    @Test("ssh(1) may read ~/.ssh, what a link in it points to, and what --read names; it writes git/ and in/ alone")
    func reading() throws {
        let (found, given) = (a.spool.repository + "/found", a.spool.received + "/arguments")
        let program = a.spool.repository + "/program"
        let directories = [a.spool.path, home + "/.ssh", home + "/bin", home, ground.directory.path]
        let unwritten = directories.map { "'\($0)/written'" } + ["'\(a.spool.configuration)'"]
        try writeSSH(
            """
            printf '%s\\n' "$@" >'\(given)'
            for name in .ssh/key .ssh/config .ssh/config.d/work keys/key note spool-2/../note; do cat "$HOME/$name"; done >'\(found)' 2>/dev/null
            ulimit -f >>'\(found)'
            printf '#!/bin/sh\\necho executed\\n' >'\(program)'
            chmod 700 '\(program)'
            '\(program)' >>'\(found)' 2>/dev/null
            for name in \(unwritten.joined(separator: " ")); do echo x >"$name"; done 2>/dev/null
            echo "Load key: Permission denied" >&2
            exit 255
            """)
        // In blocks of 512 bytes.
        let blocks = "\(CarrierLimits.totalBytes / 512)\n"
        let (status, output) = try self.program(a, ["--once"], url: "server.example:x").end()
        #expect(status == 75 && output.contains("Load key: Permission denied; "), "\(output)")
        #expect(output.contains("autofill-sync(8), --read"))
        #expect(CarrierGround.read(found) == "in ~/.ssh\nlinked\nlinked deeper\n\(blocks)".bytes)
        let used = String(decoding: try #require(CarrierGround.read(given)), as: UTF8.self).split(separator: "\n")
        #expect(used.contains("-oBatchMode=yes") && used.contains("-oControlPath=none"))
        #expect(used.contains("-oStrictHostKeyChecking=yes"))
        let configuration = try #require(used.first == "-F" ? CarrierGround.read(String(used[1])) : nil)
        // Of a jump host.
        let lines = String(decoding: configuration, as: UTF8.self).split(separator: "\n")
        #expect(lines.first == "BatchMode=yes" && lines.contains("ControlPath=none"))
        #expect(lines.suffix(2) == ["Include ~/.ssh/config", "Include /etc/ssh/ssh_config"])
        for key in ["/keys", "/keys/key"] {
            let options = ["--read", home + key, "--read", home + "/absent", "--once"]
            #expect(try self.program(a, options, url: "server.example:x").end().status == 75)
            #expect(CarrierGround.read(found) == "in ~/.ssh\nlinked\nlinked deeper\nelsewhere\n\(blocks)".bytes)
        }
        #expect(CarrierGround.read(a.spool.configuration)?.starts(with: "{".bytes) == true)
        for directory in directories {
            #expect(!CarrierGround.exists(directory + "/written"), "\(directory)")
        }
    }

    @Test("It reads neither the directory in which the spool is, nor a home in PATH, also where its git is a directory")
    func dataDirectory() throws {
        let data = ground.directory.path + "/data"
        let machine = try ground.machine(3, spool: "data/sync")
        let found = machine.spool.repository + "/found"
        try CarrierGround.write("-\n".bytes, to: data + "/vault")
        try CarrierGround.write("-\n".bytes, to: home + "/git/note")
        try link("data", to: data)
        try writeSSH("cat '\(data)/vault' \"$HOME/git/note\" >'\(found)' 2>/dev/null\nexit 255")
        try machine.configure(location: #"{"type":"git","url":"server.example:x"}"#)
        let program = try CarrierProgram(
            ["--spool", machine.spool.path, "--once"],
            environment: ["HOME": home, "PATH": "\(home)/bin:\(data):\(home):/usr/bin:/bin"])
        #expect(try program.end().status == 75)
        #expect(CarrierGround.read(found) == [])
    }

    @Test(
        "Machines exchange files over a bare repository in the home, by its path and its URL, with .git or without",
        arguments: ["the remote.git", "the remote", "the remote.git/", "file:the%20remote.git", "file:the%20remote/"])
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

    @Test("It ends with 0 where a directory of its spool is missing by now, so that it is started again and makes it")
    func missingDirectory() throws {
        let running = try program(a, [], url: remote)
        #expect(try running.nextLine() == "All files are carried.")
        try FileManager.default.removeItem(atPath: a.spool.repository)
        try a.put("one")
        #expect(try running.end() == (0, ""))
    }
}
