// SPDX-License-Identifier: Apache-2.0
import Reasons

extension AutofillReason {
    /// The code of a reason in protocol.md and in the journal (`AUTOFILL_REASON`). Later versions may have others.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code on the wire, in kebab-case.
        public let rawValue: String

        /// - Parameter rawValue: the code on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        init(_ reason: Reason) { rawValue = reason.rawValue }
    }
}
