// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import Testing

@Suite("Registrations")
struct RegistrationTests {
    static let domainsKey = AppEntitlements.Key.associatedDomains.rawValue
    static let groupsKey = AppEntitlements.Key.keychainAccessGroups.rawValue
    static let providerKey = AppEntitlements.Key.credentialProvider.rawValue

    /// The registration of ARCHITECTURE.md, changed.
    private func file(
        _ changes: [String: ConfigurationValue] = [:], without: [String] = []
    ) -> ConfigurationValue {
        var members: [String: ConfigurationValue] = [
            "bundleID": "org.example.Shop", "name": "Example Shop", "executables": ["/usr/bin/example-shop"],
            "entitlements": [
                Self.domainsKey: ["webcredentials:shop.example.com"], Self.providerKey: true,
                Self.groupsKey: ["org.example.suite"],
            ],
        ]
        members.merge(changes) { $1 }
        for name in without { members[name] = nil }
        return .object(members.map { ConfigurationValue.Member(name: $0.key, value: $0.value) })
    }

    private func entitled(_ key: String, _ value: ConfigurationValue) -> ConfigurationValue {
        file(["entitlements": [key: value]])
    }

    private func decode(
        _ value: ConfigurationValue, owner: Registration.Owner = .root, stem: String? = "org.example.Shop",
        refusing suffixes: PublicSuffixList? = nil
    ) throws(ConfigurationMistakes) -> Registration.Checked {
        try Registration.decode(
            value, origin: Registration.Origin(file: "/x.json", owner: owner), stem: stem, refusing: suffixes)
    }

    private func mistakes(_ value: ConfigurationValue, owner: Registration.Owner = .root) -> [String] {
        do {
            _ = try decode(value, owner: owner)
            return []
        } catch {
            return error.mistakes.map(\.path)
        }
    }

    @Test("The design's example is read whole")
    func example() throws {
        let registration = try decode(file()).registration
        #expect(registration.bundleID.text == "org.example.Shop")
        #expect(registration.name.text == "Example Shop")
        #expect(registration.executables.map(\.text) == ["/usr/bin/example-shop"])
        #expect(registration.entitlements.isCredentialProvider)
        #expect(registration.accessGroups.map(\.text) == ["org.example.Shop", "org.example.suite"])
        #expect(
            registration.answers(for: try DomainName("shop.example.com"))?.description
                == "webcredentials:shop.example.com")
        #expect(registration.answers(for: try DomainName("example.com")) == nil)
    }

    @Test("Bundle ID and name are enough, and entitle to nothing")
    func least() throws {
        let registration = try decode(file(without: ["executables", "entitlements"])).registration
        #expect(registration.executables.isEmpty)
        #expect(registration.entitlements == AppEntitlements())
        #expect(registration.accessGroups.map(\.text) == ["org.example.Shop"])
    }

    @Test("A mistake is named by its member's path, with its reason and its fix")
    func path() {
        let value = entitled(
            Self.domainsKey, ["webcredentials:a.example", "webcredentials:b.example", "webcredentials:1.2.3.4"])
        let error = #expect(throws: ConfigurationMistakes.self) { try decode(value) }
        #expect(
            error?.mistakes.map(\.description) == [
                #"entitlements."com.apple.developer.associated-domains"[2]: This is an IP address. "#
                    + "Write the site's full name, such as shop.example.com."
            ])
    }

    @Test("All mistakes of a file are reported at once")
    func all() {
        let value: ConfigurationValue = [
            "bundleID": "Shop", "executables": ["usr/bin/shop", 7, "/usr/bin/shop/.."], "nmae": "Shop",
            "entitlements": [
                Self.domainsKey: "example.com", Self.providerKey: 1, Self.groupsKey: ["x", "com.apple.keys"],
            ],
        ]
        #expect(
            Set(mistakes(value)) == [
                "nmae", "bundleID", "name", "executables[0]", "executables[1]", "executables[2]",
                #"entitlements."\#(Self.domainsKey)""#, #"entitlements."\#(Self.providerKey)""#,
                #"entitlements."\#(Self.groupsKey)"[0]"#, #"entitlements."\#(Self.groupsKey)"[1]"#,
            ])
    }

    @Test("An unknown member is refused with the name that was meant")
    func unknown() {
        let error = #expect(throws: ConfigurationMistakes.self) {
            try decode(file(["executable": ["/usr/bin/shop"]]))
        }
        #expect(error?.mistakes.map(\.fix) == [#"Did you mean "executables"?"#])
    }

    @Test("A repeated member is refused")
    func repeated() {
        let value = ConfigurationValue.object([
            .init(name: "bundleID", value: "org.example.Shop"), .init(name: "name", value: "A"),
            .init(name: "name", value: "B"),
        ])
        #expect(mistakes(value) == ["name"])
    }

    @Test("What is no object is refused", arguments: [ConfigurationValue.null, "x", [], 1, true, .otherNumber])
    func noObject(value: ConfigurationValue) {
        #expect(mistakes(value) == [""])
        #expect(mistakes(file(["entitlements": value])) == ["entitlements"])
    }

    @Test("null is a mistake, not an absent member")
    func null() {
        #expect(mistakes(file(["executables": .null])) == ["executables"])
    }

    @Test("The name of an installed file must be the bundle ID")
    func stem() throws {
        #expect(throws: ConfigurationMistakes.self) { try decode(file(), stem: "org.example.shop") }
        #expect(try decode(file(), stem: nil).registration.bundleID.text == "org.example.Shop")
    }

    @Test("A user's own registration may name no access group but its own")
    func userGroups() throws {
        #expect(mistakes(file(), owner: .user) == [#"entitlements."keychain-access-groups"[0]"#])
        let own = entitled(Self.groupsKey, ["org.example.Shop", "org.example.Shop", "org.example.Other"])
        #expect(mistakes(own, owner: .user) == [#"entitlements."keychain-access-groups"[2]"#])
        #expect(mistakes(entitled(Self.groupsKey, ["org.example.Shop"]), owner: .user).isEmpty)
    }

    @Test("Apple's other services are noted and ignored, and so is what is listed twice")
    func notes() throws {
        let value = entitled(
            Self.domainsKey, ["applinks:example.com", "webcredentials:example.com", "webcredentials:EXAMPLE.com"])
        let checked = try decode(value)
        #expect(
            checked.registration.entitlements.associatedDomains.map(\.description) == ["webcredentials:example.com"])
        #expect(
            checked.notes.map(\.path) == [
                #"entitlements."\#(Self.domainsKey)"[0]"#, #"entitlements."\#(Self.domainsKey)"[2]"#,
            ])
    }

    @Test("The exact entry answers before a wildcard, the longer wildcard before the shorter")
    func precedence() throws {
        let value = entitled(
            Self.domainsKey,
            [
                "webcredentials:*.example.com", "webcredentials:*.shop.example.com",
                "webcredentials:a.shop.example.com?mode=developer", "webcredentials:a.shop.example.com",
            ])
        let registration = try decode(value).registration
        func answer(_ name: String) throws -> String? { registration.answers(for: try DomainName(name))?.description }
        #expect(try answer("a.shop.example.com") == "webcredentials:a.shop.example.com")
        #expect(try answer("b.shop.example.com") == "webcredentials:*.shop.example.com")
        #expect(try answer("b.example.com") == "webcredentials:*.example.com")
        #expect(try answer("shop.example.com") == "webcredentials:*.example.com")
        #expect(try answer("example.com") == nil)
    }

    @Test("Limits hold: 64 executables, 256 entries, 64 mistakes listed")
    func limits() {
        let executables = (0..<65).map { ConfigurationValue.string("/usr/bin/\($0)") }
        #expect(mistakes(file(["executables": .array(Array(executables.dropLast()))])).isEmpty)
        #expect(mistakes(file(["executables": .array(executables)])) == ["executables"])
        let domains = (0..<257).map { ConfigurationValue.string("webcredentials:d\($0).example") }
        #expect(mistakes(entitled(Self.domainsKey, .array(Array(domains.dropLast())))).isEmpty)
        #expect(mistakes(entitled(Self.domainsKey, .array(domains))) == [#"entitlements."\#(Self.domainsKey)""#])
        let wrong = ConfigurationValue.array(Array(repeating: "x", count: 200))
        let error = #expect(throws: ConfigurationMistakes.self) { try decode(entitled(Self.domainsKey, wrong)) }
        #expect(error?.mistakes.count == 65)
        #expect(error?.mistakes.last?.reason == "136 more mistakes are not listed.")
    }
}
