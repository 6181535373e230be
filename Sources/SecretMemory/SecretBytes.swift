// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux

/// Bytes that must not be disclosed: a password, a key, a one-time-code secret.
///
/// They are stored in locked memory that is excluded from core dumps, are compared in constant time, and are
/// overwritten when the last reference is released. The description withholds them.
package final class SecretBytes: Sendable {
    /// The number of bytes.
    package let count: Int
    // Written only during initialisation and in deinit, when no other reference exists: hence safe to share.
    @usableFromInline nonisolated(unsafe) let storage: UnsafeMutableRawPointer

    /// No bytes.
    package static let empty = SecretBytes(count: 0) { _ in }

    /// Memory for `count` bytes, zeroed, then filled by `fill`.
    package init<Failure: Error>(
        count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        self.count = count
        storage = af_secret_alloc(count)
        try fill(UnsafeMutableRawBufferPointer(start: storage, count: count))
    }

    /// A copy of bytes that the caller erases, or that were never secret.
    package convenience init(copying bytes: some Sequence<UInt8>, count: Int) {
        self.init(count: count) { memory in
            for (index, byte) in bytes.prefix(count).enumerated() { memory[index] = byte }
        }
    }

    /// A copy of bytes that the caller erases, or that were never secret.
    package convenience init(copying bytes: UnsafeRawBufferPointer) {
        self.init(count: bytes.count) { $0.copyMemory(from: bytes) }
    }

    /// The UTF-8 of a string. A string leaves copies that are not erased: in the daemon only for data that is sent like
    /// a secret and is none, such as a user name, and for a secret that only strings can normalise.
    package convenience init(utf8 string: String) {
        self.init(copying: string.utf8, count: string.utf8.count)
    }

    /// Random bytes.
    package convenience init(random count: Int, using entropy: inout some RandomNumberGenerator) {
        self.init(count: count) { memory in
            for index in memory.indices { memory[index] = UInt8.random(in: .min ... .max, using: &entropy) }
        }
    }

    deinit { af_secret_free(storage, count) }

    /// Calls `body` with the bytes, valid during the call. Inlined: else what `body` returns is copied.
    @inlinable package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: storage, count: count))
    }

    /// Calls `body` with memory as that of an object, zeroed, which is overwritten when `body` has ended, also by an error.
    @inlinable package static func withTemporary<Result, Failure: Error>(
        count: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let memory = UnsafeMutableRawBufferPointer(start: reserve(count), count: count)
        defer { release(memory) }
        return try body(memory)
    }

    @usableFromInline static func reserve(_ count: Int) -> UnsafeMutableRawPointer { af_secret_alloc(count) }

    @usableFromInline static func release(_ memory: UnsafeMutableRawBufferPointer) {
        af_secret_free(memory.baseAddress, memory.count)
    }

    /// Whether both hold the same bytes; the time depends on their lengths only.
    package func equals(_ other: SecretBytes) -> Bool {
        count == other.count && af_secret_equal(storage, other.storage, count)
    }

    /// The same of two that may be absent.
    package static func equal(_ left: SecretBytes?, _ right: SecretBytes?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left?, let right?): left.equals(right)
        default: false
        }
    }

    /// Overwrites memory that held a secret, in a way the compiler may not remove.
    package static func wipe(_ memory: UnsafeMutableRawBufferPointer) {
        af_secret_wipe(memory.baseAddress, memory.count)
    }

    /// False once the kernel refused to lock a page of secrets (RLIMIT_MEMLOCK).
    package static var allLocked: Bool { af_secret_all_locked() }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "‹\(count) secret bytes›" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
