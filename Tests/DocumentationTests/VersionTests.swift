// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import Support
import Testing

@Suite("The version of the product")
struct VersionTests {
    @Test("The vault's format, the programs, the Python client and the package state the same version")
    func versions() throws {
        func text(_ file: String) throws -> String {
            try String(contentsOfFile: TestFiles.root + file, encoding: .utf8)
        }
        let rows = try text("Sources/VaultFormat/Vault-format.md").split(separator: "\n")
            .compactMap { $0.wholeMatch(of: /\| \d+ \| ([0-9.]+) \| ([0-9.]+) \|/) }
        let last = try #require(rows.last)
        // A further 0.2.z may have the same format.
        let series = last.1.split(separator: ".").prefix(2).joined(separator: ".") + "."
        #expect(last.1 == last.2 && ProductVersion.text.hasPrefix(series))
        #expect(
            try text("Sources/PythonClient/autofill_client/__init__.py")
                .contains("\n__version__ = \"\(ProductVersion.text)\"\n"))
        let package = Process()
        let output = Pipe()
        package.executableURL = URL(filePath: TestFiles.root + "systemd/package")
        package.arguments = ["--version"]
        package.standardOutput = output
        try package.run()
        let version = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        package.waitUntilExit()
        // Before the first tag it sorts before the release: 0.2.0~git…-1.
        #expect(version.hasPrefix(ProductVersion.text), "\(version)")
        #expect(version.dropFirst(ProductVersion.text.count).first.map { "-~+".contains($0) } == true, "\(version)")
    }
}
