// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials

extension Date {
    private static let style = ISO8601FormatStyle(includingFractionalSeconds: true)

    /// - Parameter text: an instant of the wire: RFC 3339, UTC, three decimals.
    init(wire text: String) throws(AutofillError) {
        do { self = try Date(text, strategy: Self.style) } catch { throw .answerNotUnderstood("\(text) is no instant") }
    }

    /// The same, of a date in the years 0 to 9999.
    package var wire: String { formatted(Self.style) }
}

/// - Parameter text: an instant of the wire; nil where a member is left out.
func date(_ text: String?) throws(AutofillError) -> Date? { try text.map(Date.init(wire:)) }
