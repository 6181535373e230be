// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

@Suite(
    "The extension in Chromium", .serialized, .blocking, .timeLimit(.minutes(10)),
    .enabled(if: WebBrowser.chromium.isThere, WebBrowser.chromium.need))
struct ChromiumTests {
    @Test("On real pages, with the real daemon", arguments: Scenario.allCases)
    func scenario(_ scenario: Scenario) throws { try WebBrowser.chromium.run(scenario.rawValue) }

    /// The public forms that the daemon's reading is held to; a tenth of them where AUTOFILL_FULL is not 1.
    @Test(
        "Of real forms what the daemon's reading says is filled, and nothing else",
        .enabled("the forms are not on this machine") { WebBrowser.hasForms })
    func forms() throws {
        let isFull = ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1"
        let filled = try WebBrowser.chromium.run("forms \(isFull ? 1 : 15)")["filled"] as? Int ?? 0
        #expect(filled >= (isFull ? 200 : 14))
    }

    @Test(
        "README's pictures are taken anew where AUTOFILL_UPDATE_DOCS is 1",
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
    @Test("On real pages, with the real daemon", arguments: Scenario.allCases)
    func scenario(_ scenario: Scenario) throws { try WebBrowser.firefox.run(scenario.rawValue) }
}

@Suite(
    "The extension, installed", .serialized, .blocking, .timeLimit(.minutes(5)),
    .enabled("needs root, and the right to mount overlays") { WebBrowser.canBeInstalled })
struct InstalledTests {
    /// The host is a delegate: the daemon looks at the browser that is its parent, and the record names both.
    private func check(_ browser: WebBrowser, _ bundleID: String, _ program: String) throws {
        try browser.run(Scenario.signInOneAccount.rawValue)
        let releases = try #require(browser.run("releases")["releases"] as? [[String: Any]])
        #expect(releases.count == 2)
        for release in releases {
            #expect(release["bundleID"] as? String == bundleID)
            #expect(release["assurance"] as? String == "installed")
            #expect(release["executable"] as? String == "\(program) through /etc/autofilld/autofill-browser")
        }
    }

    @Test(
        "Chromium is known by its process, and the host speaks for it",
        .enabled(if: WebBrowser.chromium.isThere, WebBrowser.chromium.need))
    func chromium() throws {
        let program = "/usr/lib/chromium/chromium"
        try check(WebBrowser("chromium", program, isInstalled: true), "org.chromium.Chromium", program)
    }

    @Test("So is Firefox", .enabled(if: WebBrowser.firefox.isThere, WebBrowser.firefox.need))
    func firefox() throws {
        let program = "/usr/lib/firefox-esr/firefox-esr"
        try check(WebBrowser("firefox", program, isInstalled: true), "org.mozilla.firefox", program)
    }
}
