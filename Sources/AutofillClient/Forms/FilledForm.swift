// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// The values for the fields of a form. The description withholds the values.
public struct FilledForm: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The saved credential, whose password ``AutofillSession/accept(_:replacing:ifVersion:interaction:)`` changes; nil for a
    /// strong password, which is not saved yet.
    public let credential: SavedCredential.ID?
    /// The user name of a saved credential; nil for a strong password, which has none yet.
    public let user: String?
    /// The password.
    public let password: String
    /// The value for each field, by its id.
    public let values: [String: String]

    /// - Throws: if the answer has no password; it must not be replaced by an empty one.
    init(_ answer: AutofillFill.Answer) throws(AutofillError) {
        guard let password = answer.password else { throw .answerNotUnderstood("autofill.fill: a password is missing") }
        credential = answer.credential
        user = answer.user
        self.password = String(password)
        values = Dictionary(answer.values.map { ($0.field, String($0.value)) }) { first, _ in first }
    }

    /// The fields only.
    public var description: String { "FilledForm(\(values.keys.sorted().joined(separator: ", ")))" }
    /// The fields only.
    public var debugDescription: String { description }
    /// The fields only.
    public var customMirror: Mirror { Mirror(self, children: ["fields": values.keys.sorted()]) }
}
