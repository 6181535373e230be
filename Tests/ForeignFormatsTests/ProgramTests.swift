// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestGround
import Testing

@testable import ForeignFormats

@Suite("autofill-convert", .blocking, .timeLimit(.minutes(5)))
struct ProgramTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private let csv = Array("name,url,username,password\nShop,https://a.example,ann,\"p,w\"\n".utf8)

    @Test("From the inside: it can open no file, make no socket, start no program, and map no code")
    func confinement() throws {
        let run = try ProgramRun.convert(["--check"], in: directory)
        let lines = run.text.split(separator: "\n")
        #expect(run.status == 0 && lines.count >= 30, "\(run.text)\(run.errors)")
        // By the filter, and not since a file is missing: error 1 is EPERM. Memory ends at its limit (ENOMEM), and the
        // descriptor is closed (EBADF).
        for line in lines {
            let error = line.hasPrefix("use more memory") ? 12 : line.hasPrefix("use another descriptor") ? 9 : 1
            #expect(line.hasSuffix(": refused, error \(error)"), "\(line)")
        }
    }

    @Test("Standard input becomes records, and records a file again")
    func bothWays() throws {
        let records = try ProgramRun.convert(["import"], input: csv, in: directory)
        #expect(records.status == 0 && records.errors.isEmpty, "\(records.errors)")
        #expect(
            records.text == """
                {"record":"autofill-records","version":1,"source":"chrome-csv"}
                {"record":"login","line":2,"title":"Shop","user":"ann","password":"p,w","sites":["https://a.example"]}
                {"record":"end","entries":1,"notConverted":0}

                """)
        let file = try ProgramRun.convert(["export", "chrome-csv"], input: records.output, in: directory)
        #expect(file.text == "name,url,username,password,note\r\nShop,https://a.example,ann,\"p,w\",\r\n")
    }

    @Test("Other descriptors than standard input, and columns by name")
    func descriptors() throws {
        let run = try ProgramRun.convert(
            ["import", "--input-fd", "3", "--column", "user=who", "--column", "password=what"],
            descriptors: [Array("who,what\nann,pw\n".utf8)], in: directory)
        #expect(run.status == 0 && run.text.contains(#""user":"ann","password":"pw""#), "\(run.errors)")
    }

    @Test("A mistake is on standard error with line and column, without the text; the records have no end")
    func mistakes() throws {
        let run = try ProgramRun.convert(
            ["import"], input: csv + Array("Bank,https://b.example,bob,se\"cret\n".utf8), in: directory)
        #expect(run.status == 65)
        #expect(
            run.errors
                == "autofill-convert: line 3, column 30: A quotation mark is inside a field that does not begin with one\n"
        )
        #expect(!run.text.contains(#""record":"end""#))
        #expect(try ProgramRun.convert(["import", "--colour", "red"], in: directory).status == 64)
        #expect(try ProgramRun.convert(["export", "paper"], in: directory).status == 64)
        #expect(try ProgramRun.convert(["import"], in: directory).errors == "autofill-convert: The file is empty\n")
    }

    @Test("What an export has no place for is reported to a descriptor, or counted")
    func report() throws {
        let records = try ProgramRun.convert(
            ["import"],
            input: Array("Title,URL,Username,Password,OTPAuth\nA,,ann,pw,otpauth://totp/a?secret=AA\n".utf8),
            in: directory)
        let run = try ProgramRun.convert(["export", "chrome-csv"], input: records.output, in: directory)
        #expect(run.errors == "autofill-convert: 1 values have no place in this format\n")
    }

    @Test("A file above the limit is refused before it is read; one that never ends when it is")
    func huge() throws {
        let path = directory.path + "/huge"
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        #expect(truncate(path, off_t(ConversionLimits.inputBytes) + 1) == 0)
        let script = "\"$0\" import <\(path)"
        let run = try ProgramRun("/bin/sh", ["-c", script, ProgramRun.converter], in: directory)
        #expect(run.status == 65 && run.errors.contains("larger than"))
        let endless = try ProgramRun(
            "/bin/sh", ["-c", "yes 'a,b' | \"$0\" import", ProgramRun.converter], in: directory)
        #expect(endless.status == 65 && endless.errors.contains("larger than"), "\(endless.errors)")
    }
}
