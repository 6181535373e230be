// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestGround
import Testing

@testable import AutofillCommands

/// With AUTOFILL_FULL=1 alone. The goal for installed programs is 20 s; this build is not optimised.
@Suite(
    "A large import", .serialized, .enabled(if: getenv("AUTOFILL_FULL") != nil, "the long form alone"),
    .enabled(if: TestService.isThere, TestService.absence))
struct LargeImportTests {
    private static let entries = 100_000
    private static let memory = 200 << 10

    @Test("100,000 entries are imported, exported and reverted, each program with less than 200 MB of memory")
    func large() async throws {
        let service = try await TestService.withVault()
        var text = "name,url,username,password,note\n"
        for number in 0..<Self.entries {
            let site = "https://d\(number).example/login"
            text += "Site \(number),\(site),ann@example.com,password-\(number),a note \(number)\n"
        }
        try service.directory.write("large.csv", text)
        let start = ContinuousClock.now
        let made = try await service.proven("import", service.directory.path + "/large.csv", "--yes")
        let time = ContinuousClock.now - start
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.output.contains("\(Self.entries) added, 0 changed, 0 identical, 0 skipped."))
        let daemon = try peak(of: service.process.processID)
        var usage = rusage()
        // RUSAGE_CHILDREN, which is of another type here.
        getrusage(-1, &usage)
        print("import: \(time); daemon \(daemon) KiB, command and converter \(usage.ru_maxrss) KiB at most")
        #expect(daemon < Self.memory && usage.ru_maxrss < Self.memory)
        for format in ["bitwarden", "chrome"] {
            let start = ContinuousClock.now
            let path = service.directory.path + "/out-" + format
            let exported = try await service.proven("export", path, "--format", format, "--yes")
            #expect(exported.output.contains("\(Self.entries) entries written"), "\(exported.errors)")
            getrusage(-1, &usage)
            let memory = try peak(of: service.process.processID)
            let others = "command and converter \(usage.ru_maxrss) KiB at most"
            print("export as \(format): \(ContinuousClock.now - start); daemon \(memory) KiB, \(others)")
            #expect(memory < Self.memory && usage.ru_maxrss < Self.memory)
        }
        let lines = try String(contentsOfFile: service.directory.path + "/out-chrome", encoding: .utf8)
        #expect(lines.split(whereSeparator: \.isNewline).count == Self.entries + 1)
        let undone = try await service.proven("import", "undo", "--yes")
        #expect(undone.output.contains("\(Self.entries) removed, 0 restored"))
        print("import and undo: \(ContinuousClock.now - start); daemon \(try peak(of: service.process.processID)) KiB")
        #expect(try peak(of: service.process.processID) < Self.memory)
        #expect(try await service.proven("vault", "check").status == 0)
    }

    /// The most memory that a process has had, in KiB.
    private func peak(of process: Int32) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) })
    }
}
