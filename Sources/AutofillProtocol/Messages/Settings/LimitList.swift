// SPDX-License-Identifier: Apache-2.0

package struct LimitList: MethodCall {
    package static let declaration = MethodDeclaration(
        .limitList, "Lists every limit. They may differ from one version of the daemon to the next.",
        .open, repeatable: true)

    package init() {}

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self { Self() }

    package struct Answer: Message, Hashable {
        package let limits: [LimitReport]

        package init(limits: [LimitReport]) { self.limits = limits }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(limits: try field("limits", \.limits, .objects(), "All limits, by their names."))
        }
    }
}

/// One limit.
package struct LimitReport: Message, Hashable {
    package let limit: String
    package let value: Int

    package init(limit: String, value: Int) { (self.limit, self.value) = (limit, value) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            limit: try field("limit", \.limit, .string(1...64), "Its name, which ends with the unit."),
            value: try field("value", \.value, .integer(0...Int.max), "The number."))
    }
}
