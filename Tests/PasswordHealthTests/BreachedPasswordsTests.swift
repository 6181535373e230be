// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import SecretMemory
import TestGround
import Testing

@testable import PasswordHealth

/// Real lists, made here: hashes of `word-0` and so on, sorted.
@Suite("Lists of breached passwords")
struct BreachedPasswordsTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func hash(_ password: String) -> String {
        Insecure.SHA1.hash(data: Data(password.utf8)).map { String(format: "%02X", $0) }.joined()
    }

    private func write(_ text: String, to name: String) throws -> String {
        let path = directory.path + "/" + name
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    private func count(_ password: String, in list: BreachedPasswords) throws -> Int? {
        try list.count(of: SecretBytes(utf8: password))
    }

    @Test(
        "Each password of a file is found with its count, and no other, whatever the line ends and digits are",
        arguments: [("\n", true, true), ("\r\n", true, true), ("\n", false, true), ("\n", true, false)])
    func file(end: String, isUpper: Bool, endsWithLine: Bool) throws {
        let words = (0..<500).map { "word-\($0)" }
        let lines = words.map { hash($0) + ":\($0.utf8.count)" }.sorted().map { isUpper ? $0 : $0.lowercased() }
        let path = try write(lines.joined(separator: end) + (endsWithLine ? end : ""), to: "list")
        let list = try BreachedPasswords(path: path)
        for word in words { #expect(try count(word, in: list) == word.utf8.count, "\(word)") }
        for word in ["word-500", "", "WORD-1"] { #expect(try count(word, in: list) == nil) }
    }

    @Test("A list of one line, and one without counts")
    func small() throws {
        let one = try BreachedPasswords(path: try write(hash("a") + ":7\n", to: "one"))
        #expect(try count("a", in: one) == 7)
        #expect(try count("b", in: one) == nil)
        let bare = [hash("a"), hash("b"), hash("c")].sorted().joined(separator: "\n")
        #expect(try count("b", in: try BreachedPasswords(path: try write(bare, to: "bare"))) == 0)
    }

    @Test("The file of a range is read, with and without an extension; a missing range is an error, and no all-clear")
    func ranges() throws {
        for (index, word) in ["a", "b"].enumerated() {
            let hash = hash(word)
            let others = ["0", "F"].map { String(repeating: $0, count: 35) + ":1" }
            let lines = ([String(hash.dropFirst(5)) + ":\(index + 3)"] + others).sorted()
            _ = try write(lines.joined(separator: "\r\n"), to: hash.prefix(5) + (index == 0 ? "" : ".txt"))
        }
        let list = try BreachedPasswords(path: directory.path)
        #expect(try count("a", in: list) == 3)
        #expect(try count("b", in: list) == 4)
        let missing = BreachedPasswords.Failure.malformed(
            path: directory.path, reason: "A range is missing, or a line is no SHA-1 hash")
        #expect(throws: missing) { try count("c", in: list) }
    }

    @Test(
        "What is no sorted list of SHA-1 hashes is refused with the place, and no password is taken for unbreached",
        arguments: [
            ("", "The file is empty"),
            ("hello\n", "There is no SHA-1 hash at byte 0"),
            // Of NTLM.
            (String(repeating: "A", count: 32) + ":3\n", "There is no SHA-1 hash at byte 0"),
            (String(repeating: "A", count: 41) + ":3\n", "There is no SHA-1 hash at byte 0"),
            (String(repeating: "A", count: 40) + ":x\n", "There is no SHA-1 hash at byte 0"),
            (
                String(repeating: "B", count: 40) + "\n" + String(repeating: "A", count: 40) + "\n",
                "The file is not sorted by hash, at byte 41"
            ),
            (String(repeating: "A", count: 300) + "\n", "A line is too long, at byte 0"),
        ])
    func malformed(text: String, reason: String) throws {
        let path = try write(text, to: "list")
        #expect(throws: BreachedPasswords.Failure.malformed(path: path, reason: reason)) {
            try BreachedPasswords(path: path)
        }
    }

    @Test(
        "An error of a search names no range and no place in the file: they are the first bits of a password's hash"
    )
    func secrecy() throws {
        let range = String(hash("c").prefix(5))
        _ = try write("hello\n", to: range)
        let ranges = try BreachedPasswords(path: directory.path)
        let failure = #expect(throws: BreachedPasswords.Failure.self) { try count("c", in: ranges) }
        #expect(failure?.reason.contains(range) == false && failure?.reason.contains("byte") == false)
        #expect(failure?.reason.hasPrefix(directory.path + ": ") == true)
    }

    @Test(
        "A list that a program serves is refused, also behind a link, and the program is not waited for",
        .blocking, .enabled(if: FuseFixture.isAvailable, "\(FuseFixture.need)"))
    func served() throws {
        let fuse = try FuseFixture(files: [FuseFixture.File("list", Array((hash("a") + ":7\n").utf8))])
        defer { fuse.stop() }
        let link = directory.path + "/list"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: fuse.path + "/list")
        for path in [fuse.path + "/list", fuse.path, link] {
            #expect(throws: BreachedPasswords.Failure.served(path: path)) { try BreachedPasswords(path: path) }
        }
        let range = directory.path + "/" + hash("a").prefix(5)
        try FileManager.default.createSymbolicLink(atPath: range, withDestinationPath: fuse.path + "/list")
        let ranges = try BreachedPasswords(path: directory.path)
        #expect(throws: BreachedPasswords.Failure.served(path: directory.path)) { try count("a", in: ranges) }
    }

    @Test("A path that leads nowhere, or to a FIFO, is refused at once")
    func noFile() throws {
        let path = directory.path + "/none"
        #expect(throws: BreachedPasswords.Failure.system(number: ENOENT, path: path)) {
            try BreachedPasswords(path: path)
        }
        try #require(mkfifo(path, 0o600) == 0)
        #expect(throws: BreachedPasswords.Failure.malformed(path: path, reason: "It is no file")) {
            try BreachedPasswords(path: path)
        }
    }
}
