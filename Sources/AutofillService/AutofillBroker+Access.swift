// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
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
}
