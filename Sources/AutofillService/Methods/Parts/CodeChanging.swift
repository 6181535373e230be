// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import OneTimeCodes
internal import Reasons
internal import SecretMemory

/// One-time codes of saved credentials: what they are made from, and their counters.
extension Modules {
    /// Changes the codes of a credential, under the conditions of a save; nil takes them off.
    func changeCode(
        of user: String, of service: Service, ifVersion: String?, to uri: SecretBytes?, _ request: RequestContext
    ) throws(RefusedRequest) -> Saved {
        if !request.isProven {
            try authoriser.examine(request, service, for: .save)
            try authoriser.authorise(request, toChangeCodesOf: user, of: service)
        }
        let service = try place(of: user, at: service, request)
        let writer = try request.writer()
        let open = try vault.unlocked()
        let credential = try attempting { () throws(VaultError) in
            try open.readers.credentials.get(for: service, user: user)
        }
        guard let credential, credential.deleted == nil else { throw RefusedRequest(.credentialNotFound) }
        let now = clock.now
        let saved = try attempting { () throws(VaultError) in
            try open.writers.credentials.update(credential.id, ifVersion: ifVersion.map(storedVersion), at: now) {
                $0.setCode(uri, by: writer, at: now)
            }
        }
        request.session.memory.ownership.keepOwning(credential, as: saved)
        noteSaved(saved, of: service, request)
        return saved
    }

    /// The code of now, or the next one of a counter: the counter is stored before this returns. Its release is on record before.
    func code(
        of credential: Credential, _ password: OneTimePassword, _ request: RequestContext
    ) throws(RefusedRequest) -> (code: SecretBytes, validUntil: Timestamp?) {
        if let timed = password.code(atMilliseconds: clock.now.milliseconds) {
            return (timed.code, Timestamp(milliseconds: timed.validUntil))
        }
        return (password.code(counter: try takeCounter(of: credential, password, request)), nil)
    }

    /// The counter of the next code, which no other code gets.
    func takeCounter(
        of credential: Credential, _ password: OneTimePassword, _ request: RequestContext
    ) throws(RefusedRequest) -> UInt64 {
        guard let counter = password.nextCounter else { throw RefusedRequest(.codeNotFound) }
        var next = password
        next.factor = .counter(counter + 1)
        let open = try vault.unlocked()
        let saved = try attempting { () throws(VaultError) in
            try open.writers.credentials.update(credential.id, at: clock.now) { $0.oneTimeCode = next.uri }
        }
        request.session.memory.ownership.keepOwning(credential, as: saved)
        noteSaved(saved, of: credential.service, request)
        return counter
    }
}

extension Credential {
    /// What its codes are made from; nil where it has none.
    func oneTimePassword() throws(RefusedRequest) -> OneTimePassword? {
        guard let oneTimeCode else { return nil }
        let password = oneTimeCode.withUnsafeBytes { try? OneTimePassword(uri: $0) }
        guard let password else { throw RefusedRequest(.recordDamaged) }
        return password
    }
}

extension OneTimePassword {
    /// The counter of the next code; nil where codes are of the time, or each was given.
    var nextCounter: UInt64? {
        guard case .counter(let counter) = factor, counter < Self.greatestCounter else { return nil }
        return counter
    }

    var hasNextCode: Bool { if case .time = factor { true } else { nextCounter != nil } }

    /// The word of the wire.
    var source: String {
        if case .time = factor { "time" } else { "counter" }
    }
}
