// SPDX-License-Identifier: Apache-2.0

package struct VaultLock: MethodCall {
    package typealias Answer = Changed
    package static let declaration = MethodDeclaration(
        .vaultLock, "Locks the vault: its keys are erased from memory.", .open, outsideSandbox: true, repeatable: true)

    package init() {}
    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self()
    }
}
