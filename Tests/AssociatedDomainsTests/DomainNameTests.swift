// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import Testing

@Suite("Domain names")
struct DomainNameTests {
    @Test(
        "A full name becomes lower case and nothing else",
        arguments: [
            ("example.com", "example.com"), ("Shop.EXAMPLE.com", "shop.example.com"), ("3com.com", "3com.com"),
            ("a.b.c.d.example", "a.b.c.d.example"), ("xn--bcher-kva.example", "xn--bcher-kva.example"),
            ("XN--BCHER-KVA.example", "xn--bcher-kva.example"), ("xn--e1afmkfd.xn--p1ai", "xn--e1afmkfd.xn--p1ai"),
            ("r3---sn-4g5e.example.com", "r3---sn-4g5e.example.com"), ("1.2.3.4.example", "1.2.3.4.example"),
        ])
    func accepted(text: String, canonical: String) throws {
        #expect(try DomainName(text).text == canonical)
    }

    @Test(
        "Each way of being wrong has an error of its own",
        arguments: [
            ("", DomainNameError.empty),
            ("localhost", .singleLabel),
            ("com", .singleLabel),
            ("example.com.", .trailingDot),
            (".example.com", .emptyLabel),
            ("shop..example.com", .emptyLabel),
            ("127.0.0.1", .addressLiteral),
            ("2130706433", .addressLiteral),
            ("0x7f.1", .addressLiteral),
            ("192.168.0.0x1", .addressLiteral),
            ("[::1]", .addressLiteral),
            ("2001:db8::1", .addressLiteral),
            ("example.com:443", .port),
            ("https://example.com", .scheme),
            ("//example.com", .scheme),
            ("user@example.com", .userInformation),
            ("example.com/login", .path),
            ("example.com?x", .path),
            ("example.com#x", .path),
            ("*.example.com", .wildcard),
            ("sh*p.example.com", .wildcard),
            ("_dmarc.example.com", .invalidCharacter("_")),
            ("shop example.com", .invalidCharacter(" ")),
            ("shop.example.com\n", .invalidCharacter("\n")),
            ("-shop.example.com", .hyphenAtEdge("-shop")),
            ("shop-.example.com", .hyphenAtEdge("shop-")),
            ("xn--.example", .hyphenAtEdge("xn--")),
            ("xn--a.example", .invalidALabel("xn--a")),
            ("xn--abc-.example", .hyphenAtEdge("xn--abc-")),
            ("xn--99999999.example", .invalidALabel("xn--99999999")),
            ("xn--bcher-kvb0000000.example", .invalidALabel("xn--bcher-kvb0000000")),
        ])
    func refused(text: String, error: DomainNameError) {
        #expect(throws: error) { try DomainName(text) }
    }

    @Test("63 bytes a label and 253 in all are the most")
    func lengths() throws {
        let label = String(repeating: "a", count: 63)
        #expect(try DomainName(label + ".example").text.utf8.count == 71)
        #expect(throws: DomainNameError.labelTooLong(label + "a")) { try DomainName(label + "a.example") }
        let longest = [label, label, label, String(repeating: "b", count: 61)].joined(separator: ".")
        #expect(try DomainName(longest).text.utf8.count == 253)
        #expect(throws: DomainNameError.tooLong(bytes: 254)) { try DomainName(longest + "b") }
    }

    @Test(
        "A name outside ASCII is refused with its A-label form, where that form is certain",
        arguments: [
            ("bücher.example", "xn--bcher-kva.example"), ("Bücher.Example", "xn--bcher-kva.example"),
            ("пример.рф", "xn--e1afmkfd.xn--p1ai"), ("例え.example", "xn--r8jz45g.example"),
            ("straße.example", nil), ("bu\u{308}cher.example", nil), ("ｅxample.com", nil), ("example。com", nil),
            ("\u{202E}moc.example", nil),
        ] as [(String, String?)])
    func suggestion(text: String, suggestion: String?) {
        #expect(throws: DomainNameError.notASCII(suggestion: suggestion)) { try DomainName(text) }
    }

    @Test("Below means one or more whole labels below")
    func below() throws {
        let domain = try DomainName("example.com")
        #expect(try DomainName("shop.example.com").isBelow(domain))
        #expect(try DomainName("a.shop.example.com").isBelow(domain))
        #expect(!domain.isBelow(domain))
        #expect(try !DomainName("badexample.com").isBelow(domain))
        #expect(try !DomainName("example.com.evil.org").isBelow(domain))
    }

    @Test(
        "What foreign text an error quotes cannot break its line",
        arguments: ["shop\u{1B}[2J.example.com", "shop\u{2028}x.example.com", "-shop\u{7}.example.com"])
    func quoting(text: String) {
        let error = #expect(throws: DomainNameError.self) { try DomainName(text) }
        let isClean = error?.description.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{2028}" }
        #expect(isClean == true)
    }
}
