// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

/// What a server has sent of a file so far.
struct FileResponse {
    private(set) var head = ResponseHead()
    private(set) var body: [UInt8] = []

    mutating func takeLine(_ line: UnsafeRawBufferPointer) throws(FetchFailure) { try head.take(line) }

    /// Takes a part of the body, of which there is a limit, and none before a head.
    mutating func takeBody(_ bytes: UnsafeRawBufferPointer) throws(FetchFailure) {
        guard let status = head.status else { throw FetchFailure(.httpInvalid) }
        guard body.count + bytes.count <= Limits.associationBytes else { throw FetchFailure(.tooLarge, status: status) }
        if body.isEmpty, status == 200 { body.reserveCapacity(min(2 * bytes.count, Limits.associationBytes)) }
        body += bytes
    }
}
