// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

/// The page of `autofillctl rules playground`, used by Driver/playground.py.
@Suite("The page for password rules", .serialized, .blocking, .timeLimit(.minutes(15)))
struct PlaygroundPageTests {
    private static let isFull = ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1"

    /// Drives a browser at the page of a real autofillctl, with one known site.
    private func drive(_ browser: String, to target: String = "-") throws {
        let folder = try TemporaryDirectory()
        try folder.write(
            "quirks/password-rules.json",
            #"{"shop.example.com": {"password-rules": "minlength: 8; required: digit;"}}"#)
        let data = ["--data-directory", folder.path + "/data"]
        let program = try DaemonProcess.program("autofillctl")
        let imported = try ForeignProgram(program, ["quirks", "import", folder.path + "/quirks"] + data)
        try #require(imported.status == 0, "\(imported.output)")
        let driver = [WebBrowser.folder + "Driver/playground.py", browser, target, program]
        let run = try ForeignProgram(
            try #require(WebBrowser.python), driver + ["rules", "playground", "--no-open"] + data,
            ["PYTHONDONTWRITEBYTECODE": "1"])
        #expect(run.status == 0, "\(run.output)")
    }

    @Test(
        "Mistakes, figures, a download, keys and contrast, in Chromium; a page of another origin gets nothing",
        .enabled(if: WebBrowser.chromium.isThere, WebBrowser.chromium.need))
    func chromium() throws { try drive("chromium") }

    @Test(
        "The same in Firefox", .enabled(if: WebBrowser.firefox.isThere, WebBrowser.firefox.need),
        .enabled(if: Self.isFull, "AUTOFILL_FULL=1"))
    func firefox() throws { try drive("firefox") }

    @Test(
        "README's pictures of it are taken again where AUTOFILL_UPDATE_DOCS is 1",
        .enabled(if: ProcessInfo.processInfo.environment["AUTOFILL_UPDATE_DOCS"] == "1"))
    func screenshots() throws { try drive("chromium", to: WebBrowser.folder + "Screenshots") }
}
