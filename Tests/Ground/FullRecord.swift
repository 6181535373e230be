// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// The file of the record of releases, in whose place another one was put: whatever is written to it meets a full disk, as
/// /dev/full has it. (A limit of the file size would hold for the other tests of this process too.)
package struct FullRecord {
    package struct NotOpen: Error {}

    private let number: Int32
    private let kept: Int32

    /// - Parameter path: of the file, which this process has open.
    package init(at path: String) throws {
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
        let found = open.first { descriptor in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")) == path
        }
        let full = Glibc.open("/dev/full", O_RDWR | O_CLOEXEC)
        guard let found, full >= 0 else { throw NotOpen() }
        defer { close(full) }
        number = found
        kept = fcntl(found, F_DUPFD_CLOEXEC, 3)
        guard kept >= 0, dup2(full, found) == found else { throw NotOpen() }
    }

    package func restore() {
        dup2(kept, number)
        close(kept)
    }
}
