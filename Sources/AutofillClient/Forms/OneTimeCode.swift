// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// A one-time code. The description withholds it.
public struct OneTimeCode: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Its digits; leading zeros count.
    public let code: String
    /// Its source.
    public let source: OneTimeCodeSource
    /// The user name; nil for an incoming code.
    public let user: String?
    /// The first instant at which it is no longer the current one; nil for the code of a counter.
    public let validUntil: Date?
    /// The value for each field, by its id; empty if no form was given.
    public let values: [String: String]

    /// The user name only.
    public var description: String { "OneTimeCode(user: \(user ?? "-"))" }
    /// The user name only.
    public var debugDescription: String { description }
    /// The user name only.
    public var customMirror: Mirror { Mirror(self, children: ["user": user ?? "-"]) }
}
