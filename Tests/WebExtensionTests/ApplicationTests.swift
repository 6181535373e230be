// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

/// Live applications which nobody here wrote, each with its own check of a password; Applications/steps.py has a user's steps. One in each
/// browser; all of them where AUTOFILL_FULL is 1.
@Suite("Real applications", .serialized, .blocking, .timeLimit(.minutes(60)))
struct ApplicationTests {
    private static let chromium = WebBrowser.chromium.another()
    private static let firefox = WebBrowser.firefox.another()
    private static let isFull = ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1"
    private static let quick = ["flask_security"]
    private static let all =
        quick + [
            "adminer", "appbuilder", "django_admin", "django_allauth", "dokuwiki", "jupyter_server", "jupyterhub",
            "mediawiki", "phpmyadmin", "radicale",
            "trac", "wordpress",
        ]

    private func visit(_ name: String, in browser: WebBrowser) throws {
        let seen = try browser.run("application \(name)")
        if let reason = seen["skipped"] as? String { try Test.cancel("\(name): \(reason)") }
        // A sign-in of either kind, and a wrong one.
        let steps = try #require(seen["steps"] as? [String: Double])
        #expect(steps.count >= 4 && steps["wrong password"] != nil, "\(steps)")
    }

    @Test(
        "After each step the vault has what the application accepts, in Chromium",
        .enabled(if: WebBrowser.chromium.isThere, WebBrowser.chromium.need), arguments: isFull ? all : quick)
    func chromium(_ name: String) throws { try visit(name, in: Self.chromium) }

    @Test(
        "The same in Firefox", .enabled(if: WebBrowser.firefox.isThere, WebBrowser.firefox.need),
        arguments: isFull ? all : quick)
    func firefox(_ name: String) throws { try visit(name, in: Self.firefox) }

    @Test("No application is left out")
    func everyFile() throws {
        let folder = WebBrowser.folder + "Applications/"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".py") }
        let tested = try files.filter {
            try String(contentsOfFile: folder + $0, encoding: .utf8).contains("class Tested(")
        }
        #expect(tested.map { String($0.dropLast(3)) }.sorted() == Self.all.sorted())
    }
}
