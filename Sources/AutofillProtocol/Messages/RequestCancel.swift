// SPDX-License-Identifier: Apache-2.0

/// Takes back a request of this connection that still waits; that request answers `cancelled`.
package struct RequestCancel: MethodCall {
    package typealias Answer = Changed
    package static let method = Method.requestCancel
    package let id: RequestID

    package init(id: RequestID) { self.id = id }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        id = try members.requestID("id")
    }

    package func write(to writer: inout JSONWriter) {
        writer.key("id")
        id.write(to: &writer)
    }
}
