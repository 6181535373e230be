// SPDX-License-Identifier: Apache-2.0
package import Reasons

/// The journal of why no strong password is offered.
package struct WithheldLog {
    private let audit: Audit
    private let request: RequestContext

    package init(_ audit: Audit, _ request: RequestContext) { (self.audit, self.request) = (audit, request) }

    /// Writes Apple's line, once for each field, screen and reason.
    package func note(_ refusals: [Refusal], form: String?, field: String, domain: String?) {
        audit.noteWithheld(refusals, form: form, field: field, domain: domain, request)
    }
}
