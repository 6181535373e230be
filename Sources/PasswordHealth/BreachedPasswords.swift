// SPDX-License-Identifier: Apache-2.0
internal import Crypto
internal import Glibc
internal import PathInspection
package import SecretMemory

/// A list of breached passwords on this machine, as haveibeenpwned.com/Passwords publishes it: either one file of lines
/// `SHA-1:COUNT`, sorted by hash, or a directory with a file for each range, named by the first five digits of the hash
/// (`0A1B2` or `0A1B2.txt`), with lines `REST:COUNT`. Hashes are hexadecimal; `:COUNT` may be absent.
package struct BreachedPasswords: Sendable {
    package enum Failure: Error, Hashable {
        case system(number: Int32, path: String)
        /// It is no list of SHA-1 hashes, or not sorted; what was read instead.
        case malformed(path: String, reason: String)
        /// A program of a user's serves its file system (FUSE): it may never answer, and it is asked for the very range of each
        /// password's hash.
        case served(path: String)

        init(_ failure: SystemCallFailure, path: String) {
            self = failure == .served ? .served(path: path) : .system(number: failure.code, path: path)
        }

        /// A sentence for the user.
        package var reason: String {
            switch self {
            case .system(let number, let path): "\(path): \(String(cString: strerror(number)))."
            case .malformed(let path, let reason): "\(path): \(reason)."
            case .served(let path): "\(path): A program serves its file system (FUSE)."
            }
        }

        package var fix: String {
            switch self {
            case .system: "Name a file or directory that you may read."
            case .malformed:
                "Name a file of lines SHA1:COUNT, sorted by hash, or a directory of range files, as "
                    + "haveibeenpwned-downloader writes them."
            case .served: "Copy it to a disk of this machine: that program would learn parts of passwords' hashes."
            }
        }
    }

    private enum Source {
        case file(SortedHashes)
        case directory(String)
    }

    private static let hashDigits = 40
    private static let rangeDigits = 5
    private let path: String
    private let source: Source

    /// Opens the list, and checks samples of a file.
    package init(path: String) throws(Failure) {
        self.path = path
        guard try Self.walk(to: path).end.point.facts.isDirectory else {
            let file = try SortedHashes(path: path, digits: Self.hashDigits)
            try file.checkOrder()
            source = .file(file)
            return
        }
        source = .directory(path)
    }

    static func walk(to path: String) throws(Failure) -> PathWalk {
        do throws(SystemCallFailure) { return try PathWalk(to: path.utf8, entersServed: false) } catch {
            throw Failure(error, path: path)
        }
    }

    /// How often the password is in the list; nil where it is not, 0 where the list has no count.
    ///
    /// An error names neither the range nor the place in the file: they are the first bits of the password's hash.
    package func count(of password: SecretBytes) throws(Failure) -> Int? {
        do throws(Failure) { return try search(for: password) } catch {
            switch error {
            case .system(let number, _): throw .system(number: number, path: path)
            case .malformed: throw .malformed(path: path, reason: "A range is missing, or a line is no SHA-1 hash")
            case .served: throw .served(path: path)
            }
        }
    }

    private func search(for password: SecretBytes) throws(Failure) -> Int? {
        let digest = password.withUnsafeBytes { bytes in
            var hash = Insecure.SHA1()
            hash.update(bufferPointer: bytes)
            return hash.finalize()
        }
        let digits = Array("0123456789ABCDEF".utf8)
        let text = digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        switch source {
        case .file(let file): return try file.count(of: text)
        case .directory(let path):
            let range = path + "/" + String(decoding: text[..<Self.rangeDigits], as: UTF8.self)
            return try Self.ranges(at: range).count(of: Array(text[Self.rangeDigits...]))
        }
    }

    private static func ranges(at path: String) throws(Failure) -> SortedHashes {
        for path in [path, path + ".txt"] {
            do throws(Failure) { return try SortedHashes(path: path, digits: hashDigits - rangeDigits) } catch {
                guard case .system(ENOENT, _) = error else { throw error }
            }
        }
        throw .malformed(path: path, reason: "The range is missing")
    }
}
