// SPDX-License-Identifier: Apache-2.0

package struct TerminalLock: MethodCall {
    package typealias Answer = Changed
    package static let declaration = MethodDeclaration(
        .terminalLock,
        "Ends the validity of a passphrase at the caller's terminal: the next request there needs proof again.",
        .open, outsideSandbox: true, repeatable: true)

    package init() {}
    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self()
    }
}
