// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import Testing

@Suite("App names, paths and quoted text")
struct NamesAndPathsTests {
    @Test("A name of any script is accepted", arguments: ["Shop", "Bücher & Mehr", "買い物", "متجر", "Shop 🛒"])
    func name(text: String) throws {
        #expect(try AppName(text).text == text)
    }

    @Test(
        "A name that could forge a prompt is refused",
        arguments: [
            ("", AppNameError.empty), ("Shop\nAllow", .invalidCharacter("\n")),
            ("Shop\u{202E}", .invalidCharacter("\u{202E}")),
            ("Shop\u{200B}", .invalidCharacter("\u{200B}")), ("Shop\u{A0}X", .invalidCharacter("\u{A0}")),
            ("Shop\u{2028}", .invalidCharacter("\u{2028}")), ("Shop\u{1B}[0m", .invalidCharacter("\u{1B}")),
            (" Shop", .spaceAtEdge), ("Shop ", .spaceAtEdge),
            (String(repeating: "x", count: 65), .tooLong(scalars: 65)),
        ])
    func refusedName(text: String, error: AppNameError) {
        #expect(throws: error) { try AppName(text) }
    }

    @Test(
        "A path from the root in its only spelling is accepted",
        arguments: ["/usr/bin/shop", "/a", "/opt/My Shop/..x/.y"])
    func path(text: String) throws {
        #expect(try AbsolutePath(text).text == text)
    }

    @Test(
        "Any other path is refused",
        arguments: [
            ("", AbsolutePathError.notAbsolute), ("usr/bin/shop", .notAbsolute), ("~/shop", .notAbsolute),
            ("/", .notNormal), ("/usr/bin/", .notNormal), ("/usr//bin", .notNormal), ("/usr/../bin/x", .notNormal),
            ("/usr/./bin", .notNormal), ("/usr/bin/..", .notNormal), ("/usr/\u{0}x", .invalidCharacter("\u{0}")),
            ("/usr/\nx", .invalidCharacter("\n")), ("/" + String(repeating: "x", count: 4095), .tooLong(bytes: 4096)),
        ])
    func refusedPath(text: String, error: AbsolutePathError) {
        #expect(throws: error) { try AbsolutePath(text) }
    }

    @Test(
        "Quoted text is one line, cut, and shows what it hides",
        arguments: [
            ("shop", #""shop""#), (#"a"b\c"#, #""a\"b\\c""#), ("a\nb", #""a\u{A}b""#),
            ("a\u{202E}b", #""a\u{202E}b""#),
            (String(repeating: "x", count: 129), "\"" + String(repeating: "x", count: 128) + "…\""),
        ])
    func quoting(text: String, quoted: String) {
        #expect(text.quoted == quoted)
    }

    @Test("The nearest name is found, and none where nothing is near")
    func nearest() {
        let names = ["bundleID", "name", "executables", "entitlements"]
        #expect("bundleid".nearest(of: names) == "bundleID")
        #expect("executeables".nearest(of: names) == "executables")
        #expect("entitlement".nearest(of: names) == "entitlements")
        #expect("colour".nearest(of: names) == nil)
        #expect("".nearest(of: names) == nil)
        #expect("x".nearest(of: []) == nil)
    }
}
