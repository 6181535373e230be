// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Glibc

/// Writes records for `autofill-convert` to a descriptor.
struct RecordSink: ~Copyable {
    private let descriptor: Int32
    private var writer = JSONWriter()
    private(set) var count = 0

    init(_ descriptor: Int32) throws(CommandFailure) {
        self.descriptor = descriptor
        writer.object { writer in
            writer.member("record", "autofill-records")
            writer.member("version", 1)
            writer.member("source", "autofilld")
        }
        try send()
    }

    mutating func add(_ entries: [ImportedEntry]) throws(CommandFailure) {
        for entry in entries {
            writer.object { entry.write(to: &$0) }
            try send()
        }
        count += entries.count
    }

    mutating func end() throws(CommandFailure) {
        writer.object { [count] writer in
            writer.member("record", "end")
            writer.member("entries", Int64(count))
            writer.member("notConverted", 0)
        }
        try send()
    }

    private mutating func send() throws(CommandFailure) {
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
