// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import AssociationFetch
import Testing

@Suite("The files of a site")
struct AssociationFileTests {
    fileprivate static func appleText(_ apps: String) -> String { #"{"webcredentials":{"apps":[\#(apps)]}}"# }

    fileprivate static func statement(
        relation: String = #"["delegate_permission/common.get_login_creds"]"#, space: String = "linux_app",
        app: String = #""org.example.Shop""#
    ) -> String {
        #"{"relation":\#(relation),"target":{"namespace":"\#(space)","bundle_id":\#(app)}}"#
    }

    @Test(
        "Apple's file lists apps by entries with the prefix linux., and nothing else counts",
        arguments: [
            (AssociationFileTests.appleText(#""linux.org.example.Shop""#), ["org.example.Shop"]),
            (
                AssociationFileTests.appleText(#""linux.org.example.Shop","linux.org.example.Shop""#),
                ["org.example.Shop"]
            ),
            (
                AssociationFileTests.appleText(
                    #""ABCDE12345.org.example.Shop","org.example.Shop","LINUX.org.example.Shop""#), []
            ),
            (
                AssociationFileTests.appleText(#""linux.linux.org.example","linux.Org.Example.SHOP""#),
                ["linux.org.example", "Org.Example.SHOP"]
            ),
            (AssociationFileTests.appleText(#""\u006cinux.org.example.Shop""#), ["org.example.Shop"]),
            (
                AssociationFileTests.appleText(
                    #""linux.","linux.Shop","linux.com.apple.Mail","linux.org.autofilld.x","linux.a..b""#), []
            ),
            (AssociationFileTests.appleText(""), []),
            (#"{"a":1e400,"b":[{}],"webcredentials":{"x":null,"apps":[]}}"#, []),
        ])
    func entriesOfApple(text: String, apps: [String]) throws {
        let association = try AssociationFile.apple.association(in: Array(text.utf8))
        #expect(association.apps.map(\.text) == apps)
        for app in apps { #expect(association.lists(try BundleIdentifier(app))) }
    }

    @Test("Entries for Linux that name no bundle ID are counted")
    func malformed() throws {
        let text = Self.appleText(#""linux.","linux.com.apple.Mail","ABCDE12345.x","linux.org.example.Shop""#)
        #expect(try AssociationFile.apple.association(in: Array(text.utf8)).malformed == 2)
    }

    @Test(
        "Apple's file in another shape is refused with the position",
        arguments: [
            ("[]", SiteAssociationError.wrongType("", wanted: "an object")),
            ("{}", .missing("webcredentials")),
            (#"{"webcredentials":[]}"#, .wrongType("webcredentials", wanted: "an object")),
            (#"{"webcredentials":{}}"#, .missing("webcredentials.apps")),
            (#"{"webcredentials":{"apps":{}}}"#, .wrongType("webcredentials.apps", wanted: "an array")),
            (AssociationFileTests.appleText("1"), .wrongType("webcredentials.apps", wanted: "an array of strings")),
            (
                AssociationFileTests.appleText(#"["linux.org.example.Shop"]"#),
                .wrongType("webcredentials.apps", wanted: "an array of strings")
            ),
        ])
    func appleRefused(text: String, error: SiteAssociationError) {
        #expect(throws: error) { try AssociationFile.apple.association(in: Array(text.utf8)) }
    }

    @Test(
        "What is not strict JSON is refused",
        arguments: ["", "<html>", "{", #"{"webcredentials":{},"webcredentials":{}}"#, "\u{FEFF}{}", "{} {}", "{,}"])
    func notJSON(text: String) {
        for file in AssociationFile.allCases {
            #expect {
                try file.association(in: Array(text.utf8))
            } throws: { error in
                if case .notJSON? = error as? SiteAssociationError { true } else { false }
            }
        }
    }

    @Test("What is not UTF-8 is refused") func notUTF8() {
        #expect(throws: SiteAssociationError.self) {
            try AssociationFile.apple.association(in: Array(#"{"webcredentials":{"apps":["linux."#.utf8) + [0xFF])
        }
    }

    @Test(
        "A statement counts for a Linux app and the relation of log-in credentials",
        arguments: [
            ("[\(AssociationFileTests.statement())]", ["org.example.Shop"]),
            (
                "[\(AssociationFileTests.statement(relation: #"["x","delegate_permission/common.get_login_creds"]"#))]",
                ["org.example.Shop"]
            ),
            ("[\(AssociationFileTests.statement(relation: #"["delegate_permission/common.handle_all_urls"]"#))]", []),
            ("[\(AssociationFileTests.statement(space: "android_app"))]", []),
            (#"[{"relation":[],"target":{"namespace":"web","site":"https://example.com"}},{}]"#, []),
            ("[]", []),
        ])
    func ofLinuxApps(text: String, apps: [String]) throws {
        #expect(try AssociationFile.statements.association(in: Array(text.utf8)).apps.map(\.text) == apps)
    }

    @Test(
        "A statement about a Linux app that is incomplete is refused with the position",
        arguments: [
            ("{}", SiteAssociationError.wrongType("", wanted: "an array of statements")),
            ("[1]", .wrongType("", wanted: "an array of statements")),
            (#"[{"target":{"namespace":"linux_app"}}]"#, .wrongType("relation", wanted: "an array of strings")),
            (
                "[\(AssociationFileTests.statement(relation: #""x""#))]",
                .wrongType("relation", wanted: "an array of strings")
            ),
            ("[\(AssociationFileTests.statement(app: "1"))]", .wrongType("target.bundle_id", wanted: "a string")),
            (
                #"[{"relation":["delegate_permission/common.get_login_creds"],"target":{"namespace":"linux_app"}}]"#,
                .missing("target.bundle_id")
            ),
        ])
    func statementsRefused(text: String, error: SiteAssociationError) {
        #expect(throws: error) { try AssociationFile.statements.association(in: Array(text.utf8)) }
    }

    @Test("A thousand apps are accepted, and one more is refused")
    func manyApps() throws {
        func text(_ count: Int) -> [UInt8] {
            Array(Self.appleText((0..<count).map { #""linux.org.example.App\#($0)""# }.joined(separator: ",")).utf8)
        }
        #expect(try AssociationFile.apple.association(in: text(1000)).apps.count == 1000)
        #expect(throws: SiteAssociationError.tooManyApps) { try AssociationFile.apple.association(in: text(1001)) }
    }
}
