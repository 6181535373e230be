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
    /// Reads all of it; what was written to meanwhile is refused.
    func content() throws(PeerRefusal) -> ReadContent {
        guard let before = status().map(ContentVersion.init) else { throw .executableChanged }
        let hash = try contentHash()
        guard status().map(ContentVersion.init) == before else { throw .executableChanged }
        return ReadContent(version: before, hash: hash)
    }

    /// The SHA-256 of all that it holds, in lower-case hexadecimal (FIPS 180-4).
    private func contentHash() throws(PeerRefusal) -> String {
        var hash = SHA256()
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
        defer { chunk.deallocate() }
        while true {
            let count = af_read(descriptor, chunk.baseAddress, chunk.count)
            guard count >= 0 else { throw .fault(operation: "reading the peer's executable", errno: Int32(-count)) }
            if count == 0 { break }
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
    /// The content of the regular file at a path; nil when there is none to be read. Reads the whole file: must not run on
    /// an event loop.
    package func content(ofFileAt path: String) -> ReadContent? {
        guard let walk = PathWalk(path.utf8), walk.file.isRegular else { return nil }
        let opened = af_open_read(AT_FDCWD, path, true)
        guard opened >= 0 else { return nil }
        return try? OpenFile(descriptor: opened).content()
    }
}
