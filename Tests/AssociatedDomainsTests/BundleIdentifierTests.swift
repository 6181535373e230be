// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import Testing

@Suite("Bundle IDs")
struct BundleIdentifierTests {
    @Test(
        "A reverse-DNS name is accepted unchanged",
        arguments: [
            "org.example.Shop", "a.b", "org.gnome.Epiphany.Devel", "org._7zip.Archiver", "io.github.a-b.C_d",
            "com.appletree.Shop", "org.autofilldx.App",
        ])
    func accepted(text: String) throws {
        #expect(try BundleIdentifier(text).text == text)
    }

    @Test(
        "Each way of being wrong has an error of its own",
        arguments: [
            ("", BundleIdentifierError.empty),
            ("Shop", .singleLabel),
            ("org..Shop", .emptyLabel),
            (".org.Shop", .emptyLabel),
            ("org.Shop.", .emptyLabel),
            ("-org.Shop", .leadingHyphen),
            ("org.example/Shop", .invalidCharacter("/")),
            ("org.exämple", .invalidCharacter("ä")),
            ("org.example.Shop\n", .invalidCharacter("\n")),
            ("org.example.\u{0}", .invalidCharacter("\u{0}")),
            ("org.autofilld.Control", .reserved(prefix: "org.autofilld.")),
            ("Com.Apple.mail", .reserved(prefix: "com.apple.")),
            ("com.apple", .reserved(prefix: "com.apple.")),
        ])
    func refused(text: String, error: BundleIdentifierError) {
        #expect(throws: error) { try BundleIdentifier(text) }
    }

    @Test("255 bytes are the most")
    func length() throws {
        let longest = "a." + String(repeating: "b", count: 253)
        #expect(try BundleIdentifier(longest).text == longest)
        #expect(throws: BundleIdentifierError.tooLong(bytes: 256)) { try BundleIdentifier(longest + "b") }
    }

    @Test("A program of this package may use a reserved name")
    func ownPrograms() throws {
        #expect(try BundleIdentifier("org.autofilld.autofillctl", allowingReserved: true).text.hasSuffix("autofillctl"))
    }

    @Test("Upper and lower case differ")
    func letterCase() throws {
        #expect(try BundleIdentifier("org.example.Shop") != BundleIdentifier("org.example.shop"))
    }
}
