// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import PathInspection

/// A file of lines `HASH` or `HASH:COUNT`, sorted by hash, that is searched without being read whole.
final class SortedHashes: Sendable {
    /// A line, and where it lies in the file.
    private struct Line {
        let hash: [UInt8]
        let count: Int
        let start: Int
        let end: Int
    }

    private let path: String
    private let digits: Int
    private let descriptor: Descriptor
    private let size: Int

    /// - Parameter digits: how many hexadecimal digits each hash has.
    init(path: String, digits: Int) throws(BreachedPasswords.Failure) {
        let end = try BreachedPasswords.walk(to: path).end
        guard end.point.facts.isRegular else { throw .malformed(path: path, reason: "It is no file") }
        do throws(SystemCallFailure) {
            descriptor = try end.descriptor.openedForReading()
            size = try Int(descriptor.facts().size)
        } catch { throw BreachedPasswords.Failure(error, path: path) }
        (self.path, self.digits) = (path, digits)
    }

    /// Checks that the first line has a hash, and that lines at 64 places of the file are in order.
    func checkOrder() throws(BreachedPasswords.Failure) {
        guard size > 0 else { throw .malformed(path: path, reason: "The file is empty") }
        var last: [UInt8] = []
        for sample in 0..<64 {
            let line = try line(around: min(size - 1, size / 64 * sample))
            guard !line.hash.lexicographicallyPrecedes(last) else {
                throw .malformed(path: path, reason: "The file is not sorted by hash, at byte \(line.start)")
            }
            last = line.hash
        }
    }

    /// The count of a hash of capital digits; nil where the file does not have it, 0 where it has no count.
    func count(of hash: [UInt8]) throws(BreachedPasswords.Failure) -> Int? {
        var (low, high) = (0, size)
        while low < high {
            let line = try line(around: low + (high - low) / 2)
            if line.hash == hash { return line.count }
            if line.hash.lexicographicallyPrecedes(hash) { low = line.end } else { high = line.start }
        }
        return nil
    }

    /// The line that has the byte at `offset`.
    private func line(around offset: Int) throws(BreachedPasswords.Failure) -> Line {
        let margin = HealthLimits.breachLineBytes
        let first = max(0, offset - margin)
        let bytes = try read(at: first, count: offset - first + margin)
        let here = offset - first
        let newline = UInt8(ascii: "\n")
        let start = bytes[..<here].lastIndex(of: newline).map { $0 + 1 } ?? 0
        let end = bytes[here...].firstIndex(of: newline) ?? bytes.count
        guard start > 0 || first == 0, end < bytes.count || first + bytes.count == size else {
            throw .malformed(path: path, reason: "A line is too long, at byte \(offset)")
        }
        let text = bytes[start..<end]
        let hash = text.prefix(digits).map { (0x61...0x66).contains($0) ? $0 - 0x20 : $0 }
        let rest = text.dropFirst(digits).filter { $0 != UInt8(ascii: "\r") && $0 != 0x20 }
        let count = rest.isEmpty ? 0 : Int(String(decoding: rest.dropFirst(), as: UTF8.self))
        guard hash.count == digits, hash.allSatisfy(Self.isDigit), rest.first ?? 0x3A == 0x3A, let count else {
            throw .malformed(path: path, reason: "There is no SHA-1 hash at byte \(first + start)")
        }
        return Line(hash: hash, count: count, start: first + start, end: min(size, first + end + 1))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) }

    private func read(at offset: Int, count: Int) throws(BreachedPasswords.Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: min(count, size - offset))
        var done = 0
        while done < bytes.count {
            let length = bytes.withUnsafeMutableBytes { memory in
                pread(descriptor.number, memory.baseAddress.map { $0 + done }, memory.count - done, offset + done)
            }
            guard length > 0 else {
                if length < 0, errno == EINTR { continue }
                throw .system(number: length == 0 ? EIO : errno, path: path)
            }
            done += length
        }
        return bytes
    }
}
