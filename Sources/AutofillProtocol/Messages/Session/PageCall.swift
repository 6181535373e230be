// SPDX-License-Identifier: Apache-2.0

/// A page of all that there is of a kind: `admin.grant.list`, `admin.release.list`.
package protocol PageCall: ProvableCall {
    var page: PageRequest { get }
    var proof: Proof? { get }

    init(page: PageRequest, proof: Proof?)
}

extension PageCall {
    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(page: try field(\.page), proof: try field.proof(\.proof))
    }
}
