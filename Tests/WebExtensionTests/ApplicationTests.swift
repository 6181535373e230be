// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

/// Live applications which nobody here wrote, each with its own check of a password; Applications/steps.py has a
/// user's steps. Where AUTOFILL_FULL is 1, all of them in both browsers. Else three of PyPI, which start fast: one in
/// Firefox, one in Chromium, one in both, in one session of each browser. A quick visit has one user who signs up or
/// in, mistypes, and changes the password, once refused; the steps with a second user, a second sign-up, one-time
/// codes and HTTP authentication are left to the others.
@Suite("Real applications", .serialized, .blocking, .timeLimit(.minutes(60)))
struct ApplicationTests {
    private static let chromium = WebBrowser.chromium.another()
    private static let firefox = WebBrowser.firefox.another()
    private static let isFull = ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1"
    private static let quickInChromium = ["flask_security", "radicale"]
    private static let quickInFirefox = ["django_admin", "flask_security"]
    private static let all = [
        "adminer", "appbuilder", "django_admin", "django_allauth", "dokuwiki", "flask_security", "jupyter_server",
        "jupyterhub", "mediawiki", "nginx", "phpmyadmin", "radicale", "trac", "wordpress",
    ]
    private static let codes = ["code after a typed password", "wrong code"]
    private static let frames = ["frame of the site", "frame of another site"]
    private static let authentication = ["HTTP authentication", "wrong password of HTTP authentication"]
    /// What a visit has besides signing in, where it is not quick.
    private static let others = [
        "django_allauth": codes, "flask_security": codes, "nginx": authentication,
        "radicale": frames + authentication,
    ]

    private func visit(_ name: String, in browser: WebBrowser) throws {
        let seen = try browser.run("application \(name)\(Self.isFull ? "" : " quick")")
        if let reason = seen["skipped"] as? String { try Test.cancel("\(name): \(reason)") }
        let steps = try #require(seen["steps"] as? [String: Double])
        // nginx has no page for signing in.
        let needed =
            (name == "nginx" ? [] : ["sign-in", "wrong password"]) + (Self.isFull ? Self.others[name] ?? [] : [])
        #expect(needed.allSatisfy { steps[$0] != nil } && steps.count >= needed.count + 1, "\(steps)")
    }

    @Test(
        "After each step the vault has what the application accepts, in Chromium",
        .enabled(if: WebBrowser.chromium.isThere, WebBrowser.chromium.need), arguments: isFull ? all : quickInChromium)
    func chromium(_ name: String) throws { try visit(name, in: Self.chromium) }

    @Test(
        "The same in Firefox", .enabled(if: WebBrowser.firefox.isThere, WebBrowser.firefox.need),
        arguments: isFull ? all : quickInFirefox)
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
