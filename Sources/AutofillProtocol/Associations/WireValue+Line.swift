// SPDX-License-Identifier: Apache-2.0

/// Values that are a line by themselves: between the daemon and `autofill-associations`.
extension WireValue {
    /// The object and a line feed.
    package var line: [UInt8] {
        var writer = JSONWriter()
        writer.object(self)
        return writer.withUnsafeBytes { Array($0) } + [UInt8(ascii: "\n")]
    }

    /// Reads a line, with or without its line feed. Unknown members are passed over.
    package init(line: some Sequence<UInt8>) throws(ProtocolProblem) {
        var result = Result<Self, ProtocolProblem>.failure(ProtocolProblem(.notAnObject))
        do throws(JSONError) {
            var scanner = JSONScanner(maximumDepth: Limits.depth)
            try Array(line).withUnsafeBufferPointer { text throws(JSONError) in
                try scanner.scan(UnsafeRawBufferPointer(text)) { value throws(JSONError) in result = Self.read(value) }
            }
        } catch {
            throw ProtocolProblem(.notJSON, detail: "\(error.problem.message), at byte \(error.offset)")
        }
        self = try result.get()
    }

    private static func read(_ value: JSONValue) -> Result<Self, ProtocolProblem> {
        guard value.kind == .object else { return .failure(ProtocolProblem(.notAnObject)) }
        var reader = MemberReader(value)
        return Result { () throws(ProtocolProblem) in try Self(from: &reader) }
    }
}
