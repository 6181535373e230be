// SPDX-License-Identifier: Apache-2.0

package struct SyncAnswer: MethodCall {
    package static let declaration = MethodDeclaration(
        .syncAnswer, "Returns which machine has answered the invitation of this connection.", .administer,
        vault: .open, repeatable: true)

    package init() {}

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self { Self() }

    package struct Answer: Message, Hashable {
        package let device: String?
        package let name: String?

        package init(device: String? = nil, name: String? = nil) { (self.device, self.name) = (device, name) }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                device: try field(
                    optional: "device", \.device, .string(32...32), "The id of the machine; absent: none has answered."),
                name: try field(
                    optional: "name", \.name, .string(0...Limits.deviceNameBytes), "The user's name for it."))
        }
    }
}
