// SPDX-License-Identifier: Apache-2.0
// Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.
import AutofillProtocol
public import FoundationEssentials

/// A strong password that is in the vault and pending. ``AutofillSession/fill(_:)`` returns the password itself.
public struct StrongPasswordSuggestion: Hashable, Sendable {
    /// Its id.
    public let offer: String
    /// The fields for it: the new password's and its confirmation's.
    public let fields: [String]
    /// The rules it was generated with, in canonical form.
    public let rules: String
    /// The length in characters.
    public let length: Int
    /// The number of passwords it was selected from, uniformly: exact, in decimal.
    public let count: String
    /// The base-2 logarithm of the count, to two decimals, rounded down.
    public let bits: Double
    /// The style of the password.
    public let style: Style
    /// The end of the time in which it can be filled and accepted.
    public let expires: Date
    /// What was left out of the rules or the target, for the developer.
    public let diagnostics: [String]

    init(_ report: AutofillProtocol.StrongPasswordSuggestion) throws(AutofillError) {
        offer = report.offer
        fields = report.fields
        rules = report.rules
        length = report.length
        count = report.count
        bits = try number(report.bits)
        style = Style(rawValue: report.style)
        expires = try Date(wire: report.expires)
        diagnostics = report.diagnostics
    }
}

extension StrongPasswordSuggestion {
    /// The style of a strong password.
    public struct Style: ProtocolWord {
        /// The value on the wire.
        public let rawValue: String

        /// - Parameter rawValue: the value on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Groups of letters that can be read out and typed, separated by dashes.
        public static let readable = Self(rawValue: "readable")
        /// The same without dashes, which the rules do not allow.
        public static let readableWithoutDashes = Self(rawValue: "readableWithoutDashes")
        /// Any characters that the rules allow.
        public static let random = Self(rawValue: "random")
    }
}
