// SPDX-License-Identifier: Apache-2.0

package struct RequestCancel: MethodCall {
    package typealias Answer = Changed
    package static let declaration = MethodDeclaration(
        .requestCancel,
        """
        Cancels a request of this connection that still waits; that request answers \
        `cancelled`.
        """, .open, repeatable: false)
    package let id: RequestID

    package init(id: RequestID) { self.id = id }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            id: try field("id", \.id, .requestID, "The id of that request."))
    }
}
