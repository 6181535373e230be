// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import SecretMemory

/// Saved credentials.
extension AutofillSession {
    /// Saves what the user typed. The password replaces a saved one, which is kept as the old one. Repeatable.
    ///
    /// - Parameters:
    ///   - credential: the user name and the password.
    ///   - service: the site.
    ///   - changes: what else is set.
    ///   - ifVersion: fails with ``AutofillReason/Code/versionMismatch`` if the saved credential was changed since.
    ///   - interaction: whether the user may be prompted.
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
                    interaction: interaction.wire), interaction))
    }

    /// Returns a saved credential with its password. The first time the user is prompted, unless the app saved it in this
    /// session.
    ///
    /// - Parameters:
    ///   - service: the site.
    ///   - user: the user name; nil for the one that was used last.
    ///   - interaction: whether the user may be prompted.
    /// - Returns: nil if nothing is saved.
    public func credential(
        for service: CredentialServiceIdentifier, user: String? = nil, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> PasswordCredential? {
        let call = CredentialGet(service: ServiceIdentifier(service), user: user, interaction: interaction.wire)
        guard let answer = try await found(call, interaction, orRefusedFor: .credentialNotFound) else { return nil }
        return PasswordCredential(user: answer.summary.user, password: String(answer.password))
    }

    /// Returns a saved credential with its password, by the id that ``credentials(for:interaction:)`` returned.
    ///
    /// - Returns: nil if it is not saved any more.
    public func credential(
        _ id: SavedCredential.ID, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> PasswordCredential? {
        let call = CredentialGet(.id(id), interaction: interaction.wire)
        guard let answer = try await found(call, interaction, orRefusedFor: .credentialNotFound) else { return nil }
        return PasswordCredential(user: answer.summary.user, password: String(answer.password))
    }

    /// Returns all of a saved credential: label, notes and fields too. Prompts as ``credential(for:user:interaction:)`` does.
    ///
    /// - Returns: nil if nothing is saved.
    public func completeCredential(
        for service: CredentialServiceIdentifier, user: String? = nil, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> CompleteCredential? {
        let call = CredentialGet(service: ServiceIdentifier(service), user: user, interaction: interaction.wire)
        guard let answer = try await found(call, interaction, orRefusedFor: .credentialNotFound) else { return nil }
        return try CompleteCredential(answer)
    }

    /// Sets what a saved credential has besides user and password. Repeatable.
    ///
    /// - Parameters:
    ///   - id: the credential.
    ///   - changes: what is set.
    ///   - ifVersion: fails with ``AutofillReason/Code/versionMismatch`` if the saved credential was changed since.
    ///   - interaction: whether the user may be prompted: to change what another program or the user set needs consent.
    /// - Returns: whether anything was changed.
    @discardableResult
    public func update(
        _ id: SavedCredential.ID, _ changes: CredentialChanges, ifVersion: String? = nil,
        interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> Bool {
        try await perform(
            CredentialUpdate(
                credential: id, changes: changes.wire, ifVersion: ifVersion, interaction: interaction.wire), interaction
        ).changed
    }

    /// Changes the user name of a saved credential. Fails with ``AutofillReason/Code/credentialTaken`` if another credential of its
    /// sites has it. Repeatable.
    ///
    /// - Parameters:
    ///   - id: the credential.
    ///   - user: the new user name.
    ///   - ifVersion: fails with ``AutofillReason/Code/versionMismatch`` if the saved credential was changed since.
    ///   - interaction: whether the user may be prompted: to rename what another program or the user saved needs consent.
    /// - Returns: whether anything was changed.
    @discardableResult
    public func rename(
        _ id: SavedCredential.ID, to user: String, ifVersion: String? = nil, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> Bool {
        let call = CredentialUpdate(.id(id), newUser: user, ifVersion: ifVersion, interaction: interaction.wire)
        return try await perform(call, interaction).changed
    }

    /// Returns all credentials of a site, without passwords; the one used last is first.
    public func credentials(
        for service: CredentialServiceIdentifier, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> [SavedCredential] {
        try await all(
            { CredentialList(service: ServiceIdentifier(service), page: $0, interaction: interaction.wire) },
            { ($0.credentials, $0.next) }, SavedCredential.init, interaction)
    }

    /// Deletes a saved credential. Repeatable.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func deleteCredential(
        _ id: SavedCredential.ID, ifVersion: String? = nil, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> Bool {
        try await perform(
            CredentialDelete(credential: id, ifVersion: ifVersion, interaction: interaction.wire), interaction
        ).changed
    }
}
