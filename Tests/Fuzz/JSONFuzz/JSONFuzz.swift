// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import SecretMemory

/// One run of libFuzzer over framing, scanner, reader, base64 and writer.
///
/// The first byte chooses how the stream is cut. Every line found is scanned; what is accepted is written again, and
/// that text must be accepted and written the same a second time. The line is copied to memory of its exact size, so
/// that the address sanitizer sees each read past its end.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let bytes, count > 0 else { return 0 }
    let input = UnsafeRawBufferPointer(start: bytes, count: count)
    let cut = Int(input[0]) + 1
    let stream = UnsafeRawBufferPointer(rebasing: input.dropFirst())
    var framing = LineFraming(maximumLength: 4096)
    var start = 0
    var end = 0
    while end < stream.count {
        end = min(stream.count, end + cut)
        taking: while true {
            let unread = UnsafeRawBufferPointer(rebasing: stream[start..<end])
            switch framing.next(in: unread) {
            case .needsMore:
                break taking
            case .line(let length):
                precondition(length <= framing.maximumLength && unread[length] == 0x0A)
                check(line: Array(unread.prefix(length)))
                start += length + 1
            case .tooLong(let dropped), .skip(let dropped):
                precondition(dropped > 0 && dropped <= unread.count)
                start += dropped
            }
        }
        precondition(end - start <= framing.maximumLength)
    }
    check(line: Array(stream))
    if let decoded = Base64.decode(stream) { checkBase64(decoded, text: stream) }
    return 0
}

private func check(line: [UInt8]) {
    guard let once = rewritten(line) else { return }
    guard let twice = rewritten(once) else { preconditionFailure("what was written is not accepted") }
    precondition(once == twice, "writing is not stable")
}

/// The text as the writer has it; nil if it is refused.
private func rewritten(_ line: [UInt8]) -> [UInt8]? {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: line.count, alignment: 1)
    defer { memory.deallocate() }
    memory.copyBytes(from: line)
    var scanner = JSONScanner(maximumDepth: 24)
    var writer = JSONWriter(capacity: 0)
    do {
        try scanner.scan(UnsafeRawBufferPointer(memory)) { value throws(JSONError) in try copy(value, to: &writer) }
    } catch {
        precondition(error.offset >= 0 && error.offset <= line.count && !error.description.isEmpty)
        return nil
    }
    return writer.withUnsafeBytes { Array($0) }
}

private func copy(_ value: JSONValue, to writer: inout JSONWriter) throws(JSONError) {
    switch value.kind {
    case .null: writer.null()
    case .bool: writer.bool(try value.bool())
    case .integer: writer.integer(try value.integer())
    case .number: writer.raw(value.rawSlice)
    case .string: writer.secret(try value.secret(allowingNUL: true))
    case .array:
        let elements = try value.elements()
        try writer.array { writer throws(JSONError) in
            for element in elements { try copy(element, to: &writer) }
        }
    case .object:
        if let data = try? value.base64() { return writer.base64(data) }
        let members = try value.members()
        try writer.object { writer throws(JSONError) in
            for member in members {
                let name = try member.name.secret(allowingNUL: true)
                writer.key(string: name.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
                try copy(member.value, to: &writer)
            }
        }
    }
}

private func checkBase64(_ decoded: SecretBytes, text: UnsafeRawBufferPointer) {
    var again = [UInt8](repeating: 0, count: Base64.encodedCount(decoded.count))
    again.withUnsafeMutableBytes { target in decoded.withUnsafeBytes { Base64.encode($0, to: target) } }
    precondition(again.elementsEqual(text), "an encoding that is not canonical was accepted")
}

/// The package manager uses this name instead of `main`; it calls libFuzzer's.
@_cdecl("JSONFuzz_main")
public func main(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
    var (count, arguments) = (count, arguments)
    return runFuzzer(&count, &arguments, fuzzJSON)
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
