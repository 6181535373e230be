// SPDX-License-Identifier: Apache-2.0

package struct ImportBegin: ProofCall {
    package typealias Answer = Changed
    package static let declaration = MethodDeclaration(
        .importBegin, "Begins an import on this connection. One that was begun before is discarded.", .administer,
        vault: .open, proof: .needed, repeatable: true)
    package let proof: Proof?

    package init(proof: Proof?) { self.proof = proof }
}
