// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Glibc

/// Writes JSON Lines for `autofill-convert` to a descriptor.
struct RecordLines: ~Copyable {
    private let descriptor: Int32
    private var writer = JSONWriter()

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    mutating func add(_ members: (inout JSONWriter) -> Void) throws(CommandFailure) {
        writer.object(members)
        writer.endLine()
        defer { writer.reset() }
        let descriptor = descriptor
        let isSent = writer.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let unsent = UnsafeRawBufferPointer(rebasing: rest)
                let count = Glibc.write(descriptor, unsent.baseAddress, unsent.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
        guard isSent else { throw CommandFailure(.fault, "autofill-convert has ended before it had all records") }
    }
}
