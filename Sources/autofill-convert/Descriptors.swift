// SPDX-License-Identifier: Apache-2.0
internal import ForeignFormats
internal import Glibc
internal import SecretMemory

/// Messages: they never have text of a file.
enum Descriptors {
    static func print(_ text: String) { write(text, to: STDOUT_FILENO) }

    static func printError(_ text: String) { write("autofill-convert: \(text)\n", to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { _ = OutputDescriptor(descriptor).tries($0.baseAddress, $0.count) }
    }
}

/// What is read.
struct InputDescriptor {
    private let number: Int32
    /// Of a regular file; 0 of any other.
    private let size: Int

    /// The size is asked for now.
    init(_ number: Int32) {
        self.number = number
        var status = stat()
        size = fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : 0
    }

    func read(limit: Int) throws(ConversionError) -> SecretBuffer {
        guard size <= limit else { throw ConversionError(.tooLarge(limit: limit)) }
        var content = SecretBuffer(capacity: size + 64 * 1024)
        while true {
            var failure: Int32 = 0
            let before = content.count
            content.append(upTo: 64 * 1024) { space in
                let count = Glibc.read(number, space.baseAddress, space.count)
                failure = count < 0 ? errno : 0
                return count
            }
            if failure == EINTR { continue }
            guard failure == 0 else { throw ConversionError(.unreadable) }
            guard content.count <= limit else { throw ConversionError(.tooLarge(limit: limit)) }
            if content.count == before { return content }
        }
    }

    /// The first line, without its end; nil where it is empty.
    func readLine(limit: Int) throws(ConversionError) -> SecretBytes? {
        let content = try read(limit: limit)
        let line = content.withUnsafeBytes { bytes in
            SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes.prefix { $0 != 0x0A }))
        }
        return line.count > 0 ? line : nil
    }
}

/// What is written.
struct OutputDescriptor {
    private let number: Int32

    init(_ number: Int32) { self.number = number }

    /// Ends the program if it cannot: the reader has gone, or there is no space.
    func write(_ bytes: UnsafeRawBufferPointer) {
        guard !tries(bytes.baseAddress, bytes.count) else { return }
        Descriptors.printError("the output cannot be written: \(String(cString: strerror(errno)))")
        exit(EX_IOERR)
    }

    func tries(_ start: UnsafeRawPointer?, _ count: Int) -> Bool {
        var rest = UnsafeRawBufferPointer(start: start, count: count)
        while !rest.isEmpty {
            let written = Glibc.write(number, rest.baseAddress, rest.count)
            guard written > 0 || errno == EINTR else { return false }
            rest = UnsafeRawBufferPointer(rebasing: rest[max(written, 0)...])
        }
        return true
    }
}
