// SPDX-License-Identifier: Apache-2.0

/// Which page of a list.
package struct PageRequest: Message, Hashable {
    package let limit: Int
    package let cursor: String?

    package init(limit: Int = Limits.listDefault, cursor: String? = nil) {
        (self.limit, self.cursor) = (limit, cursor)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            limit: try field(
                "limit", \.limit, .integer(1...Limits.listLimit), absent: Limits.listDefault,
                "Entries of the page, at most: there may be more where it has fewer."),
            cursor: try field(
                optional: "cursor", \.cursor, .string(1...256), "Where the page begins: `next` of the page before."))
    }
}

extension PageRequest {
    /// All pages of a list, one after the other.
    ///
    /// - Parameter page: asks for one; what is on it, and where the next begins.
    package static func all<Element, Failure: Error>(
        _ page: (PageRequest) async throws(Failure) -> (elements: [Element], next: String?)
    ) async throws(Failure) -> [Element] {
        var elements: [Element] = []
        var cursor: String?
        repeat {
            let found = try await page(PageRequest(limit: Limits.listLimit, cursor: cursor))
            elements += found.elements
            cursor = found.next
        } while cursor != nil
        return elements
    }
}
