// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
package import AutofillProtocol

/// Why a file was not read.
package struct FetchFailure: Error, Hashable {
    package let kind: AssociationFailure
    package let status: Int?
    package let detail: String
    /// Whether the address could not be reached, so that another one may succeed.
    var isOfAddress = false

    init(_ kind: AssociationFailure, status: Int? = nil, _ detail: String? = nil) {
        self.kind = kind
        self.status = status
        self.detail = detail ?? kind.meaning
    }

    init(_ error: SiteAssociationError) {
        let isSyntax = if case .notJSON = error { true } else { false }
        self.init(isSyntax ? .notJSON : .notAnAssociation, status: 200, "\(error.reason) \(error.fix)")
    }
}
