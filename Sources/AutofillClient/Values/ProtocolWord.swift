// SPDX-License-Identifier: Apache-2.0

/// A value of a set that may grow. A value that this version of the library does not know is kept as it was received.
public protocol ProtocolWord: RawRepresentable, Hashable, Sendable, CustomStringConvertible where RawValue == String {
    /// - Parameter rawValue: the value on the wire.
    init(rawValue: String)
}

extension ProtocolWord {
    /// The value on the wire.
    public var description: String { rawValue }
}
