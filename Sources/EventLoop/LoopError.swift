// SPDX-License-Identifier: Apache-2.0
/// A source or the loop itself could not be set up, or the kernel refused to go on waiting.
package struct LoopError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The call that failed, as its manual page names it.
    package let operation: String
    /// The kernel's error number, positive.
    package let errno: Int32

    package init(operation: String, errno: Int32) {
        self.operation = operation
        self.errno = errno
    }

    package var description: String { "\(operation) failed (errno \(errno))" }

    /// Passes a result that is not negative.
    @discardableResult
    static func check(_ result: Int32, _ operation: String) throws(LoopError) -> Int32 {
        guard result >= 0 else { throw LoopError(operation: operation, errno: -result) }
        return result
    }
}
