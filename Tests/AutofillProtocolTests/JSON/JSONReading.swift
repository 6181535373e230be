// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// Scans a text with a fresh scanner and reads it.
func reading<Result>(
    _ text: some Collection<UInt8>, maximumDepth: Int = 500, _ read: (JSONValue) throws(JSONError) -> Result
) throws(JSONError) -> Result {
    // An exact allocation, so that the address sanitizer sees a read past the end.
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
    defer { memory.deallocate() }
    memory.copyBytes(from: text)
    var scanner = JSONScanner(maximumDepth: maximumDepth)
    return try scanner.scan(UnsafeRawBufferPointer(memory), read)
}

func reading<Result>(
    _ text: String, _ read: (JSONValue) throws(JSONError) -> Result
) throws(JSONError) -> Result {
    try reading(Array(text.utf8), read)
}

/// The problem of a text that must be refused; nil if it is accepted.
func problem(of text: some Collection<UInt8>, maximumDepth: Int = 500) -> JSONError.Problem? {
    do {
        try reading(text, maximumDepth: maximumDepth) { _ throws(JSONError) in }
        return nil
    } catch { return error.problem }
}
