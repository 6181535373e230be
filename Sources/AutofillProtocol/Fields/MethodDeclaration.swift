// SPDX-License-Identifier: Apache-2.0

/// The declaration of a method without its fields: what it does, which programs may call it, and whether it is repeatable.
package struct MethodDeclaration: Sendable {
    /// What a method does to what is stored.
    package enum AccessClass: String, Sendable {
        /// No data of any app.
        case open
        /// The app's own data: what it made or saved itself.
        case own
        /// Releases saved data, or shows that it exists.
        case release
        /// Grants, other apps' data, the vault itself: only with proof in the same request.
        case administer
    }

    /// What the calling app must be.
    package enum AppNeed: Sendable {
        case anything
        /// It has a registration, whatever that declares.
        case registered
        /// Its registration has both entitlements, and the domain is among its associated domains.
        case associated
    }

    /// What the state of the vault must be.
    package enum VaultNeed: Sendable {
        case anything, open, missing
    }

    /// The effect of proof that the user is present.
    package enum ProofNeed: Sendable {
        case none
        /// With it the request has access to the data of every app; class administer.
        case instead
        case needed
        /// Needed if the request weakens the user's protection, and always from any program but `autofillctl` (by its `hello`,
        /// which proves nothing).
        case toWeaken
        /// The secret that the request carries is its proof.
        case itself
    }

    package let method: Method
    /// What it does: one or two sentences for people.
    package let summary: StaticString
    package let accessClass: AccessClass
    package let app: AppNeed
    /// A grant, unless the app made or saved it in this connection.
    package let needsGrant: Bool
    package let vaultNeed: VaultNeed
    package let proofNeed: ProofNeed
    /// Whether the proof may be a prompt that the daemon shows; else it is the passphrase or the key of a slot.
    package let admitsPrompt: Bool
    /// Whether it is refused unless the caller was verified to be outside any sandbox.
    package let isOutsideSandboxOnly: Bool
    /// Whether the same call, sent again because its answer was lost, has no further effect. Clients then send it again
    /// automatically.
    package let isRepeatable: Bool

    package init(
        _ method: Method, _ summary: StaticString, _ accessClass: AccessClass, app: AppNeed = .anything,
        grant: Bool = false, vault: VaultNeed = .anything, proof: ProofNeed = .none, prompt: Bool = false,
        outsideSandbox: Bool = false, repeatable: Bool
    ) {
        (self.method, self.summary, self.accessClass, self.app) = (method, summary, accessClass, app)
        (needsGrant, vaultNeed, proofNeed, admitsPrompt) = (grant, vault, proof, prompt)
        (isOutsideSandboxOnly, isRepeatable) = (outsideSandbox, repeatable)
    }
}

extension MethodDeclaration {
    package var needsAssociation: Bool { app == .associated }
    package var needsRegistration: Bool { app != .anything }
    package var needsUnlockedVault: Bool { vaultNeed == .open }
    package var needsProof: Bool { proofNeed == .needed }
    /// Whether its proof is the secret itself, in this request: with less, another program could permanently take over what
    /// opens the vault or answers prompts, or take away all that is saved.
    package var needsSecret: Bool {
        switch method {
        case .slotAdd, .slotChange, .slotRemove, .vaultRekey, .vaultRestore, .prompterAttach, .exportBegin, .syncStart,
            .syncJoin, .syncInvite, .syncRemove:
            true
        default: false
        }
    }
    /// Whether the evidence must agree with the app's statement: for an app's own data, and for all releases.
    package var needsIdentity: Bool { accessClass == .own || accessClass == .release }

    /// What the state of the vault must be, for the table of protocol.md.
    package var vault: String {
        switch vaultNeed {
        case .anything: ""
        case .open: "open"
        case .missing: "missing"
        }
    }

    /// The proof that it needs, and how, for the table of protocol.md.
    package var proof: String {
        let how =
            switch proofNeed {
            case .none, .itself: ""
            case .instead: "instead"
            case .needed: "needed"
            case .toWeaken: "to weaken"
            }
        if proofNeed == .itself { return "itself" }
        if needsSecret { return how + ", the secret itself" }
        return how.isEmpty || admitsPrompt ? how : how + ", no prompt"
    }
}
