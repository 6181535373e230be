// SPDX-License-Identifier: Apache-2.0
import Foundation
import SecretMemory
import TestGround
import Testing

@testable import ForeignFormats

@Suite("Hostile files, and the limits of autofill-convert", .blocking, .timeLimit(.minutes(5)))
struct HostileFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Every prefix of a file but that without its last line feed: what is accepted has a place in the file, and what is refused a
    /// text.
    private func cutOff(_ file: [UInt8], password: String? = nil, mustFailFrom first: Int? = nil) {
        for length in 1..<(file.last == 0x0A ? file.count - 1 : file.count) {
            do {
                let found = try read(Array(file.prefix(length)), password: password)
                if let first, length >= first { Issue.record("\(length) of \(file.count) bytes are read: \(found)") }
            } catch {
                #expect(!error.problem.message.isEmpty)
                if let position = error.position { #expect(position.line >= 1 && position.column >= 1) }
            }
        }
    }

    @Test("A text that is cut off after any byte is refused with a position, or read as far as it goes")
    func cutOffTexts() throws {
        let entries = [fullEntry()]
        for format in [ExportFormat.bitwardenJSON, .cxf] {
            cutOff(try write(entries, as: format).file, mustFailFrom: 1)
        }
        for format in [ExportFormat.chromeCSV, .appleCSV] { cutOff(try write(entries, as: format).file) }
    }

    @Test(
        "An encrypted file or an archive that is cut off after any byte is refused",
        .enabled("built without the trait ForeignLibraries") { ForeignLibraries.areAvailable })
    func cutOffContainers() throws {
        var entry = ForeignEntry()
        (entry.title, entry.user, entry.password) = ("A", "ann", SecretBytes(utf8: "pw"))
        let box = Bytes()
        // As cheap as the format permits: every prefix derives the key again.
        let writer = try KeePassWriter(
            ConversionOutput { bytes throws(ConversionError) in box.bytes += Array(bytes) },
            password: SecretBytes(utf8: "pass"), cost: .init(kibibytes: 16, passes: 1))
        let record = Array(#"{"record":"login","title":"A","user":"ann","password":"pw"}"#.utf8)
        try withBytes(record) { bytes throws(ConversionError) in
            writer.add(entry, bytes) { _ in }
            try writer.end()
        }
        #expect(try read(box.bytes, password: "pass").holds([entry]))
        cutOff(box.bytes, password: "pass", mustFailFrom: 1)
        let xml = "<KeePassFile><Root><Group><Name>R</Name><Entry/></Group></Root></KeePassFile>"
        cutOff(Array(xml.utf8), mustFailFrom: 1)
    }

    private final class Bytes { var bytes: [UInt8] = [] }

    @Test(
        "Built without the libraries, each format that needs them is refused with a message that names them",
        .enabled("built with the trait ForeignLibraries") { !ForeignLibraries.areAvailable })
    func withoutLibraries() throws {
        let files: [[UInt8]] = [
            KeePassHeader.signature, [0x50, 0x4B, 3, 4], MemoryDatabase.signature, Array("<KeePassFile/>".utf8),
            Array(#"{"logins":[],"nextId":1}"#.utf8),
            Array(
                (#"{"encrypted":true,"passwordProtected":true,"salt":"c2FsdHNhbHQ=","kdfType":0,"kdfIterations":1,"#
                    + #""encKeyValidation_DO_NOT_EDIT":"2.AA==|AA==|AA==","data":"2.AA==|AA==|AA=="}"#).utf8),
        ]
        for file in files {
            let run = try ProgramRun.convert(["import"], input: file, in: directory)
            #expect(run.status == 65 && run.text.isEmpty)
            let wanted = "built without libgcrypt, zlib, expat, libarchive and libqrencode"
            #expect(run.errors.contains(wanted), "\(run.errors)")
        }
        for format in ["kdbx", "bitwarden-json-protected"] {
            let run = try ProgramRun.convert(
                ["export", format, "--password-fd", "3"], descriptors: [Array("pass\n".utf8)], in: directory)
            #expect(run.status == 65 && run.errors.contains("built without"), "\(run.errors)")
        }
    }

    /// A process of Python, to see the most memory that the program had.
    private static let measure = """
        import os, subprocess, sys
        files = [open(name, 'rb') for name in sys.argv[1:3]]
        child = subprocess.Popen(sys.argv[4:] + ['--password-fd', str(files[1].fileno())], stdin=files[0],
            stdout=open(sys.argv[3], 'wb'), pass_fds=[files[1].fileno()])
        _, status, usage = os.wait4(child.pid, 0)
        print(usage.ru_maxrss // 1024)
        sys.exit(os.waitstatus_to_exitcode(status))
        """

    private func megabytes(_ arguments: [String], from input: String, to output: String) throws -> Int {
        let run = try ProgramRun(
            "/usr/bin/python3",
            [
                "-c", Self.measure, directory.path + "/" + input, directory.path + "/password",
                directory.path + "/" + output, ProgramRun.converter,
            ] + arguments, in: directory)
        try #require(run.status == 0, "\(arguments): \(run.errors)")
        return try #require(Int(run.text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    @Test(
        "100,000 entries need less than 200 MB in each direction and format; 10,000 as much less as they are fewer",
        .enabled("python3 is not installed") { ProgramRun.succeeds("/usr/bin/python3 --version") })
    func memory() throws {
        let isFull = ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1"
        let count = isFull ? 100_000 : 10_000
        // The program itself, and the 64 MiB in which a key is derived.
        let limit = isFull ? 200 : 110
        var records = "{\"record\":\"autofill-records\",\"version\":1,\"source\":\"x\"}\n"
        for number in 0..<count {
            records += "{\"record\":\"login\",\"title\":\"Site \(number)\",\"user\":\"user\(number)@example.com\","
            records += "\"password\":\"\(String(UInt64(number) &* 0x9E37_79B9_7F4A_7C15, radix: 36))-word\","
            records += "\"sites\":[\"https://site\(number).example/login\"],\"folder\":\"F\(number % 50)\","
            records += "\"notes\":\"some words of this entry, and some more\",\"changed\":1700000000000}\n"
        }
        records += "{\"record\":\"end\",\"entries\":\(count),\"notConverted\":0}\n"
        try directory.write("records", records)
        try directory.write("password", "pass\n")
        let formats = ExportFormat.allCases.filter {
            ForeignLibraries.areAvailable || ($0 != .bitwardenProtected && $0 != .keePass)
        }
        for format in formats {
            let exporting = try megabytes(["export", format.rawValue], from: "records", to: "file")
            let importing = try megabytes(["import"], from: "file", to: "back")
            #expect(exporting < limit && importing < limit, "\(format): \(exporting) and \(importing) MB")
            let end = try String(contentsOfFile: directory.path + "/back", encoding: .utf8).suffix(80)
            #expect(end.contains("\"entries\":\(count),"), "\(format): \(end)")
        }
    }
}
