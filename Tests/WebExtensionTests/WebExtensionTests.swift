// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

@Suite(
    "The extension in Chromium", .serialized, .blocking, .timeLimit(.minutes(10)),
    .enabled(if: WebBrowser.chromium.isThere, WebBrowser.chromium.need))
struct ChromiumTests {
    @Test("On real pages, with the real daemon", arguments: Scenario.others)
    func scenario(_ scenario: Scenario) throws { try WebBrowser.chromium.run(scenario.rawValue) }

    /// The public forms with which the daemon's classification is tested; a tenth of them where AUTOFILL_FULL is not 1.
    @Test(
        "In real forms the fields of the daemon's classification are filled, and no others",
        .enabled("the forms are not on this machine") { WebBrowser.hasForms })
    func forms() throws {
        let isFull = ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1"
        let filled = try WebBrowser.chromium.run("forms \(isFull ? 1 : 15)")["filled"] as? Int ?? 0
        #expect(filled >= (isFull ? 200 : 14))
    }

    @Test(
        "README's pictures are taken again where AUTOFILL_UPDATE_DOCS is 1",
        .enabled(if: ProcessInfo.processInfo.environment["AUTOFILL_UPDATE_DOCS"] == "1"))
    func screenshots() throws {
        let python = try #require(WebBrowser.python)
        let programs = URL(filePath: try DaemonProcess.program("autofilld")).deletingLastPathComponent().path
        let folder = WebBrowser.folder
        let arguments = [
            folder + "Driver/screenshots.py", programs, WebBrowser.extensionFolder, folder + "Pages",
            folder + "Screenshots",
        ]
        let run = try ForeignProgram(python, arguments, ["PYTHONDONTWRITEBYTECODE": "1"])
        #expect(run.status == 0, "\(run.output)")
    }

    @Test("No scenario of the driver is left out")
    func all() throws {
        let python = try #require(WebBrowser.python)
        let driver = WebBrowser.folder + "Driver/drive.py"
        let list = try ForeignProgram(python, [driver, "list"], ["PYTHONDONTWRITEBYTECODE": "1"])
        #expect(list.output.split(separator: "\n").map(String.init) == Scenario.allCases.map(\.rawValue))
    }
}

@Suite(
    "The extension in Firefox", .serialized, .blocking, .timeLimit(.minutes(10)),
    .enabled(if: WebBrowser.firefox.isThere, WebBrowser.firefox.need))
struct FirefoxTests {
    @Test("On real pages, with the real daemon", arguments: Scenario.others)
    func scenario(_ scenario: Scenario) throws { try WebBrowser.firefox.run(scenario.rawValue) }
}

@Suite("Clicks on the menu", .serialized, .blocking, .timeLimit(.minutes(10)))
struct ClickTests {
    private static let chromium = WebBrowser.chromium.another()
    private static let firefox = WebBrowser.firefox.another()

    @Test(
        "The user's clicks, in Chromium", .enabled(if: WebBrowser.chromium.isThere, WebBrowser.chromium.need),
        arguments: Scenario.ofClicks)
    func chromium(_ scenario: Scenario) throws { try Self.chromium.run(scenario.rawValue) }

    @Test(
        "The same in Firefox", .enabled(if: WebBrowser.firefox.isThere, WebBrowser.firefox.need),
        arguments: Scenario.ofClicks)
    func firefox(_ scenario: Scenario) throws { try Self.firefox.run(scenario.rawValue) }
}

@Suite("The bar that asks whether a password is saved", .serialized, .blocking, .timeLimit(.minutes(10)))
struct BarTests {
    private static let chromium = WebBrowser.chromium.another()
    private static let firefox = WebBrowser.firefox.another()

    @Test(
        "The user's answers, in Chromium", .enabled(if: WebBrowser.chromium.isThere, WebBrowser.chromium.need),
        arguments: Scenario.ofTheBar)
    func chromium(_ scenario: Scenario) throws { try Self.chromium.run(scenario.rawValue) }

    @Test(
        "The same in Firefox", .enabled(if: WebBrowser.firefox.isThere, WebBrowser.firefox.need),
        arguments: Scenario.ofTheBar)
    func firefox(_ scenario: Scenario) throws { try Self.firefox.run(scenario.rawValue) }
}

/// Scenarios at a site that refuses; where AUTOFILL_FULL is 1 with all kinds of sites, also in Firefox, and 200 walks in each browser.
@Suite("Nothing is saved that the site has not accepted", .serialized, .blocking, .timeLimit(.minutes(180)))
struct SavingTests {
    private static let chromium = WebBrowser.chromium.another()
    private static let firefox = WebBrowser.firefox.another()
    private static let isFull = ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1"

    @Test(
        "At a site that refuses, in Chromium", .enabled(if: WebBrowser.chromium.isThere, WebBrowser.chromium.need),
        arguments: Scenario.ofSaving)
    func chromium(_ scenario: Scenario) throws { try Self.chromium.run(scenario.rawValue) }

    @Test(
        "The same in Firefox", .enabled(if: WebBrowser.firefox.isThere, WebBrowser.firefox.need),
        .enabled(if: Self.isFull, "AUTOFILL_FULL=1, some six minutes"),
        arguments: Scenario.ofSaving)
    func firefox(_ scenario: Scenario) throws { try Self.firefox.run(scenario.rawValue) }

    @Test(
        "Random walks save nothing false, and replace no right password",
        .enabled(if: Self.isFull, "AUTOFILL_FULL=1, up to three hours"),
        arguments: [WebBrowser.chromium, .firefox].filter(\.isThere))
    func walk(_ browser: WebBrowser) throws {
        let seen = try browser.another(as: .hasty).runOnce("saving 200 1")
        // Something was saved, which could have been false.
        #expect(seen["saved"] as? Int ?? 0 > 0 && seen["sent"] as? Int ?? 0 > 400, "\(seen)")
    }
}

@Suite(
    "The extension, installed", .serialized, .blocking, .timeLimit(.minutes(10)),
    .enabled("needs root, and the right to mount overlays") { WebBrowser.canBeInstalled })
struct InstalledTests {
    /// The host is a delegate: the daemon inspects the browser that is its parent, and the record names both.
    private func check(_ browser: WebBrowser, _ bundleID: String) throws {
        try browser.run(Scenario.signInOneAccount.rawValue)
        let releases = try #require(browser.run("releases")["releases"] as? [[String: Any]])
        #expect(releases.count == 2)
        for release in releases {
            #expect(release["bundleID"] as? String == bundleID)
            #expect(release["assurance"] as? String == "installed")
            #expect(release["executable"] as? String == "\(browser.program) through /usr/bin/autofill-browser")
        }
    }

    @Test(
        "Chromium loads the packaged extension, is identified by its process, and the host acts for it",
        .enabled(if: WebBrowser.chromium.isThere, WebBrowser.chromium.need))
    func chromium() throws { try check(WebBrowser.chromium.another(as: .installed), "org.chromium.Chromium") }

    @Test("Firefox does the same", .enabled(if: WebBrowser.firefox.isThere, WebBrowser.firefox.need))
    func firefox() throws { try check(WebBrowser.firefox.another(as: .installed), "org.mozilla.firefox") }
}

/// A walk of 100 steps in each browser; where AUTOFILL_FULL is 1, of 2,000.
@Suite("No document learns what is another site's", .serialized, .blocking, .timeLimit(.minutes(60)))
struct SiteIsolationTests {
    private func walk(_ browser: WebBrowser) throws {
        let isFull = ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1"
        let steps = isFull ? 2000 : 100
        let seen = try browser.another(as: .tapped).runOnce("walk \(steps) 1")
        // There was data of each site, which could have leaked.
        #expect(seen["pages"] as? Int ?? 0 > steps / 20 && seen["frames"] as? Int ?? 0 > steps / 40, "\(seen)")
    }

    @Test(
        "Two sites, frames and navigations in between, in Chromium",
        .enabled(if: WebBrowser.chromium.isThere, WebBrowser.chromium.need))
    func chromium() throws { try walk(.chromium) }

    @Test("The same in Firefox", .enabled(if: WebBrowser.firefox.isThere, WebBrowser.firefox.need))
    func firefox() throws { try walk(.firefox) }
}
