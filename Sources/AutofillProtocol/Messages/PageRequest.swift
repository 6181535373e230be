// SPDX-License-Identifier: Apache-2.0

/// Which page of a list.
package struct PageRequest: WireValue, Hashable {
    package let limit: Int
    package let cursor: String?

    package init(limit: Int = Limits.listDefault, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        limit = try members.optionalInteger("limit", in: 1...Limits.listLimit) ?? Limits.listDefault
        cursor = try members.optionalString("cursor", bytes: 1...256)
    }

    package func write(to writer: inout JSONWriter) {
        if limit != Limits.listDefault { writer.member("limit", limit) }
        if let cursor { writer.member("cursor", cursor) }
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
