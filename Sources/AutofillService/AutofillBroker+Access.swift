// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import PeerIdentity
internal import Reasons

/// Where the access table is held against a request, before its method runs.
///
/// What it asks besides proof each method asks of `examine`, `authorise` and `OpenVault.unlocked`: without what these give
/// back nothing can be read or released.
extension AutofillBroker {
    /// The access table by method: a method without a row is refused.
    static let rows = Dictionary(
        uniqueKeysWithValues: Method.allCases.compactMap { method in
            AccessTable.row(for: method.rawValue).map { (method, $0) }
        })

    /// What needs proof and has none is refused.
    func admit(_ method: Method, isProven: Bool) throws(RefusedRequest) {
        guard let row = Self.rows[method] else { throw RefusedRequest(.internalFault) }
        if row.needsProof, !isProven { throw RefusedRequest(.proofRequired) }
    }

    /// What is done to the vault as a whole, and every passphrase and key, is for programs that are seen to be outside any
    /// sandbox: a sandboxed app must neither make the vault before the person does, nor shut it, nor keep the person out by
    /// wrong tries. One that hides its root directory is not seen to be.
    func admitOutsideSandbox(_ client: Client) throws(RefusedRequest) {
        guard client.peer.evidence.sandbox != .none else { return }
        throw RefusedRequest(.outsideSandboxOnly, [.app: client.app?.bundleID.text ?? ""])
    }
}
