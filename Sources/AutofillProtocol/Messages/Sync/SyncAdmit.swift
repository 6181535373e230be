// SPDX-License-Identifier: Apache-2.0

package struct SyncAdmit: MethodCall {
    package typealias Answer = Changed
    package static let declaration = MethodDeclaration(
        .syncAdmit, "Lets the machine in that has answered the invitation of this connection, or refuses it.",
        .administer, vault: .open, repeatable: false)
    package let device: String
    package let accept: Bool

    package init(device: String, accept: Bool) { (self.device, self.accept) = (device, accept) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            device: try field("device", \.device, .string(32...32), "The machine, as `admin.sync.answer` returned it."),
            accept: try field("accept", \.accept, .boolean, "False ends the invitation."))
    }
}
