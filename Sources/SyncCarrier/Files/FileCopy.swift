// SPDX-License-Identifier: Apache-2.0
internal import Crypto
internal import Glibc
internal import PathInspection

/// Why a file was not copied.
enum FileCopyFailure: Error {
    case read(SystemCallFailure)
    case write(SystemCallFailure)
}

/// What was read of a file.
struct FileContent: Equatable {
    let digest: [UInt8]
    let byteCount: Int

    /// Whether it is all of the file that the name describes: a file that is being transferred is not.
    func isComplete(_ name: CarriedFileName) -> Bool {
        guard byteCount > 0, byteCount <= name.byteLimit else { return false }
        return name.hash.map { $0 == Self.hexadecimal(digest.prefix(8)) } ?? true
    }

    private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

/// Copies files in one step: readers see the whole file or none.
enum FileCopy {
    private static let chunkBytes = 64 << 10

    /// The name of a file that is being written.
    static func partial(_ name: String) -> String { ".\(name).partial" }

    /// The file that a temporary name belongs to.
    static func target(ofPartial name: String) -> CarriedFileName? {
        guard name.hasPrefix("."), name.hasSuffix(".partial") else { return nil }
        return CarriedFileName(String(name.dropFirst().dropLast(8)))
    }

    /// What a file contains, at most one byte more than `limit`; copied where there is a target.
    static func read(
        _ source: Descriptor, limit: Int, to target: Descriptor? = nil
    ) throws(FileCopyFailure) -> FileContent {
        var hash = SHA256()
        var count = 0
        var chunk = [UInt8](repeating: 0, count: chunkBytes)
        while count <= limit {
            let step: Int
            do throws(SystemCallFailure) {
                step = try source.read(into: &chunk, atMost: min(chunk.count, limit + 1 - count))
            } catch {
                throw .read(error)
            }
            if step == 0 { break }
            chunk.withUnsafeBytes { hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[..<step])) }
            count += step
            guard let target else { continue }
            do throws(SystemCallFailure) {
                try target.write(step == chunk.count ? chunk : Array(chunk[..<step]))
            } catch {
                throw .write(error)
            }
        }
        return FileContent(digest: Array(hash.finalize()), byteCount: count)
    }

    /// Copies a file into a directory under a name, if its content is complete.
    ///
    /// - Returns: nil if it is not.
    static func place(
        _ source: Descriptor, as name: CarriedFileName, in directory: Descriptor
    ) throws(FileCopyFailure) -> FileContent? {
        let draft = partial(name.text)
        do throws(FileCopyFailure) {
            let file = try writing { () throws(SystemCallFailure) in
                try directory.removeFile(draft)
                return try Descriptor.open(
                    draft, in: directory, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
            }
            let content = try read(source, limit: name.byteLimit, to: file)
            guard content.isComplete(name) else {
                unlinkat(directory.number, draft, 0)
                return nil
            }
            try writing { () throws(SystemCallFailure) in
                try file.synchronize()
                try directory.rename(draft, to: name.text)
            }
            return content
        } catch {
            unlinkat(directory.number, draft, 0)
            throw error
        }
    }

    private static func writing<Value>(
        _ body: () throws(SystemCallFailure) -> Value
    ) throws(FileCopyFailure) -> Value {
        do throws(SystemCallFailure) { return try body() } catch { throw .write(error) }
    }
}
