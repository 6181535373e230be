// SPDX-License-Identifier: Apache-2.0
import Credentials
import SecretMemory

@testable import CredentialStorage
@testable import VaultFormat

extension Credential {
    /// One with any combination of what a credential may have; no secret occurs twice.
    static func random(_ number: UInt64, using generator: inout some RandomNumberGenerator) -> Credential {
        var secrets = 0
        func secret(_ prefix: String) -> SecretBytes {
            secrets += 1
            return SecretBytes(utf8: "\(prefix)\(number)-\(secrets)")
        }
        func some(_ most: Int) -> Range<Int> { 0..<Int.random(in: 0...most, using: &generator) }
        func flip() -> Bool { Bool.random(using: &generator) }
        func unknown() -> [UnknownField] {
            flip() ? [] : [UnknownField(tag: 200, content: secret("u")), UnknownField(tag: 200, content: secret(""))]
        }
        func code(_ hasCounter: Bool) -> SecretBytes {
            let type = hasCounter ? "hotp" : "totp"
            secrets += 1
            let end = hasCounter ? "&counter=\(UInt64.random(in: 0...99, using: &generator))" : "&period=30"
            return SecretBytes(utf8: "otpauth://\(type)/x?secret=AA\(number)B\(secrets)&digits=6" + end)
        }
        let services = (0...Int.random(in: 0...3, using: &generator)).shuffled(using: &generator).map { host in
            let kind = [Service.Kind.domain, .origin, .title, .init(rawValue: "later")].randomElement(using: &generator)
            return CredentialService(
                Service(kind: kind ?? .domain, value: "\(host) of \(number).example"), match: flip() ? nil : .exact,
                unknown: unknown())
        }
        let details = CredentialDetails(
            label: flip() ? "" : "Läbel \(number)", notes: flip() ? nil : secret("notes"),
            tags: some(3).map { "tag\($0)" }.shuffled(using: &generator) + (flip() ? ["tag0", "\0"] : []),
            fields: some(3).map {
                CustomField(name: "f\($0 % 2)", value: secret(""), isSecret: flip(), unknown: unknown())
            }, collection: flip() ? "" : "work", writer: nil)
        let (history, codes) = (some(10), some(10))
        let hasCounter = flip()
        return Credential(
            id: ObjectID(kind: .credential, high: generator.next(), low: generator.next()),
            kind: flip() ? .password : .init(rawValue: "wifi"), services: services, user: "änn \(number)",
            password: secret("p"), rules: flip() ? nil : "", oneTimeCode: flip() ? nil : code(hasCounter),
            details: details, created: .at(), changed: .at(9000), writer: .shop,
            previous: history.map { Previous(password: secret("p"), replaced: .at(500 - Int64($0) * 10)) },
            deleted: flip() ? nil : .at(9000),
            formerCodes: codes.map { FormerCode(uri: code(hasCounter), replaced: .at(700 - Int64($0) * 10)) },
            passkeys: some(2).map {
                Passkey(
                    credentialID: "id\($0)", relyingParty: "rp.example", user: "ann", displayName: "", userHandle: "aa",
                    key: secret("key"), unknown: unknown())
            }, unknown: unknown())
    }
}
