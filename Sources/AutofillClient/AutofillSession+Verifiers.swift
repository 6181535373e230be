// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import SecretMemory

/// Passwords that an app has to know again, and must not keep.
extension AutofillSession {
    /// Keeps what a password can be checked against: scrypt with a salt of its own, never the password.
    ///
    /// - Parameters:
    ///   - password: 1 to 4,096 bytes; its NFC form counts.
    ///   - service: the app's own word, 1 to 1,024 bytes.
    ///   - account: whose it is, 1 to 1,024 bytes.
    ///   - accessGroup: a group that apps share; the app's own where it is left out.
    ///   - interaction: whether the person may be asked, where another program of the group has set it.
    public func setVerifier(
        of password: String, service: String, account: String, accessGroup: String? = nil,
        interaction: UserInteraction = .allowed
    ) async throws(AutofillError) {
        _ = try await perform(
            VerifierSet(
                service: service, account: account, password: SecretBytes(utf8: password), accessGroup: accessGroup,
                interaction: interaction.wire))
    }

    /// Whether a password is the one that was set. Wrong ones make the next try wait: it is refused with
    /// ``AutofillReason/Code/checkTooSoon`` until then. A call whose answer was lost is not repeated by itself.
    public func check(
        _ password: String, service: String, account: String, accessGroup: String? = nil
    ) async throws(AutofillError) -> Bool {
        try await perform(
            VerifierCheck(
                service: service, account: account, password: SecretBytes(utf8: password), accessGroup: accessGroup)
        ).isRight
    }

    /// Removes a verifier.
    ///
    /// - Returns: whether it was there.
    @discardableResult
    public func deleteVerifier(
        service: String, account: String, accessGroup: String? = nil, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> Bool {
        try await perform(
            VerifierDelete(
                service: service, account: account, accessGroup: accessGroup, interaction: interaction.wire)
        ).changed
    }

    /// The hash of a verifier, to take it elsewhere: a PHC string, `$scrypt$ln=15,r=8,p=1$SALT$HASH`.
    public func exportVerifier(
        service: String, account: String, accessGroup: String? = nil, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> String {
        String(
            try await perform(
                VerifierExport(
                    service: service, account: account, accessGroup: accessGroup, interaction: interaction.wire)
            ).hash)
    }

    /// Keeps a hash that was made elsewhere: a PHC string of scrypt.
    public func importVerifier(
        _ hash: String, service: String, account: String, accessGroup: String? = nil,
        interaction: UserInteraction = .allowed
    ) async throws(AutofillError) {
        _ = try await perform(
            VerifierImport(
                service: service, account: account, hash: SecretBytes(utf8: hash), accessGroup: accessGroup,
                interaction: interaction.wire))
    }
}
