// SPDX-License-Identifier: Apache-2.0

/// Who may call what. A method that is not in the table is refused.
package enum AccessTable {
    /// What a method does to what is stored.
    package enum Class: String, Sendable {
        /// Nothing that is anyone's.
        case open
        /// The app's own: what it made or saved itself.
        case own
        /// Gives out what was saved, or shows that it is there.
        case release
        /// Grants, other apps' data, the vault itself: only with proof in the same request.
        case administer
    }

    /// What a method needs beyond a well-formed request.
    package struct Row: Sendable {
        package let method: String
        package let accessClass: Class
        /// The registration with both entitlements, and the domain among its associated domains.
        package let needsAssociation: Bool
        /// The registration, whatever it declares, if the association is not needed.
        package let needsRegistration: Bool
        /// A grant, unless the app made or saved it in this connection.
        package let needsGrant: Bool
        package let needsUnlockedVault: Bool
        /// With `proof` in the request it reaches the data of every app instead; class administer.
        package let admitsProof: Bool
        package let needsProof: Bool
        /// Proof where it takes away what protects the person, and always from anybody but `autofillctl`.
        package let needsProofToWeaken: Bool
        /// Whether the proof may be a prompt that the daemon shows; else it is the passphrase or the key of a slot.
        package let admitsPrompt: Bool
        /// The secret that it carries is its proof.
        package let isProvenByItself: Bool

        /// Whether the evidence must agree with the app's word: all that is an app's own, and all that is released.
        package var needsIdentity: Bool { accessClass == .own || accessClass == .release }

        /// What the vault has to be.
        package var vault: String { method == "vault.create" ? "missing" : needsUnlockedVault ? "open" : "" }

        /// What proof it takes, and how.
        package var proof: String {
            if isProvenByItself { return "itself" }
            guard needsProof || admitsProof || needsProofToWeaken else { return "" }
            let how = needsProof ? "needed" : needsProofToWeaken ? "to weaken" : "instead"
            return how + (admitsPrompt ? "" : ", no prompt")
        }
    }

    /// The row of a method; nil is a refusal.
    package static func row(for method: String) -> Row? { rows.first { $0.method == method } }

    /// The table, in the order of protocol.md.
    package static let rows: [Row] = [
        row("hello", .open), row("status", .open), row("diagnose", .open), row("request.cancel", .open),
        row("autofill.suggest", .own, association: true, vault: true),
        row("autofill.focus", .own, association: true, vault: true),
        row("autofill.fill", .release, association: true, grant: true, vault: true, admitsProof: true, prompt: true),
        row("autofill.accept", .own, association: true, vault: true, admitsProof: true, prompt: true),
        row("autofill.decline", .own, association: true, vault: true, admitsProof: true, prompt: true),
        row("autofill.submitted", .own, association: true, vault: true),
        row("offer.list", .own, vault: true, admitsProof: true, prompt: true),
        row("credential.save", .own, association: true, vault: true, admitsProof: true, prompt: true),
        row("credential.get", .release, association: true, grant: true, vault: true, admitsProof: true, prompt: true),
        row("credential.list", .release, association: true, grant: true, vault: true, admitsProof: true, prompt: true),
        row(
            "credential.delete", .release, association: true, grant: true, vault: true, admitsProof: true, prompt: true),
        row("credential.restore", .administer, vault: true, proof: true),
        row("code.set", .own, association: true, vault: true, admitsProof: true, prompt: true),
        row("code.get", .release, association: true, grant: true, vault: true, admitsProof: true, prompt: true),
        row("code.delete", .own, association: true, vault: true, admitsProof: true, prompt: true),
        row("code.export", .administer, vault: true, proof: true),
        row("code.offer", .own, registration: true),
        row("keychain.set", .own, registration: true, vault: true, admitsProof: true, prompt: true),
        row("keychain.get", .release, registration: true, grant: true, vault: true, admitsProof: true, prompt: true),
        row("keychain.rename", .own, registration: true, vault: true, admitsProof: true, prompt: true),
        row("keychain.delete", .own, registration: true, vault: true, admitsProof: true, prompt: true),
        row("keychain.list", .release, registration: true, grant: true, vault: true, admitsProof: true, prompt: true),
        row("verifier.set", .own, registration: true, vault: true),
        row("verifier.check", .own, registration: true, vault: true),
        row("verifier.delete", .own, registration: true, vault: true, admitsProof: true, prompt: true),
        row("verifier.export", .release, registration: true, grant: true, vault: true, admitsProof: true),
        row("verifier.import", .own, registration: true, vault: true, admitsProof: true, prompt: true),
        row("signIn.start", .own, registration: true, vault: true),
        row("signIn.end", .own, registration: true, vault: true),
        row("signIn.status", .release, registration: true, grant: true, vault: true),
        row("vault.create", .administer, itself: true),
        row("vault.unlock", .administer, itself: true),
        row("vault.lock", .open),
        row("vault.check", .administer, vault: true, proof: true),
        row("vault.backup", .administer, vault: true, proof: true),
        // Where no vault can be opened there is none whose proof could be asked for.
        row("vault.restore", .administer, proof: true),
        row("vault.rekey", .administer, vault: true, proof: true),
        row("backup.list", .administer, vault: true, proof: true),
        row("slot.list", .administer, vault: true, proof: true),
        row("slot.add", .administer, vault: true, proof: true),
        row("slot.change", .administer, vault: true, proof: true),
        row("slot.remove", .administer, vault: true, proof: true),
        row("grant.allow", .administer, vault: true, proof: true, prompt: true),
        row("grant.deny", .administer, vault: true, proof: true, prompt: true),
        row("grant.list", .administer, vault: true, proof: true, prompt: true),
        row("grant.revoke", .administer, vault: true, proof: true, prompt: true),
        row("domain.list", .own, vault: true, admitsProof: true, prompt: true),
        row("domain.get", .own, vault: true, admitsProof: true, prompt: true),
        row("domain.refresh", .own, vault: true, admitsProof: true, prompt: true),
        row("domain.approve", .administer, vault: true, proof: true, prompt: true),
        row("domain.deny", .administer, vault: true, proof: true, prompt: true),
        row("setting.list", .open, admitsProof: true, prompt: true),
        row("setting.get", .open, admitsProof: true, prompt: true),
        row("setting.set", .administer, proofToWeaken: true, prompt: true),
        row("event.subscribe", .open),
        row("release.list", .administer, vault: true, proof: true, prompt: true),
    ]

    private static func row(
        _ method: String, _ accessClass: Class, association: Bool = false, registration: Bool = false,
        grant: Bool = false, vault: Bool = false, admitsProof: Bool = false, proof: Bool = false,
        proofToWeaken: Bool = false, prompt: Bool = false, itself: Bool = false
    ) -> Row {
        Row(
            method: method, accessClass: accessClass, needsAssociation: association,
            needsRegistration: registration || association, needsGrant: grant, needsUnlockedVault: vault,
            admitsProof: admitsProof, needsProof: proof, needsProofToWeaken: proofToWeaken, admitsPrompt: prompt,
            isProvenByItself: itself)
    }
}
