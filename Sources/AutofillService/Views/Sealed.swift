// SPDX-License-Identifier: Apache-2.0
internal import CredentialStorage
package import Credentials
internal import OneTimeCodes
package import PasswordRules
internal import Reasons
package import SecretMemory

/// A record without its secrets, for those that only read. `ReleaseLog` opens it.
package struct Sealed<Record: Sendable>: Sendable {
    let found: FoundRecord<Record>

    init(_ record: Record) { found = FoundRecord(record) }

    init(found: FoundRecord<Record>) { self.found = found }

    var record: Record { found.record }
}

extension Sealed<Credential> {
    package var id: ObjectID { record.id }
    package var version: UInt64 { record.version }
    package var service: Service { record.service }
    package var services: [CredentialService] { record.services }
    package var user: String { record.user }
    package var isPassword: Bool { record.kind == .password }
    package var isDeleted: Bool { record.deleted != nil }
    package var writer: Subject { record.writer }
    package var hasCode: Bool { record.oneTimeCode != nil }
    package var detailsWriter: Subject? { record.details.writer }
    package func isFor(_ service: Service) -> Bool { record.isFor(service) }
    package func hasPassword(_ password: SecretBytes) -> Bool { record.password.equals(password) }

    /// The kind of its one-time codes; nil where it has none. Throws where they cannot be read.
    package func codeKind() throws(Unsettled) -> OneTimeCodeKind? {
        do throws(Refusal) { return try record.oneTimePassword().map(OneTimeCodeKind.init) } catch {
            throw Unsettled([error])
        }
    }
}

extension Sealed<Credential> {
    /// The same; nil also where they cannot be read: one that is damaged keeps the others from nobody.
    package var readableCodeKind: OneTimeCodeKind? {
        (try? record.oneTimePassword()).flatMap { $0 }.map(OneTimeCodeKind.init)
    }
}

/// What one-time codes are made from, without the secret.
package enum OneTimeCodeKind: Sendable {
    case time
    /// Whether its counter can still be taken.
    case counter(isUsable: Bool)

    init(_ password: OneTimePassword) {
        switch password.factor {
        case .time: self = .time
        case .counter(let counter): self = .counter(isUsable: counter < OneTimePassword.greatestCounter)
        }
    }

    /// Whether there is a next code.
    package var isUsable: Bool { if case .counter(let isUsable) = self { isUsable } else { true } }

    /// The value on the wire.
    package var source: String { if case .time = self { "time" } else { "counter" } }
}

extension Credential {
    /// What its codes are made from; nil where it has none.
    func oneTimePassword() throws(Refusal) -> OneTimePassword? {
        guard let oneTimeCode else { return nil }
        let password = oneTimeCode.withUnsafeBytes { try? OneTimePassword(uri: $0) }
        guard let password else { throw Refusal(.recordDamaged) }
        return password
    }
}

extension Sealed<Offer> {
    package var id: ObjectID { record.id }
    package var service: Service { record.service }
    package var subject: Subject { record.subject }
    package var form: String? { record.form }
    package var state: Offer.State { record.state }
    package var rules: String { record.rules }
    package var length: Int { record.password.count }
    package var created: Timestamp { record.created }
    package var expires: Timestamp { record.expires }
    package var settled: Timestamp? { record.settled }
    package func hasPassword(_ password: SecretBytes) -> Bool { record.password.equals(password) }
    package func meets(_ rules: PasswordRules, _ lengths: ClosedRange<Int>) -> Bool {
        record.password.meets(rules, lengths)
    }
}

extension SecretBytes {
    /// Whether a password fits the form.
    func meets(_ rules: PasswordRules, _ lengths: ClosedRange<Int>) -> Bool {
        lengths.contains(count) && withUnsafeBytes { rules.violations(in: $0).isEmpty }
    }
}

extension Sealed<Item> {
    package var id: ObjectID { record.id }
    package var version: UInt64 { record.version }
    package var accessGroup: String { record.accessGroup }
    package var place: Item.Place? { record.place }
    package var attributes: [Item.Attribute] { record.allAttributes }
    package var label: String? { record.label }
    package var contentType: String? { record.contentType }
    package var collection: String? { record.collection }
    package var created: Timestamp { record.created }
    package var changed: Timestamp { record.changed }
    package var heading: String { record.heading }
    package var writer: Subject? { record.writer }
}

extension Sealed<Verifier> {
    package var id: ObjectID { record.id }
    package var version: UInt64 { record.version }
    package var writer: Subject? { record.writer }
    package func hasHash(_ hash: SecretBytes) -> Bool { record.hash.equals(hash) }
}

extension Sealed<IncomingCode> {
    package var service: Service { record.service }
    package var expires: Timestamp { record.expires }
}
