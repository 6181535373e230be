// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
package import SecretMemory

/// Saved credentials, and the vault they are in.
extension AutofillSession {
    /// Saves what the person typed. A password that is already there is replaced and kept as the old one. May be repeated.
    ///
    /// - Parameters:
    ///   - credential: the user name and the password.
    ///   - service: the site.
    ///   - changes: what else is to be set of it.
    ///   - ifVersion: fails with ``AutofillReason/Code/versionMismatch`` where the saved one has changed since.
    ///   - interaction: whether the person may be asked.
    @discardableResult
    public func save(
        _ credential: PasswordCredential, for service: CredentialServiceIdentifier,
        with changes: CredentialChanges = CredentialChanges(), ifVersion: String? = nil,
        interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> SaveResult {
        SaveResult(
            try await perform(
                CredentialSave(
                    service: ServiceIdentifier(service), user: credential.user,
                    password: SecretBytes(utf8: credential.password), changes: changes.wire, ifVersion: ifVersion,
                    interaction: interaction.wire)))
    }

    /// A saved credential with its password. The first time the person is asked, unless the app saved it itself in this
    /// session.
    ///
    /// - Parameters:
    ///   - service: the site.
    ///   - user: the user name; where it is left out, the one that was used last.
    ///   - interaction: whether the person may be asked.
    /// - Returns: nil where nothing is saved.
    public func credential(
        for service: CredentialServiceIdentifier, user: String? = nil, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> PasswordCredential? {
        let call = CredentialGet(service: ServiceIdentifier(service), user: user, interaction: interaction.wire)
        guard let answer = try await found(call, orRefusedFor: .credentialNotFound) else { return nil }
        return PasswordCredential(user: answer.summary.user, password: String(answer.password))
    }

    /// All of a saved credential: label, notes and fields too. Asks the person as ``credential(for:user:interaction:)`` does.
    ///
    /// - Returns: nil where nothing is saved.
    public func completeCredential(
        for service: CredentialServiceIdentifier, user: String? = nil, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> CompleteCredential? {
        let call = CredentialGet(service: ServiceIdentifier(service), user: user, interaction: interaction.wire)
        guard let answer = try await found(call, orRefusedFor: .credentialNotFound) else { return nil }
        return try CompleteCredential(answer)
    }

    /// Sets what a saved credential has besides user and password. May be repeated.
    ///
    /// - Parameters:
    ///   - id: the credential.
    ///   - changes: what is to be set.
    ///   - ifVersion: fails with ``AutofillReason/Code/versionMismatch`` where the saved one has changed since.
    ///   - interaction: whether the person may be asked: what another program or the person set takes their word.
    /// - Returns: whether anything was changed.
    @discardableResult
    public func update(
        _ id: SavedCredential.ID, _ changes: CredentialChanges, ifVersion: String? = nil,
        interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> Bool {
        try await perform(
            CredentialUpdate(
                credential: id, changes: changes.wire, ifVersion: ifVersion, interaction: interaction.wire)
        ).changed
    }

    /// All that is saved for a site, without passwords; the one used last comes first.
    public func credentials(
        for service: CredentialServiceIdentifier, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> [SavedCredential] {
        try await all(
            { CredentialList(service: ServiceIdentifier(service), page: $0, interaction: interaction.wire) },
            { ($0.credentials, $0.next) }, SavedCredential.init)
    }

    /// Deletes a saved credential. May be repeated.
    ///
    /// - Returns: whether it was there.
    @discardableResult
    public func deleteCredential(
        _ id: SavedCredential.ID, ifVersion: String? = nil, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> Bool {
        try await perform(CredentialDelete(credential: id, ifVersion: ifVersion, interaction: interaction.wire)).changed
    }

    /// Has the service ask the person to unlock the vault; an app never sees the passphrase.
    ///
    /// - Returns: whether it was locked.
    @discardableResult
    public func unlockVault(interaction: UserInteraction = .allowed) async throws(AutofillError) -> Bool {
        try await perform(VaultUnlock(interaction: interaction.wire)).changed
    }

    /// Closes the vault: its keys leave the service's memory until the person opens it again.
    ///
    /// - Returns: whether it was open.
    @discardableResult
    public func lockVault() async throws(AutofillError) -> Bool { try await perform(VaultLock()).changed }

    /// How the service is.
    public func status() async throws(AutofillError) -> AutofillStatus {
        AutofillStatus(try await perform(Status()))
    }
}

extension AutofillSession {
    /// The answer of a call; nil where it is refused because nothing is there.
    func found<Call: MethodCall>(
        _ call: Call, orRefusedFor code: AutofillReason.Code
    ) async throws(AutofillError) -> Call.Answer? {
        do throws(AutofillError) {
            return try await perform(call)
        } catch {
            guard error.isRefused(for: code) else { throw error }
            return nil
        }
    }
}

extension String {
    /// A secret for the app, which shows it in a text field. The copy cannot be erased.
    package init(_ secret: SecretBytes) {
        self = secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}
