// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

/// Chromium encrypts its cookies and passwords with a key that Secret Service keeps. Where a search finds no key it
/// draws a new one, and what it had saved never opens again.
@Suite(
    "Chromium's key in Secret Service", .serialized, .blocking, .timeLimit(.minutes(10)),
    .enabled(if: SecretStage.isAvailable, "\(SecretStage.needs)"),
    .enabled("chromium is not installed") { ForeignProgram.isInstalled("chromium") })
struct ChromiumKeyTests {
    @Test(
        "A second Chromium at another path, whose prompt the user refuses or does not answer, changes no key and adds none",
        arguments: [["deny"], []])
    func secondPath(consent: [String]) throws {
        let directory = try TemporaryDirectory()
        chmod(directory.path, 0o755)
        let options = consent.isEmpty ? ["--no-answer"] : []
        let run = try SecretStage.run(
            ["bash", SecretStage.folder + "chromium.sh", directory.path], consent: consent, options: options)
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(run.status == 0, "\(run.output)")
        #expect(
            lines.filter { !$0.hasPrefix("key ") } == ["first: 1", "second: 1", "second: 1", "first: 1"],
            "\(run.output)")
        let keys = lines.filter { $0.hasPrefix("key ") }
        #expect(keys.count == 4 && Set(keys).count == 1, "\(run.output)")
    }
}
