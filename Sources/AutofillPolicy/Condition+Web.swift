// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import Reasons

/// Services that are no associated domains: those of browsers and credential helpers. Their entitlement replaces the
/// provider's, associated domains, and the site's and the user's approval.
extension Condition {
    /// The entitlement by which the app may ask for the service; nil for a service that it does not cover.
    func replacement(_ facts: AutofillFacts) -> Finding? {
        guard case .present(let declared) = facts.declaration else { return nil }
        let keys: [(AppEntitlements.Key, AutofillFacts.Entitlement)]
        switch facts.site {
        case .domain, .unsupportedType, .unnamed: return nil
        case .url: keys = [(.credentialHelper, declared.credentialHelper)]
        case .origin, .opaqueOrigin, .unnamedOfAny:
            keys = [(.webBrowser, declared.webBrowser), (.credentialHelper, declared.credentialHelper)]
        }
        if let key = keys.first(where: { $0.1 == .declared })?.0 {
            return .held(self, "\(key.rawValue) replaces it, declared in \(declared.path)")
        }
        let inVain = keys.first { $0.1 == .inVain }?.0
        let reason: Reason = keys.count == 1 ? .helperEntitlementMissing : .browserEntitlementMissing
        return .failed(
            self,
            inVain.map { "\($0.rawValue) is declared in \(declared.path), which is not root-owned" }
                ?? "\(keys[0].0.rawValue) is not declared in \(declared.path)",
            Refusal(reason, [.app: facts.app]))
    }

    /// The finding for an app that may request the service without it; nil where it is required.
    func notNeeded(_ facts: AutofillFacts) -> Finding? {
        guard let replacement = replacement(facts) else { return nil }
        return replacement.isHeld == true
            ? .held(self, "not needed: \(replacement.evidence)") : .unknown(self, "determined when it may request it")
    }

    /// Whether what was named is served at all.
    func webService(_ facts: AutofillFacts) -> Finding {
        let names: [Refusal.Parameter: String] = [.app: facts.app, .domain: facts.site.name ?? ""]
        switch facts.site {
        case .opaqueOrigin(let text):
            return .failed(self, "\(text.quoted) is the origin of no web page", Refusal(.originOpaque, names))
        case .origin(let origin) where !origin.isServed:
            return .failed(self, "\(origin) can be read and changed on the way", Refusal(.originNotSecure, names))
        case .origin(let origin): return .held(self, origin.text)
        default: return .held(self, "a string of its own")
        }
    }
}
