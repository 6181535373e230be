// SPDX-License-Identifier: Apache-2.0

package struct SyncStop: ProofCall {
    package typealias Answer = Changed
    package static let declaration = MethodDeclaration(
        .syncStop, "Stops sync on this machine, also while it waits to be let in. What is saved stays.", .administer,
        vault: .open, proof: .needed, repeatable: true)
    package let proof: Proof?

    package init(proof: Proof?) { self.proof = proof }
}
