// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

/// The units in systemd/, as systemd itself reads them.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze"), "needs systemd-analyze"))
struct UnitFileTests {
    @Test(
        "systemd finds nothing to say about the units",
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/man"),
            "needs man-db: systemd looks for the manual pages too"))
    func verified() throws {
        let units = try stagedUnits()
        defer { try? FileManager.default.removeItem(at: units) }
        let (status, output) = try run(
            [
                "systemd-analyze", "--user", "verify", units.appending(path: "autofilld.service").path,
                units.appending(path: "autofilld.socket").path,
            ], environment: ["XDG_RUNTIME_DIR": units.path, "MANPATH": units.path])
        #expect(output.isEmpty)
        #expect(status == 0)
    }

    @Test("The exposure is no higher than the unit's comment says")
    func exposure() throws {
        let units = try stagedUnits()
        defer { try? FileManager.default.removeItem(at: units) }
        let unit = units.appending(path: "autofilld.service")
        let text = try String(contentsOf: unit, encoding: .utf8)
        let stated = try #require(text.firstMatch(of: /security autofilld` says (\d)\.(\d)\./))
        let (status, output) = try run(
            [
                "systemd-analyze", "--user", "--offline=true", "--threshold=\(stated.1)\(stated.2)", "security",
                unit.path,
            ],
            environment: ["XDG_RUNTIME_DIR": units.path])
        #expect(status == 0, "\(output.split(separator: "\n").last ?? "")")
    }

    /// The units with a program and manual pages that are there, for verify looks.
    private func stagedUnits() throws -> URL {
        let directory = FileManager.default.temporaryDirectory.appending(path: "autofill-units-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        for name in ["autofilld.service", "autofilld.socket"] {
            let text = try String(contentsOf: repository.appending(path: "systemd/\(name)"), encoding: .utf8)
            try text.replacing("/usr/local/bin/autofilld", with: "/usr/bin/true")
                .write(to: directory.appending(path: name), atomically: false, encoding: .utf8)
        }
        for page in ["autofilld.8", "autofilld-protocol.7"] {
            let section = directory.appending(path: "man\(page.suffix(1))")
            try FileManager.default.createDirectory(at: section, withIntermediateDirectories: false)
            try FileManager.default.copyItem(
                at: repository.appending(path: "systemd/man/\(page)"), to: section.appending(path: page))
        }
        return directory
    }
}
