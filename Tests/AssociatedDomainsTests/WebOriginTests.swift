// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import Testing

@Suite("Origins of web pages")
struct WebOriginTests {
    @Test(
        "An origin is read into canonical form: lower case, without the scheme's own port, addresses in one spelling",
        arguments: [
            ("https://example.com", "https://example.com"), ("HTTPS://Login.Example.COM", "https://login.example.com"),
            ("https://example.com:443", "https://example.com"), ("http://localhost:80", "http://localhost"),
            ("http://example.com:443", "http://example.com:443"),
            ("https://example.com:8443", "https://example.com:8443"),
            ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"), ("http://router", "http://router"),
            ("http://192.168.1.1:8080", "http://192.168.1.1:8080"), ("http://[::1]:3000", "http://[::1]:3000"),
            ("https://[2001:DB8:0:0:0:0:0:1]", "https://[2001:db8::1]"),
            ("https://[2001:db8:0:1:1:1:1:1]", "https://[2001:db8:0:1:1:1:1:1]"),
            ("https://[1:0:0:2:0:0:0:3]", "https://[1:0:0:2::3]"),
            ("https://[::ffff:192.168.0.1]", "https://[::ffff:c0a8:1]"),
            ("https://[fe80::]", "https://[fe80::]"), ("https://[::]", "https://[::]"),
        ])
    func canonical(text: String, expected: String) throws {
        let origin = try WebOrigin(text)
        #expect(origin.text == expected)
        #expect(try WebOrigin(expected) == origin, "the canonical form is itself valid")
    }

    @Test(
        "What is no origin of a web page is refused, each with its own error",
        arguments: [
            ("null", WebOriginError.opaque), ("file://", .notWeb), ("data:text/html,x", .notWeb),
            ("about:blank", .notWeb),
            ("chrome-extension://abcdefghijklmnop", .notWeb), ("ftp://example.com", .notWeb), ("", .noScheme),
            ("example.com", .noScheme), ("https://ann@example.com", .userInformation),
            ("https://ann:s3cret@example.com", .userInformation), ("https://example.com/", .path),
            ("https://example.com?x", .path), ("https://example.com#x", .path), ("https://example.com\\x", .path),
            ("https://example.com:", .port), ("https://example.com:0", .port), ("https://example.com:65536", .port),
            ("https://example.com:+80", .port), ("https://example.com:8a", .port), ("https://", .host(.empty)),
            ("https://bücher.example", .host(.notASCII(suggestion: "xn--bcher-kva.example"))),
            ("https://example.com.", .host(.trailingDot)), ("https://256.1.1.1", .host(.addressLiteral)),
            ("https://1.2.3", .host(.addressLiteral)), ("https://[::1", .port),
            ("https://[1::2::3]", .host(.addressLiteral)),
            ("https://[12345::]", .host(.addressLiteral)), ("https://[1:2:3:4:5:6:7:8:9]", .host(.addressLiteral)),
            ("https://[fe80::1%eth0]", .host(.addressLiteral)), ("https://[1:2:3:4:5:6:7::8]", .host(.addressLiteral)),
        ])
    func refused(text: String, error: WebOriginError) {
        #expect(throws: error) { try WebOrigin(text) }
        #expect(!error.reason.isEmpty && !error.fix.isEmpty)
    }

    @Test(
        "http is served at localhost, at private addresses and at single-label names, and nowhere else",
        arguments: [
            ("http://localhost", true), ("http://app.localhost:3000", true), ("http://127.0.0.1", true),
            ("http://[::1]", true),
            ("http://10.0.0.1", true), ("http://172.16.0.1", true), ("http://172.31.255.255", true),
            ("http://172.32.0.1", false),
            ("http://172.15.0.1", false), ("http://192.168.1.1", true), ("http://169.254.1.1", true),
            ("http://192.169.0.1", false),
            ("http://11.0.0.1", false), ("http://[fc00::1]", true), ("http://[fdff::1]", true),
            ("http://[fe80::1]", true),
            ("http://[febf::1]", true), ("http://[fec0::1]", false), ("http://[2001:db8::1]", false),
            ("http://[::ffff:10.0.0.1]", true), ("http://[::ffff:8.8.8.8]", false), ("http://8.8.8.8", false),
            ("http://router", true), ("http://example.com", false), ("http://localhost.example.com", false),
            ("http://0.0.0.0", false), ("https://example.com", true), ("https://8.8.8.8", true),
        ])
    func served(text: String, isServed: Bool) throws {
        #expect(try WebOrigin(text).isServed == isServed)
    }

    @Test("Only a name of two or more labels, over https, is a site's")
    func secured() throws {
        #expect(try WebOrigin("https://login.example.com:8443").securedName?.text == "login.example.com")
        for text in [
            "http://example.com", "https://localhost", "https://a.localhost", "https://router", "https://8.8.8.8",
        ] {
            #expect(try WebOrigin(text).securedName == nil, "\(text)")
        }
    }
}
