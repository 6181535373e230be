// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

/// The response of a server so far.
struct FileResponse {
    private(set) var head = ResponseHead()
    private(set) var body: [UInt8] = []

    mutating func receiveLine(_ line: UnsafeRawBufferPointer) throws(FetchFailure) { try head.receive(line) }

    /// Receives bytes of the body, which is limited, and none before a head.
    mutating func receiveBody(_ bytes: UnsafeRawBufferPointer) throws(FetchFailure) {
        guard let status = head.status else { throw FetchFailure(.httpInvalid) }
        guard body.count + bytes.count <= Limits.associationBytes else { throw FetchFailure(.tooLarge, status: status) }
        if body.isEmpty, status == 200 { body.reserveCapacity(min(2 * bytes.count, Limits.associationBytes)) }
        body += bytes
    }
}
