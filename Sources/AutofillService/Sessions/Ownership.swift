// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials

/// What a connection saved itself, and the versions that it wrote: it gets that without a grant, until another changes it.
struct Ownership {
    private var passwords: [ObjectID: UInt64] = [:]
    private var codes: [ObjectID: UInt64] = [:]
    /// Those whose label, notes, tags or fields it set.
    private var details: [ObjectID: UInt64] = [:]
    /// The credentials of each service that are, or were once, among them.
    private(set) var written: [Service: Set<ObjectID>] = [:]
    /// What it made besides credentials: items, verifiers, offers; and the versions of those that may change. It may make and
    /// delete as much as it likes: what it has not touched for long is its own as another connection's of the same program.
    private var made = RecentValues<ObjectID, UInt64>(limit: Limits.pendingOffers)
    /// The credentials that it deleted, and the versions that they are of since then.
    private var deleted: [ObjectID: UInt64] = [:]
    /// How often another file had replaced the vault when this began.
    var replacements = 0

    /// Whether the connection wrote that version of the credential.
    func owns(_ id: ObjectID, _ version: UInt64) -> Bool { passwords[id] == version }

    /// Whether it set the one-time codes of that version of the credential.
    func ownsCode(_ id: ObjectID, _ version: UInt64) -> Bool { codes[id] == version }

    /// Whether it set label, notes, tags or fields of that version of the credential.
    func ownsDetails(_ id: ObjectID, _ version: UInt64) -> Bool { details[id] == version }

    /// Whether a field of that version of the credential is its own.
    func owns(_ field: CredentialField, of id: ObjectID, _ version: UInt64) -> Bool {
        switch field {
        case .password: owns(id, version)
        case .code: ownsCode(id, version)
        }
    }

    /// Whether it made that version of an item, verifier or offer, or changed it to that.
    mutating func hasMade(_ id: ObjectID, _ version: UInt64 = 0) -> Bool { made[id] == version }

    /// Whether it deleted a credential, which has stayed so.
    func hasDeleted(_ id: ObjectID, _ version: UInt64) -> Bool { deleted[id] == version }

    mutating func noteDeleted(_ saved: Saved) { deleted[saved.id] = saved.version }

    mutating func noteMade(_ id: ObjectID, _ version: UInt64 = 0) { made[id] = version }

    /// It has saved a password, or sent the very one that is saved. What codes and details it set stay its own.
    mutating func ownPassword(_ saved: Saved, of service: Service) {
        passwords[saved.id] = saved.version
        if saved.changed, codes[saved.id] == saved.version - 1 { codes[saved.id] = saved.version }
        if saved.changed, details[saved.id] == saved.version - 1 { details[saved.id] = saved.version }
        for service in saved.services + [service] { written[service, default: []].insert(saved.id) }
    }

    /// It has set the one-time codes of a credential.
    mutating func ownCode(_ saved: Saved, of service: Service) {
        codes[saved.id] = saved.version
        written[service, default: []].insert(saved.id)
    }

    /// It has set label, notes, tags or fields of a credential.
    mutating func ownDetails(_ saved: Saved) { details[saved.id] = saved.version }

    /// What it made or saved stays its own when it changes anything but the password.
    mutating func keepOwning(_ credential: Credential, as saved: Saved) {
        if owns(credential.id, credential.version) { passwords[credential.id] = saved.version }
        if ownsCode(credential.id, credential.version) { codes[credential.id] = saved.version }
        if ownsDetails(credential.id, credential.version) { details[credential.id] = saved.version }
        guard owns(credential.id, saved.version) || ownsCode(credential.id, saved.version) else { return }
        for service in saved.services { written[service, default: []].insert(saved.id) }
    }
}
