// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Crypto
internal import Glibc
package import PeerIdentity

/// A file that was read to its end.
package struct ReadContent: Hashable, Sendable {
    package let version: ContentVersion
    /// The SHA-256 of all that it holds, in lower-case hexadecimal (FIPS 180-4).
    package let hash: String
}

extension OpenFile {
    /// Reads all of it; what is longer than so many bytes, or was written to meanwhile, is refused.
    func content(upTo longest: UInt64) throws(PeerRefusal) -> ReadContent {
        guard let before = status().map(ContentVersion.init) else { throw .executableChanged }
        guard before.identity.size <= longest else {
            throw .fault(operation: "reading the peer's executable", errno: EFBIG)
        }
        let hash = try contentHash(of: before.identity.size)
        guard status().map(ContentVersion.init) == before else { throw .executableChanged }
        return ReadContent(version: before, hash: hash)
    }

    /// The SHA-256 of all that it holds, in lower-case hexadecimal (FIPS 180-4), as long as that is not more than it was.
    private func contentHash(of size: UInt64) throws(PeerRefusal) -> String {
        var hash = SHA256()
        var length: UInt64 = 0
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
        defer { chunk.deallocate() }
        while true {
            let count = af_read(descriptor, chunk.baseAddress, chunk.count)
            guard count >= 0 else { throw .fault(operation: "reading the peer's executable", errno: Int32(-count)) }
            if count == 0 { break }
            length += UInt64(count)
            guard length <= size else { throw .executableChanged }
            hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: chunk[..<count]))
        }
        let digits = Array("0123456789abcdef")
        return hash.finalize().reduce(into: "") { text, byte in
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
    }
}

extension PeerInspector {
    /// The content of the regular file at a path; nil when there is none of at most so many bytes to be read. Reads the
    /// whole file: must not run on an event loop.
    package func content(ofFileAt path: String, upTo longest: UInt64) -> ReadContent? {
        guard let walk = PathWalk(path.utf8), walk.file.isRegular else { return nil }
        let opened = af_open_read(AT_FDCWD, path, true)
        guard opened >= 0 else { return nil }
        return try? OpenFile(descriptor: opened).content(upTo: longest)
    }
}
