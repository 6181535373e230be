// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

@Suite(
    "The extension's background without a browser", .blocking,
    .enabled("node is not installed: apt-get install nodejs") { ForeignProgram.isInstalled("node") })
struct BackgroundTests {
    /// Runs a program of Driver with the folder of the background's modules, beside the extension's others.
    private func run(_ name: String) throws {
        let directory = try TemporaryDirectory()
        let folder = directory.path + "/extension"
        try FileManager.default.copyItem(atPath: WebBrowser.extensionFolder, toPath: folder)
        // Node.js reads the files as modules, as the manifest states for browsers.
        try #"{"type": "module"}"#.write(
            toFile: directory.path + "/package.json", atomically: true, encoding: .utf8)
        let run = try ForeignProgram("node", [WebBrowser.folder + "Driver/" + name, folder + "/background"])
        #expect(run.status == 0, "\(run.output)")
    }

    @Test("Undo reverts what the save has made or replaced, and nothing that existed before or was changed since")
    func undo() throws { try run("undo.mjs") }

    @Test("A password without a user name is nobody's without evidence, and no question or accepted password is lost")
    func owners() throws { try run("owners.mjs") }

    @Test("A menu, the bar and the content script take nothing for what it was not when the user saw or filled it")
    func pages() throws { try run("pages.mjs") }
}
