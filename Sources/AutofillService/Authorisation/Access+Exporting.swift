// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
package import Credentials
internal import Reasons

/// An export that a connection has begun with proof: until its last page, or until the next one is not asked for in time, it is what
/// the proof of one request would be. It ends with the connection, with a lock, where other secrets open the vault, and with the
/// vault that it was begun in. It only goes on: the last page may be read again, as its answer may have been lost, and none before.
package struct BegunExport: Sendable {
    /// nil for all that is saved.
    let only: Service?
    /// When it ends, by the steady clock.
    fileprivate(set) var end: Timestamp
    /// Behind which credential the page begins that was read last; nil for the first page, and where none was read.
    fileprivate var present: ObjectID?
    /// The same for the page behind that.
    fileprivate var next: ObjectID?

    fileprivate init(only: Service?, end: Timestamp) { (self.only, self.end) = (only, end) }

    /// The same, a page having been read; nil where that was the last one.
    package func continued(at next: ObjectID?) -> BegunExport? {
        guard let next else { return nil }
        var export = self
        export.next = next
        return export
    }

    /// Whether a credential belongs to it: one of its services is the service itself, or a page of the domain or below it.
    package func includes(_ credential: Sealed<Credential>) -> Bool { includes(credential.services.map(\.service)) }

    func includes(_ services: [Service]) -> Bool {
        guard let only else { return true }
        return services.contains { service in
            if service == only { return true }
            guard only.kind == .domain, let host = service.host else { return false }
            return host == only.value || host.hasSuffix("." + only.value)
        }
    }
}

/// Exports.
extension Access {
    /// An export of the request's connection; only with proof.
    package func beginExport(
        of only: Service?, at now: Timestamp, _ request: RequestView
    ) throws(Unsettled) -> BegunExport {
        guard request.isProven else { throw Unsettled(.proofRequired) }
        return BegunExport(only: only, end: now.advanced(byMilliseconds: Int64(Limits.exportMilliseconds)))
    }

    /// The export that the request's connection has begun, for the page behind a credential: the next one, with more time, or the last
    /// one again. Throws where there is none, or none any more.
    package func export(
        after id: ObjectID?, at now: Timestamp, _ request: RequestView
    ) throws(Unsettled) -> BegunExport {
        guard var export = request.export, now < export.end else { throw Unsettled(.proofRequired) }
        guard id == export.next || id == export.present else {
            throw .invalid(
                "cursor", because: "It is neither the next page of this export nor the last one again.",
                fix: "Send next of the last page, or begin again with admin.export.begin")
        }
        if id == export.next { export.end = now.advanced(byMilliseconds: Int64(Limits.exportMilliseconds)) }
        export.present = id
        return export
    }

    /// To a credential that belongs to an export.
    package func toExport(
        _ found: Sealed<Credential>, of export: BegunExport
    ) throws(Unsettled) -> Permit {
        guard export.includes(found) else { throw Unsettled(.credentialNotFound) }
        return Permit(found.service, .granted(nil))
    }
}

extension Service {
    /// The name of the host of a site; nil for what has none.
    fileprivate var host: String? {
        if kind == .domain { return value }
        guard kind.isOfSites, let start = value.firstRange(of: "://")?.upperBound else { return nil }
        let end = value[start...].firstIndex(of: "/") ?? value.endIndex
        let authority = value[start..<end]
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return host.hasPrefix("[") ? nil : String(host.prefix { $0 != ":" })
    }
}
