// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory

extension Offer: VaultRecord {
    package static var idKind: ObjectID.Kind { .offer }

    package var changed: Timestamp { settled ?? created }

    package var tally: Tally { state == .pending ? .pendingOffers : .settledOffers }

    package func blindIndex(key: KeyedHash) -> BlindIndex {
        guard state == .pending else {
            return BlindIndex(
                scope: Self.settledScope(key: key), name: BlindIndex.digest(.settledOffer, [id.description], key: key))
        }
        let scope = Self.pendingScope(app: subject.app, service: service, key: key)
        guard let form else {
            return BlindIndex(scope: scope, name: BlindIndex.digest(.formlessOffer, [id.description], key: key))
        }
        return BlindIndex(scope: scope, name: Self.formName(subject: subject, service: service, form: form, key: key))
    }

    package static func pendingScope(app: String, service: Service, key: KeyedHash) -> SealTag {
        BlindIndex.digest(.pendingOffers, [app, service.kind.rawValue, service.value], key: key)
    }

    package static func formName(subject: Subject, service: Service, form: String, key: KeyedHash) -> SealTag {
        let values = [
            subject.app, subject.assurance, subject.executable, service.kind.rawValue, service.value, form,
        ]
        return BlindIndex.digest(.offerForm, values, key: key)
    }

    package static func settledScope(key: KeyedHash) -> SealTag { BlindIndex.digest(.settledOffers, [], key: key) }

    package func write(to writer: inout BinaryWriter) {
        writer.put(subject)
        writer.put(service)
        writer.put(form)
        writer.put(password)
        writer.put(rules)
        writer.put(created)
        writer.put(expires)
        writer.put(settled)
        writer.put(state.storedNumber)
        if case .accepted(let credential) = state { writer.put(credential) } else { writer.put(nil as ObjectID?) }
    }

    package init(from reader: inout BinaryReader, id: ObjectID, version: UInt64) {
        let subject = reader.subject()
        let service = reader.service()
        let form = reader.optionalText()
        let password = reader.secret()
        let rules = reader.text()
        let created = reader.time()
        let expires = reader.time()
        let settled = reader.optionalTime()
        let number: UInt8 = reader.integer()
        let credential = reader.id()
        let state: State
        switch (number, credential) {
        case (0, nil): state = .pending
        case (1, let credential?): state = .accepted(credential)
        case (2, nil): state = .declined
        case (3, nil): state = .expired
        default: state = reader.fail(.declined)
        }
        self.init(
            id: id, version: version, subject: subject, service: service, form: form, password: password, rules: rules,
            created: created, expires: expires, state: state, settled: settled)
    }
}

extension Offer.State {
    /// The state's number in the vault; never reused.
    fileprivate var storedNumber: UInt8 {
        switch self {
        case .pending: 0
        case .accepted: 1
        case .declined: 2
        case .expired: 3
        }
    }
}
