// SPDX-License-Identifier: Apache-2.0
internal import Forms
internal import Reasons

extension Condition {
    /// Judges this condition; nil where it has no meaning (a form's condition when no form is spoken of).
    func finding(in facts: AutofillFacts) -> Finding? {
        switch self {
        case .keychain: setting(facts.keychain, "keychain", .keychainDisabled, facts)
        case .autoFill: setting(facts.autoFill, "autoFill", .autoFillDisabled, facts)
        case .strongPasswords: setting(facts.strongPasswords, "strongPasswords", .strongPasswordsDisabled, facts)
        case .identity: identity(facts)
        case .registration: registration(facts)
        case .providerEntitlement: providerEntitlement(facts)
        case .associatedDomains: associatedDomains(facts)
        case .service: service(facts)
        case .site: site(facts)
        case .userApproval: userApproval(facts)
        case .newPasswordField, .secureEntry, .usernameField: field(facts)
        case .passwordRules: rules(facts)
        case .grant: grant(facts)
        case .vault: vault(facts)
        }
    }

    private func setting(_ isOn: Bool, _ name: String, _ reason: Reason, _ facts: AutofillFacts) -> Finding {
        isOn
            ? .held(self, "\(name) is on")
            : .failed(
                self, "\(name) is off in \(facts.settingsPath)",
                Refusal(reason, [.app: facts.app, .settings: facts.settingsPath]))
    }

    private func identity(_ facts: AutofillFacts) -> Finding {
        switch facts.identity {
        case .consistent(let assurance, let grounds):
            .held(self, ([assurance] + grounds).joined(separator: "; "))
        case .contradicted(let evidence):
            .failed(self, evidence, Refusal(.identityMismatch, [.app: facts.app]))
        case .notAsked:
            .unknown(self, "determined when the app connects")
        }
    }

    private func registration(_ facts: AutofillFacts) -> Finding {
        switch facts.declaration {
        case .present(let declared): .held(self, declared.path)
        case .missing(let searched):
            .failed(
                self, "no \(facts.app).json in \(searched.joined(separator: ", "))",
                Refusal(.appNotRegistered, [.app: facts.app]))
        case .invalid(let path, let mistakes):
            .failed(
                self, ([path] + mistakes).joined(separator: ": "),
                Refusal(.registrationInvalid, [.app: facts.app, .path: path]))
        }
    }

    private func providerEntitlement(_ facts: AutofillFacts) -> Finding {
        guard case .present(let declared) = facts.declaration else { return afterRegistration }
        if let finding = replacement(facts) { return finding }
        return declared.isCredentialProvider
            ? .held(self, "declared in \(declared.path)")
            : .failed(
                self, "not declared in \(declared.path)", Refusal(.providerEntitlementMissing, [.app: facts.app]))
    }

    private func associatedDomains(_ facts: AutofillFacts) -> Finding {
        guard case .present(let declared) = facts.declaration else { return afterRegistration }
        if let notNeeded = notNeeded(facts) { return notNeeded }
        var parameters: [Refusal.Parameter: String] = [.app: facts.app]
        if case .domain(let domain) = facts.site { parameters[.domain] = domain }
        return declared.associatedDomains.isEmpty
            ? .failed(
                self, "no webcredentials: entry in \(declared.path)", Refusal(.associatedDomainsMissing, parameters))
            : .held(self, declared.associatedDomains.joined(separator: ", "))
    }

    private func service(_ facts: AutofillFacts) -> Finding {
        switch facts.site {
        case .unnamed, .unnamedOfAny: return .unknown(self, "no service was named")
        case .url, .origin, .opaqueOrigin: return webService(facts)
        case .unsupportedType(let type):
            return .failed(self, "the service's type is \(type)", Refusal(.serviceTypeUnsupported, [.app: facts.app]))
        case .domain(let domain):
            guard case .present(let declared) = facts.declaration, !declared.associatedDomains.isEmpty else {
                return afterRegistration
            }
            return declared.coveringEntry.map { .held(self, "\(domain) is covered by \($0)") }
                ?? .failed(
                    self, "\(domain) is covered by none of \(declared.associatedDomains.joined(separator: ", "))",
                    Refusal(.domainNotAssociated, [.app: facts.app, .domain: domain]))
        }
    }

    /// A finding that is not known before the app is registered with a domain.
    var afterRegistration: Finding { .unknown(self, "determined when the app is registered") }
}

extension Condition {
    private func field(_ facts: AutofillFacts) -> Finding? {
        guard let form = facts.form else { return nil }
        for obstacle in form.obstacles {
            switch (self, obstacle) {
            case (.newPasswordField, .newPasswordFieldMissing):
                return .failed(
                    self, "none of the form's fields", Refusal(.newPasswordFieldMissing, [.app: facts.app]))
            case (.secureEntry, .fieldNotSecure(let field)):
                return .failed(
                    self, "field \(field) is shown in clear",
                    Refusal(.fieldNotSecure, [.app: facts.app, .field: field])
                )
            case (.usernameField, .usernameFieldMissing):
                return .failed(self, "none of the form's fields", Refusal(.usernameFieldMissing, [.app: facts.app]))
            default: continue
            }
        }
        switch self {
        case .newPasswordField: return .held(self, "field \(form.newPasswordFields.joined(separator: ", "))")
        case .secureEntry:
            return form.newPasswordFields.isEmpty
                ? nil : .held(self, "field \(form.newPasswordFields.joined(separator: ", "))")
        default:
            return form.kind == .changePassword
                ? .held(self, "not needed to change a password")
                : .held(self, "field \(form.usernameField ?? "")")
        }
    }

    private func rules(_ facts: AutofillFacts) -> Finding? {
        switch facts.rules {
        case nil: nil
        case .satisfiable(let canonical): .held(self, canonical)
        case .unsatisfiable(let field, let detail):
            .failed(
                self, detail,
                Refusal(.passwordRulesUnsatisfiable, [.app: facts.app, .field: field, .detail: detail]))
        case .tooComplex(let field, let detail):
            .failed(
                self, detail, Refusal(.passwordRulesTooComplex, [.app: facts.app, .field: field, .detail: detail]))
        }
    }

    private func grant(_ facts: AutofillFacts) -> Finding {
        var parameters: [Refusal.Parameter: String] = [.app: facts.app]
        if let name = facts.site.name { parameters[.domain] = name }
        return switch facts.consent {
        case .granted(let grant): .held(self, grant)
        case .denied: .failed(self, "the user denied it", Refusal(.grantDenied, parameters))
        case .missing: .failed(self, "the user has not been asked", Refusal(.grantMissing, parameters))
        case .unknown: .unknown(self, "grants are in the vault, which is not open")
        }
    }

    private func vault(_ facts: AutofillFacts) -> Finding {
        switch facts.vault {
        case .unlocked: .held(self, "unlocked")
        case .locked: .failed(self, "locked", Refusal(.vaultLocked, [.app: facts.app]))
        case .missing: .failed(self, "there is none", Refusal(.vaultMissing, [.app: facts.app]))
        case .unusable(let code):
            .failed(self, code, Refusal(Reason(rawValue: code) ?? .vaultUnreadable, [.app: facts.app]))
        }
    }
}
