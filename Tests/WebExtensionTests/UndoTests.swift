// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

/// The extension's background without a browser, in Driver/undo.mjs.
@Suite(
    "Undo after a save", .blocking,
    .enabled("node is not installed: apt-get install nodejs") { ForeignProgram.isInstalled("node") })
struct UndoTests {
    @Test("Undo reverts what the save has made or replaced, and nothing that existed before or was changed since")
    func combinations() throws {
        let directory = try TemporaryDirectory()
        let folder = directory.path + "/background"
        try FileManager.default.copyItem(atPath: WebBrowser.extensionFolder + "/background", toPath: folder)
        // Node.js reads the files as modules, as the manifest states for browsers.
        try #"{"type": "module"}"#.write(
            toFile: directory.path + "/package.json", atomically: true, encoding: .utf8)
        let run = try ForeignProgram("node", [WebBrowser.folder + "Driver/undo.mjs", folder])
        #expect(run.status == 0, "\(run.output)")
    }
}
