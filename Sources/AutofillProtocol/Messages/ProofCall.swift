// SPDX-License-Identifier: Apache-2.0

/// A call that says nothing but its proof: `backup.list`, `slot.list`, `setting.list`.
package protocol ProofCall: ProvableCall {
    var proof: Proof? { get }

    init(proof: Proof?)
}

extension ProofCall {
    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(proof: try field.proof(\.proof))
    }
}
