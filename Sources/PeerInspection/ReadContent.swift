// SPDX-License-Identifier: Apache-2.0
internal import Crypto
internal import Glibc
internal import PathInspection
package import PeerIdentity

/// A file that was read to its end.
package struct ReadContent: Hashable, Sendable {
    package let version: ContentVersion
    /// The SHA-256 of all that it holds, in lower-case hexadecimal (FIPS 180-4).
    package let hash: String
}

extension ReadContent {
    /// Reads all of a file that is located only; what is longer than so many bytes, or was written to meanwhile, is
    /// refused. Waits until any later change of the file makes it another version: up to 20 ms after the last one.
    init(_ located: Descriptor, upTo longest: UInt64) throws(PeerRefusal) {
        do throws(SystemCallFailure) {
            let file = try located.openedForReading()
            let before = ContentVersion(try file.facts())
            guard before.identity.size <= longest else { throw SystemCallFailure(code: EFBIG) }
            Self.awaitOtherTime(than: before.changed)
            let hash = try Self.hash(of: file, size: before.identity.size)
            guard let hash, ContentVersion(try file.facts()) == before else { throw SystemCallFailure(code: ESTALE) }
            self.init(version: before, hash: hash)
        } catch {
            throw error.code == ESTALE
                ? .executableChanged : .fault(operation: "reading the peer's executable", errno: error.code)
        }
    }

    /// Waits until a change of a file leaves another time than this one.
    private static func awaitOtherTime(than changed: Int64) {
        var clock = timespec()
        while clock_gettime(CLOCK_REALTIME, &clock) == 0 {
            let now = Int64(clock.tv_sec) * 1_000_000_000 + Int64(clock.tv_nsec)
            guard changed > now - FileFacts.timeStep, changed < now + FileFacts.timeStep else { return }
            usleep(UInt32((changed + FileFacts.timeStep - now) / 1000) + 1)
        }
    }

    /// The SHA-256 of all that it holds, in lower-case hexadecimal (FIPS 180-4); nil where that is more than it was.
    private static func hash(of file: Descriptor, size: UInt64) throws(SystemCallFailure) -> String? {
        var hash = SHA256()
        var length: UInt64 = 0
        var chunk = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = try file.read(into: &chunk, atMost: chunk.count)
            if count == 0 { break }
            length += UInt64(count)
            guard length <= size else { return nil }
            hash.update(data: chunk[..<count])
        }
        let digits = Array("0123456789abcdef")
        return hash.finalize().reduce(into: "") { text, byte in
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
    }
}

extension PeerRefusal {
    /// Whether a file whose content was refused is refused until it is written: it is too long, or a program of the
    /// user's serves it.
    package var holdsForVersion: Bool {
        guard case .fault(_, let errno) = self else { return false }
        return errno == EFBIG || errno == SystemCallFailure.served.code
    }
}

extension PeerInspector {
    /// The content of the regular file at a path; nil when there is none of at most so many bytes to be read, or where
    /// a program of the user's serves it (FUSE). Reads the whole file: must not run on an event loop.
    package func content(ofFileAt path: String, upTo longest: UInt64) -> ReadContent? {
        guard let walk = try? PathWalk(toAbsolute: path), walk.end.point.facts.isRegular else { return nil }
        return try? ReadContent(walk.end.descriptor, upTo: longest)
    }
}
