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
        "systemd finds no fault in the units",
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/man"),
            "needs man-db: systemd also checks the manual pages"))
    func verified() throws {
        let units = try stagedUnits()
        defer { try? FileManager.default.removeItem(at: units) }
        let (status, output) = try run(
            [
                "systemd-analyze", "--user", "verify",
            ] + Self.names.map { units.appending(path: $0).path },
            environment: ["XDG_RUNTIME_DIR": units.path, "MANPATH": units.path])
        #expect(output.isEmpty)
        #expect(status == 0)
    }

    private static let names = [
        "autofilld.service", "autofilld.socket", "autofill-associations.service", "autofill-associations.socket",
        "autofill-secrets.service", "autofill-sync.service", "autofill-sync.path",
    ]

    @Test(
        "The exposure is no higher than the unit's comment states",
        arguments: ["autofilld", "autofill-associations", "autofill-secrets", "autofill-sync"])
    func exposure(name: String) throws {
        let units = try stagedUnits()
        defer { try? FileManager.default.removeItem(at: units) }
        let unit = units.appending(path: "\(name).service")
        let text = try String(contentsOf: unit, encoding: .utf8)
        let stated = try #require(text.firstMatch(of: /security [a-z-]+` reports (\d)\.(\d)\./))
        let (status, output) = try run(
            [
                "systemd-analyze", "--user", "--offline=true", "--threshold=\(stated.1)\(stated.2)", "security",
                unit.path,
            ],
            environment: ["XDG_RUNTIME_DIR": units.path])
        #expect(status == 0, "\(output.split(separator: "\n").last ?? "")")
    }

    /// The units with a program and manual pages that exist, for the checks of verify.
    private func stagedUnits() throws -> URL {
        let directory = FileManager.default.temporaryDirectory.appending(path: "autofill-units-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        for name in Self.names {
            let text = try String(contentsOf: repository.appending(path: "systemd/\(name)"), encoding: .utf8)
            try text.replacing(/ExecStart=\/usr\/local\/bin\/[a-z-]+/, with: "ExecStart=/usr/bin/true")
                .write(to: directory.appending(path: name), atomically: false, encoding: .utf8)
        }
        for page in [
            "autofilld.8", "autofill-associations.8", "autofill-secrets.8", "autofill-sync.8", "autofilld-protocol.7",
        ] {
            let section = directory.appending(path: "man\(page.suffix(1))")
            try FileManager.default.createDirectory(at: section, withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                at: repository.appending(path: "systemd/man/\(page)"), to: section.appending(path: page))
        }
        return directory
    }
}
