// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
package import SecretMemory

extension Date {
    private static let style = ISO8601FormatStyle(includingFractionalSeconds: true)

    /// - Parameter text: an instant of the wire: RFC 3339, UTC, three decimals.
    init(wire text: String) throws(AutofillError) {
        do { self = try Date(text, strategy: Self.style) } catch { throw .answerNotUnderstood("\(text) is no instant") }
    }

    /// The same format, for a date in the years 0 to 9999.
    package var wire: String { formatted(Self.style) }
}

/// - Parameter text: an instant of the wire; nil if the member is absent.
func date(_ text: String?) throws(AutofillError) -> Date? { try text.map(Date.init(wire:)) }

/// - Parameter text: a number of the wire, with decimals.
func number(_ text: String) throws(AutofillError) -> Double {
    guard let number = Double(text) else { throw .answerNotUnderstood("\(text) is no number") }
    return number
}

extension String {
    /// A secret for the app, which shows it in a text field. The copy cannot be erased.
    package init(_ secret: SecretBytes) {
        self = secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}
