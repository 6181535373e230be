// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import OneTimeCodes
internal import Reasons
internal import SecretMemory

/// One-time codes of saved credentials.
extension AutofillBroker {
    func setCode(_ call: CodeSet, _ client: Client, _ isProven: Bool) throws(RefusedRequest) -> SavedAnswer {
        let service = try domain(call.service)
        let password = try call.uri.withUnsafeBytes { bytes throws(RefusedRequest) in
            do throws(OneTimePasswordError) {
                return try OneTimePassword(uri: bytes)
            } catch {
                throw .invalid("uri", error.expected)
            }
        }
        // What is kept, and exported, can be handed in again.
        guard password.uri.count <= Limits.codeURIBytes else {
            throw .invalid(
                "uri", "an otpauth URI of at most \(Limits.codeURIBytes) bytes with all its parameters and %XX")
        }
        let user = call.user ?? password.account
        guard !user.isEmpty else { throw .invalid("uri", "an otpauth URI that names an account, or send user") }
        let saved = try change(user, of: service, call.ifVersion, call.interaction, client, isProven, to: password.uri)
        if !isProven { client.ownCode(saved, of: service) }
        return SavedAnswer(credential: saved.id.description, changed: saved.changed)
    }

    func deleteCode(_ call: CodeDelete, _ client: Client, _ isProven: Bool) throws(RefusedRequest) -> Changed {
        let service = try domain(call.service)
        return Changed(
            try change(call.user, of: service, call.ifVersion, call.interaction, client, isProven, to: nil).changed)
    }

    /// Changes the codes of a credential, under the conditions of a save.
    private func change(
        _ user: String, of service: Service, _ ifVersion: Int?, _ interaction: Interaction, _ client: Client,
        _ isProven: Bool, to uri: SecretBytes?
    ) throws(RefusedRequest) -> Saved {
        if !isProven {
            try examine(client, .domain(service.value), for: .save, interaction: interaction)
            try authorise(client, toChangeCodesOf: user, of: service, interaction)
        }
        let writer = try writer(client, isProven)
        let open = try vault.unlocked()
        let credential = try attempting { () throws(VaultError) in try open.credential(for: service, user: user) }
        guard let credential, credential.deleted == nil else { throw RefusedRequest(.credentialNotFound) }
        let saved = try attempting { () throws(VaultError) in
            try open.update(credential.id, ifVersion: ifVersion.map(UInt64.init), at: now) {
                $0.setCode(uri, by: writer, at: now)
            }
        }
        client.keepOwning(credential, as: saved)
        if saved.changed { announce(.credentialsChanged(saved.id, service, .saved)) }
        return saved
    }

    func exportCode(_ call: CodeExport, _ client: Client, _ isProven: Bool) throws(RefusedRequest) -> CodeExport.Answer
    {
        guard isProven else { throw RefusedRequest(.proofRequired) }
        let service = try domain(call.service)
        let open = try vault.unlocked()
        let credential = try attempting { () throws(VaultError) in try open.credential(for: service, user: call.user) }
        guard let credential, credential.deleted == nil, let uri = credential.oneTimeCode else {
            throw RefusedRequest(.codeNotFound)
        }
        try release(credential.id, service, .codeExport, client, .granted(nil), true)
        return CodeExport.Answer(uri: uri)
    }

    func getCode(_ call: CodeGet, _ client: Client, _ isProven: Bool) throws(RefusedRequest) -> CodeGet.Answer {
        let service = try domain(call.service)
        if call.user == nil, let waiting = waitingCodes(for: service).first {
            let authorisation = isProven ? .granted(nil) : try authoriseIncoming(client, service, call.interaction)
            try release(nil, service, .codeGet, client, authorisation, isProven)
            offeredCodes[waiting.id] = nil
            return CodeGet.Answer(
                code: waiting.code.code, source: "incoming", validUntil: waiting.code.expires.description,
                credential: nil, user: nil)
        }
        let authorisation =
            isProven ? .granted(nil) : try authorise(client, toReach: .code, of: service, call.interaction)
        let found = try credentialWithCode(service, call.user, client, authorisation)
        guard let (credential, password) = found else { throw RefusedRequest(.codeNotFound) }
        let code = try code(of: credential, password, client)
        try release(credential.id, service, .codeGet, client, authorisation, isProven)
        let open = try vault.unlocked()
        try attempting { () throws(VaultError) in try open.noteUse(of: credential.id, at: now) }
        return CodeGet.Answer(
            code: code.code, source: password.source, validUntil: code.validUntil?.description,
            credential: credential.id.description, user: credential.user)
    }

    /// The credential of a user, else the last used, that has one-time codes.
    private func credentialWithCode(
        _ service: Service, _ user: String?, _ client: Client, _ authorisation: Authorisation
    ) throws(RefusedRequest) -> (Credential, OneTimePassword)? {
        if let user {
            guard let credential = try find(service, user, client, .granted(nil)), credential.deleted == nil,
                client.sees(.code, of: credential.id, credential.version, authorisation)
            else { return nil }
            return try credential.oneTimePassword().map { (credential, $0) }
        }
        let open = try vault.unlocked()
        for summary in try visible(service, client, .granted(nil))
        where client.sees(.code, of: summary.id, summary.version, authorisation) {
            let credential = try attempting { () throws(VaultError) in try open.credential(summary.id) }
            if let credential, let password = try? credential.oneTimePassword() { return (credential, password) }
        }
        return nil
    }

    /// The code of now, or the next one of a counter: the counter is stored before this returns.
    func code(
        of credential: Credential, _ password: OneTimePassword, _ client: Client
    ) throws(RefusedRequest) -> (code: SecretBytes, validUntil: Timestamp?) {
        if let timed = password.code(atMilliseconds: now.milliseconds) {
            return (timed.code, Timestamp(milliseconds: timed.validUntil))
        }
        return (password.code(counter: try takeCounter(of: credential, password, client)), nil)
    }

    /// The counter of the next code, which no other code gets.
    func takeCounter(
        of credential: Credential, _ password: OneTimePassword, _ client: Client
    ) throws(RefusedRequest) -> UInt64 {
        guard case .counter(let counter) = password.factor, counter < OneTimePassword.greatestCounter else {
            throw RefusedRequest(.codeNotFound)
        }
        var next = password
        next.factor = .counter(counter + 1)
        let open = try vault.unlocked()
        let saved = try attempting { () throws(VaultError) in
            try open.update(credential.id, at: now) { $0.oneTimeCode = next.uri }
        }
        client.keepOwning(credential, as: saved)
        if saved.changed { announce(.credentialsChanged(saved.id, credential.service, .saved)) }
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
    /// The word of the wire.
    var source: String {
        if case .time = factor { "time" } else { "counter" }
    }
}
