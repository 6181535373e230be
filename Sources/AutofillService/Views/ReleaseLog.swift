// SPDX-License-Identifier: Apache-2.0
package import CredentialStorage
package import Credentials
package import Reasons

/// The record of releases, and the only way to the secrets of a record: what it returns is on record.
package struct ReleaseLog {
    private let audit: Audit
    private let request: RequestContext

    package init(_ audit: Audit, _ request: RequestContext) { (self.audit, self.request) = (audit, request) }

    /// Puts the release on record, and opens the record.
    ///
    /// - Parameter isUse: whether it becomes the credential that was used last.
    /// - Returns: the record where it is in memory: it is not copied.
    package func open(
        _ sealed: Sealed<Credential>, under permit: Permit, isUse: Bool
    ) throws(Refusal) -> FoundRecord<Credential> {
        try audit.release(sealed.id, under: permit, request, isUse: isUse)
        return sealed.found
    }

    /// Opens all of an export with one write to the record.
    package func open(_ exported: [(sealed: Sealed<Credential>, permit: Permit)]) throws(Refusal) -> [Credential] {
        try audit.release(exported.map { ($0.sealed.id, $0.permit) }, request)
        return exported.map(\.sealed.record)
    }

    package func open(_ sealed: Sealed<Offer>, under permit: Permit) throws(Refusal) -> Offer {
        try audit.release(sealed.id, under: permit, request)
        return sealed.record
    }

    package func open(_ sealed: Sealed<Item>, under permit: Permit) throws(Refusal) -> Item {
        try audit.release(sealed.id, under: permit, request)
        return sealed.record
    }

    package func open(_ sealed: Sealed<Verifier>, under permit: Permit) throws(Refusal) -> Verifier {
        try audit.release(sealed.id, under: permit, request)
        return sealed.record
    }

    package func open(_ sealed: Sealed<IncomingCode>, under permit: Permit) throws(Refusal) -> IncomingCode {
        try audit.release(nil, under: permit, request)
        return sealed.record
    }
}
