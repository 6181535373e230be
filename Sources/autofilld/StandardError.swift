// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    internal import Glibc
#endif

/// The last words of a program.
enum StandardError {
    static func print(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        bytes.withUnsafeBytes { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    static func exit(_ status: Int32) -> Never { Glibc.exit(status) }
}
