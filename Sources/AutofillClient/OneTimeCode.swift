// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// A one-time code. Its description withholds it.
public struct OneTimeCode: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Its digits; leading zeros count.
    public let code: String
    /// Where it comes from.
    public let source: OneTimeCodeSource
    /// Whose it is; nil for one that came in.
    public let user: String?
    /// The first instant at which it is no longer the current one; nil for a counter's.
    public let validUntil: Date?
    /// What goes into which field, by the field's id; empty where no form was named.
    public let values: [String: String]

    /// The user name only.
    public var description: String { "OneTimeCode(user: \(user ?? "-"))" }
    /// The user name only.
    public var debugDescription: String { description }
    /// The user name only.
    public var customMirror: Mirror { Mirror(self, children: ["user": user ?? "-"]) }
}
