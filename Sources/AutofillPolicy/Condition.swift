// SPDX-License-Identifier: Apache-2.0
package import Reasons

/// One thing that has to hold before AutoFill acts, in the order in which failures are listed.
package enum Condition: String, CaseIterable, Sendable {
    case keychain, autoFill, strongPasswords, identity, registration, providerEntitlement, associatedDomains, service
    case site, userApproval
    case newPasswordField, secureEntry, usernameField, passwordRules, grant, vault

    /// Whether its finding reveals an app's registration, or the user's decision about the app.
    var isOfRegistration: Bool {
        switch self {
        case .registration, .providerEntitlement, .associatedDomains, .service, .site, .userApproval, .grant: true
        case .keychain, .autoFill, .strongPasswords, .identity, .newPasswordField, .secureEntry, .usernameField,
            .passwordRules, .vault:
            false
        }
    }

    /// The condition as text.
    package var title: String {
        switch self {
        case .keychain: "The keychain is on"
        case .autoFill: "AutoFill is on"
        case .strongPasswords: "Strong passwords are on for this app"
        case .identity: "The calling program is the app it claims to be"
        case .registration: "The app is registered"
        case .providerEntitlement: "It has the AutoFill credential provider entitlement"
        case .associatedDomains: "It has an associated domain"
        case .service: "The domain is among them, or the app may ask for any"
        case .site: "The site approves the app, or the user does instead"
        case .userApproval: "The user has not denied it, and approved it where that is needed"
        case .newPasswordField: "A field has the content type newPassword"
        case .secureEntry: "That field has secure text entry on"
        case .usernameField: "Another field has the content type username"
        case .passwordRules: "The password rules can be met"
        case .grant: "The user allowed it"
        case .vault: "The vault is open"
        }
    }
}

/// The finding about one condition.
package struct Finding: Sendable {
    package let condition: Condition
    /// nil when it is unknown.
    package let isHeld: Bool?
    /// The fact, with the file, domain or field concerned.
    package let evidence: String
    /// Set when the condition does not hold.
    package let refusal: Refusal?

    static func held(_ condition: Condition, _ evidence: String) -> Finding {
        Finding(condition: condition, isHeld: true, evidence: evidence, refusal: nil)
    }

    static func unknown(_ condition: Condition, _ evidence: String) -> Finding {
        Finding(condition: condition, isHeld: nil, evidence: evidence, refusal: nil)
    }

    static func failed(_ condition: Condition, _ evidence: String, _ refusal: Refusal) -> Finding {
        Finding(condition: condition, isHeld: false, evidence: evidence, refusal: refusal)
    }
}
