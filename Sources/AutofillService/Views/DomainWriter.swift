// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains
package import Reasons

/// Keeps the user's decisions about apps and domains.
package struct DomainWriter {
    private let associations: SiteAssociations
    private let consents: ConsentRecorder
    private let request: RequestContext

    package init(_ associations: SiteAssociations, _ consents: ConsentRecorder, _ request: RequestContext) {
        (self.associations, self.consents, self.request) = (associations, consents, request)
    }

    package func decide(
        _ decision: DomainDecision.Decision, _ app: BundleIdentifier, _ name: String
    ) throws(Refusal) {
        try associations.decide(DomainDecision(decision, at: associations.clock.now), app, name, causedBy: request)
        consents.forgetDenials(of: app.text)
    }
}
