// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// Writes records for `autofill-convert` to a descriptor.
struct RecordSink: ~Copyable {
    private var lines: RecordLines
    private(set) var count = 0

    init(_ descriptor: Int32) throws(CommandFailure) {
        lines = RecordLines(descriptor)
        try lines.add { writer in
            writer.member("record", "autofill-records")
            writer.member("version", 1)
            writer.member("source", "autofilld")
        }
    }

    mutating func add(_ entries: [ImportedEntry]) throws(CommandFailure) {
        for entry in entries { try lines.add { entry.write(to: &$0) } }
        count += entries.count
    }

    mutating func end() throws(CommandFailure) {
        let count = count
        try lines.add { writer in
            writer.member("record", "end")
            writer.member("entries", Int64(count))
            writer.member("notConverted", 0)
        }
    }
}
