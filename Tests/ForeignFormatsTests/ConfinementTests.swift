// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestGround
import Testing

/// `autofill-convert --check`, by each of its layers alone: what one of them no longer refuses is not hidden by another.
@Suite("What confines autofill-convert", .blocking, .timeLimit(.minutes(2)))
struct ConfinementTests {
    private let isRoot = geteuid() == 0
    /// Only root makes devices.
    private let devices: Set = ["make a device", "make a disk"]

    /// The number of the error by the name of the attempt; 0 where it was possible.
    private func check(_ layer: String) throws -> [String: Int] {
        let directory = try TemporaryDirectory()
        try directory.write("work/file", "text")
        try directory.write("work/other", "text")
        try directory.write("work/folder/empty", "")
        try FileManager.default.removeItem(atPath: directory.path + "/work/folder/empty")
        let run = try ProgramRun(
            "/bin/sh",
            [
                "-c", "cd \"$1\" && exec \"$0\" --check \"$2\" 9<file", ProgramRun.converter,
                directory.path + "/work", layer,
            ], in: directory)
        var found: [String: Int] = [:]
        for line in run.text.split(separator: "\n") {
            let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
            try #require(parts.count == 2, "\(line)")
            found[parts[0]] = parts[1] == "POSSIBLE" ? 0 : Int(parts[1].split(separator: " ").last ?? "")
        }
        #expect(found.count >= 30, "\(run.text)\(run.errors)")
        return found
    }

    @Test("Without the filter, Landlock and the limits hold what each is for; without any, everything is possible")
    func layers() throws {
        let free = try check("none")
        for (name, error) in free where isRoot || !devices.contains(name) { #expect(error == 0, "\(name): \(error)") }

        let filter = try check("filter")
        // The memory is limited, and not its mapping forbidden; the descriptor is closed.
        for (name, error) in filter where name != "use more memory" {
            #expect(error == (name == "use another descriptor" ? EBADF : EPERM), "\(name): \(error)")
        }

        let limits = try check("limits")
        for name in ["use more memory", "use more time", "write a larger file", "dump core", "use another descriptor"] {
            #expect(limits[name] != 0, "\(name)")
        }
        #expect(limits["copy a descriptor"] == Int(EMFILE))
        #expect(limits["remove a directory"] == 0 && limits["send a signal"] == 0)
    }

    @Test(
        "Landlock alone refuses every use of files, the network, abstract sockets and signals",
        .enabled("this kernel is older than 6.12") { isKernel(6, 12) })
    func landlock() throws {
        let found = try check("landlock")
        try #require(found["open a file to read"] != 0, "this kernel has no Landlock")
        for name in [
            "open a file to read", "open a file to write", "list a directory", "make a file", "cut off a file",
            "make a directory", "make a pipe in a directory", "make a link", "move a file to another directory",
            "remove a file", "remove a directory", "connect by the network", "serve the network",
            "make a socket in a directory",
            "start a process", "run a program",
        ] + (isRoot ? Array(devices) : []) {
            #expect(found[name] == Int(EACCES), "\(name): \(found[name] ?? -1)")
        }
        for name in ["connect to an abstract socket", "send a signal"] {
            #expect(found[name] == Int(EPERM), "\(name): \(found[name] ?? -1)")
        }
        #expect(found["start a thread"] == 0 && found["copy a descriptor"] == 0)
    }
}

private func isKernel(_ major: Int, _ minor: Int) -> Bool {
    var names = utsname()
    guard uname(&names) == 0 else { return false }
    let release = withUnsafeBytes(of: &names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    let numbers = release.split { !$0.isNumber }.compactMap { Int($0) }
    return numbers.count >= 2 && (numbers[0], numbers[1]) >= (major, minor)
}
