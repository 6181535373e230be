// SPDX-License-Identifier: Apache-2.0

/// A call whose only parameter is its proof: `admin.backup.list`, `admin.slot.list`, `admin.setting.list`.
package protocol ProofCall: ProvableCall {
    var proof: Proof? { get }

    init(proof: Proof?)
}

extension ProofCall {
    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(proof: try field.proof(\.proof))
    }
}
