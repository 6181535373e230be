// SPDX-License-Identifier: Apache-2.0

/// What a method is, beside its fields: what it does, who may call it, and whether it may be sent again.
package struct MethodDeclaration: Sendable {
    /// What a method does to what is stored.
    package enum AccessClass: String, Sendable {
        /// Nothing that is anyone's.
        case open
        /// The app's own: what it made or saved itself.
        case own
        /// Gives out what was saved, or shows that it is there.
        case release
        /// Grants, other apps' data, the vault itself: only with proof in the same request.
        case administer
    }

    /// What the calling app has to be.
    package enum AppNeed: Sendable {
        case anything
        /// It has a registration, whatever that declares.
        case registered
        /// Its registration has both entitlements, and the domain is among its associated domains.
        case associated
    }

    /// What the vault has to be.
    package enum VaultNeed: Sendable {
        case anything, open, missing
    }

    /// What proof that the person is there does for the request.
    package enum ProofNeed: Sendable {
        case none
        /// With it the request reaches the data of every app; class administer.
        case instead
        case needed
        /// Needed where the request takes away what protects the person, and always from anybody but `autofillctl` (a greeting,
        /// which proves nothing).
        case toWeaken
        /// The secret that the request carries is its proof.
        case itself
    }

    package let method: Method
    /// What it does, for people: one or two sentences.
    package let summary: StaticString
    package let accessClass: AccessClass
    package let app: AppNeed
    /// A grant, unless the app made or saved it in this connection.
    package let needsGrant: Bool
    package let vaultNeed: VaultNeed
    package let proofNeed: ProofNeed
    /// Whether the proof may be a prompt that the daemon shows; else it is the passphrase or the key of a slot.
    package let admitsPrompt: Bool
    /// Whether it is refused to whatever is not seen to be outside any sandbox.
    package let isOutsideSandboxOnly: Bool
    /// Whether the same call, sent again because its answer was lost, does no more than once would: then clients do that
    /// by themselves.
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
    /// Whether its proof is the secret itself, in this request: with less, what opens the vault, or answers for the person, could be
    /// made somebody else's for good.
    package var needsSecret: Bool {
        switch method {
        case .slotAdd, .slotChange, .slotRemove, .vaultRekey, .vaultRestore, .prompterAttach: true
        default: false
        }
    }
    /// Whether the evidence must agree with the app's word: all that is an app's own, and all that is released.
    package var needsIdentity: Bool { accessClass == .own || accessClass == .release }

    /// What the vault has to be, for the table of protocol.md.
    package var vault: String {
        switch vaultNeed {
        case .anything: ""
        case .open: "open"
        case .missing: "missing"
        }
    }

    /// What proof it takes, and how, for the table of protocol.md.
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
