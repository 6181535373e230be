// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

/// The extension's JSDoc, checked by TypeScript against the browsers' API (Types/browser.d.ts).
@Suite(
    "The types of the extension", .blocking, .timeLimit(.minutes(10)),
    .enabled(if: ForeignProgram.isInstalled("tsc"), "needs TypeScript: apt-get install node-typescript"))
struct TypeTests {
    /// Files with a common global scope, as the browser loads them; modules by their entry points.
    private static let programs = [
        [
            "background/main.js", "bar/texts.js", "popup/popup.js", "popup/search.js", "popup/signin.js",
            "options/options.js", "options/own.js",
        ],
        ["content"], ["menu/theme.js", "menu/say.js", "menu/guard.js", "menu/menu.js"],
        ["menu/theme.js", "menu/say.js", "menu/guard.js", "bar/texts.js", "bar/bar.js"], ["popup/empty.js"],
    ]

    private func check(_ files: [String], in folder: String) throws -> ForeignProgram {
        try ForeignProgram(
            "tsc",
            [
                "--noEmit", "--allowJs", "--checkJs", "--strict", "--noImplicitAny", "false", "--target", "es2022",
                "--module", "es2022", "--moduleResolution", "node", "--lib", "es2022,dom,dom.iterable",
                WebBrowser.folder + "Types/browser.d.ts",
            ] + files.map { folder + "/" + $0 })
    }

    /// The content scripts, in the manifest's order.
    private func content() throws -> [String] {
        let manifest = try Data(contentsOf: URL(filePath: WebBrowser.extensionFolder + "/manifest.json"))
        let members = try #require(JSONSerialization.jsonObject(with: manifest) as? [String: Any])
        let scripts = try #require(members["content_scripts"] as? [[String: Any]])
        return try #require(scripts.first?["js"] as? [String])
    }

    @Test("Every script matches its JSDoc", arguments: programs)
    func types(_ program: [String]) throws {
        let run = try check(program == ["content"] ? content() : program, in: WebBrowser.extensionFolder)
        #expect(run.status == 0, "\(run.output)")
    }

    @Test("The check finds a wrong type, and every script is checked")
    func finds() throws {
        let directory = try TemporaryDirectory()
        let wrong = "/** @type {chrome.runtime.Port} */\nconst port = chrome.tabs;\nport.postMessage(7);\n"
        try wrong.write(toFile: directory.path + "/wrong.js", atomically: true, encoding: .utf8)
        let run = try check(["wrong.js"], in: directory.path)
        #expect(run.status != 0 && run.output.contains("TS2345"), "\(run.output)")
        let scripts = try FileManager.default.subpathsOfDirectory(atPath: WebBrowser.extensionFolder)
            .filter { $0.hasSuffix(".js") }
        let imported = try scripts.filter { script in
            try scripts.contains { other in
                let text = try String(contentsOfFile: WebBrowser.extensionFolder + "/" + other, encoding: .utf8)
                return text.contains("/" + URL(filePath: script).lastPathComponent + "\"")
            }
        }
        let given = Set(Self.programs.joined()).union(try content()).union(imported)
        #expect(Set(scripts).isSubset(of: given), "\(Set(scripts).subtracting(given))")
    }
}
