// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
package import Credentials
package import Reasons
package import SecretMemory

/// One-time codes that wait to be filled: those that came in, and those that were suggested.
package struct CodeReader {
    private let codes: IncomingCodes
    private let vault: VaultKeeper

    package init(_ codes: IncomingCodes, _ vault: VaultKeeper) { (self.codes, self.vault) = (codes, vault) }

    /// The steady clock.
    package var now: Timestamp { codes.now }

    package func incoming(_ id: String) -> Sealed<IncomingCode>? { codes[id].map(Sealed.init) }

    /// Those that wait for a service, the newest first.
    package func incoming(for service: Service) -> [(id: String, code: Sealed<IncomingCode>)] {
        codes.waiting(for: service).map { (id: $0.id, code: Sealed($0.code)) }
    }

    package func requireCapacity(for service: Service, from app: String) throws(Unsettled) {
        guard codes.hasCapacity(for: service, from: app) else {
            throw Unsettled([Refusal(.tooManyCodes, retryAfterMilliseconds: Int64(Limits.offeredCodeMilliseconds))])
        }
    }

    /// The suggestions of codes of counters that are valid.
    package func suggested() throws(Unsettled) -> SuggestedCodes {
        let stored = try vault.read { readers throws(VaultError) in
            try readers.settings.get(SuggestedCodes.settingName)
        }
        var codes = stored.flatMap { SuggestedCodes.read($0) } ?? SuggestedCodes()
        codes.dropExpired(at: vault.clock.steady)
        return codes
    }
}

/// Keeps and removes one-time codes that wait.
package struct CodeWriter {
    private let codes: IncomingCodes
    private let vault: VaultKeeper

    package init(_ codes: IncomingCodes, _ vault: VaultKeeper) { (self.codes, self.vault) = (codes, vault) }

    /// Keeps a code that an app has received.
    package func add(
        _ code: SecretBytes, for service: Service, from app: String
    ) -> KeptObject { codes.add(code, for: service, from: app) }

    package func remove(_ id: String) { codes.remove(id) }

    /// A suggestion of a counter's code, which is not kept yet.
    package func suggestion(of plan: SuggestedCodes.Plan) -> SuggestedCodes.Entry {
        var entropy = vault.environment.entropy
        return SuggestedCodes.Entry(
            id: ObjectID.random(.credential, using: &entropy).codeName, plan,
            expires: vault.clock.steady.advanced(byMilliseconds: Int64(Limits.suggestedCodeMilliseconds)))
    }

    package func keep(_ codes: SuggestedCodes) throws(Refusal) {
        let stored = codes.stored
        try vault.write { writers, now throws(VaultError) in
            try writers.settings.set(SuggestedCodes.settingName, to: stored, at: now)
        }
    }
}
