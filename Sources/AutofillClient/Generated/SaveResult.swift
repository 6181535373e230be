// SPDX-License-Identifier: Apache-2.0
// Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.
import AutofillProtocol

/// The result of saving a credential.
public struct SaveResult: Hashable, Sendable {
    /// Its id.
    public let id: String
    /// Whether anything was changed; false if the same was done before.
    public let isChanged: Bool

    init(_ report: SavedAnswer) {
        id = report.credential
        isChanged = report.changed
    }
}
