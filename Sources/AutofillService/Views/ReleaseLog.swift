// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import Reasons

/// The record of releases, and the only way to the secrets of a record: what it returns is on record.
package struct ReleaseLog {
    private let audit: Audit
    private let request: RequestContext

    package init(_ audit: Audit, _ request: RequestContext) { (self.audit, self.request) = (audit, request) }

    package func open(_ sealed: Sealed<Credential>, under permit: Permit) throws(Refusal) -> Credential {
        try audit.release(sealed.id, under: permit, request)
        return sealed.record
    }

    /// Calls `read` with the record, which is not copied.
    package func open<Result>(
        _ sealed: Sealed<Credential>, under permit: Permit, _ read: (Credential) throws(Refusal) -> Result
    ) throws(Refusal) -> Result {
        try audit.release(sealed.id, under: permit, request)
        return try read(sealed.record)
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
