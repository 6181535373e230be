// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import Testing

@Suite("Public suffixes")
struct PublicSuffixListTests {
    private static let list = PublicSuffixList(
        Array(
            """
            // ===BEGIN ICANN DOMAINS===

            com
            uk
            co.uk  and a word after it
            // ck : see below
            *.ck
            !www.ck
            *.kawasaki.jp
            !city.kawasaki.jp
            公司.cn
            // ===BEGIN PRIVATE DOMAINS===
            github.io
            s3.eu.cloud.example.com

            """.utf8))

    @Test(
        "A name, an asterisk and an exception mean what publicsuffix.org defines",
        arguments: [
            ("co.uk", true), ("example.co.uk", false), ("example.com", false), ("github.io", true),
            ("shop.github.io", false), ("foo.ck", true), ("www.ck", false), ("example.foo.ck", false),
            ("xn--55qx5d.cn", true), ("shop.xn--55qx5d.cn", false), ("and.a", false),
        ])
    func rules(name: String, isSuffix: Bool) throws {
        #expect(try Self.list.contains(DomainName(name)) == isSuffix)
    }

    @Test(
        "A registered name is one label more than the longest suffix, and a suffix has no owner",
        arguments: [
            ("example.com", "example.com"), ("a.b.example.com", "example.com"), ("co.uk", nil),
            ("a.shop.co.uk", "shop.co.uk"),
            ("github.io", nil), ("x.ann.github.io", "ann.github.io"), ("foo.ck", nil), ("a.b.foo.ck", "b.foo.ck"),
            ("www.ck", "www.ck"), ("a.www.ck", "www.ck"), ("city.kawasaki.jp", "city.kawasaki.jp"),
            ("a.city.kawasaki.jp", "city.kawasaki.jp"), ("b.kawasaki.jp", nil), ("a.b.kawasaki.jp", "a.b.kawasaki.jp"),
            ("kawasaki.jp", "kawasaki.jp"), ("wiki.intranet", "wiki.intranet"), ("a.wiki.intranet", "wiki.intranet"),
            ("eu.cloud.example.com", "example.com"), ("b.s3.eu.cloud.example.com", "b.s3.eu.cloud.example.com"),
            ("s3.eu.cloud.example.com", nil), ("a.shop.xn--55qx5d.cn", "shop.xn--55qx5d.cn"),
        ] as [(String, String?)])
    func registrable(name: String, expected: String?) throws {
        #expect(try Self.list.registrableDomain(of: DomainName(name))?.text == expected)
    }

    @Test("A registration that names a public suffix, plain or as a wildcard, is refused by its entry's path")
    func registration() throws {
        let key = AppEntitlements.Key.associatedDomains.rawValue
        let domains: ConfigurationValue = ["webcredentials:a.co.uk", "webcredentials:*.co.uk", "webcredentials:co.uk"]
        let file: ConfigurationValue = ["bundleID": "org.example.Shop", "name": "Shop", "entitlements": [key: domains]]
        let origin = Registration.Origin(file: "/x.json", owner: .root)
        let error = #expect(throws: ConfigurationMistakes.self) {
            try Registration.decode(file, origin: origin, stem: nil, refusing: Self.list)
        }
        #expect(
            error?.mistakes.map(\.path) == [#"entitlements."\#(key)"[1]"#, #"entitlements."\#(key)"[2]"#])
        #expect(try Registration.decode(file, origin: origin, stem: nil, refusing: nil).notes.isEmpty)
    }

    /// attacks.md, a hostile program, 9
    @Test(
        "A wildcard above a public suffix, which covers strangers' names, is refused by its entry's path, and a name is not"
    )
    func aboveSuffix() throws {
        let key = AppEntitlements.Key.associatedDomains.rawValue
        let domains: ConfigurationValue = [
            "webcredentials:*.kawasaki.jp", "webcredentials:kawasaki.jp", "webcredentials:city.kawasaki.jp",
            "webcredentials:*.city.kawasaki.jp", "webcredentials:*.cloud.example.com", "webcredentials:*.example.com",
            "webcredentials:cloud.example.com", "webcredentials:*.shop.example.com", "webcredentials:*.a.kawasaki.jp",
        ]
        let file: ConfigurationValue = ["bundleID": "org.example.Shop", "name": "Shop", "entitlements": [key: domains]]
        let origin = Registration.Origin(file: "/x.json", owner: .root)
        let error = #expect(throws: ConfigurationMistakes.self) {
            try Registration.decode(file, origin: origin, stem: nil, refusing: Self.list)
        }
        let refused = [0, 4, 5, 8].map { #"entitlements."\#(key)"[\#($0)]"# }
        #expect(error?.mistakes.map(\.path) == refused)
    }
}
