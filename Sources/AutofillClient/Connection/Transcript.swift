// SPDX-License-Identifier: Apache-2.0

/// Receives every line that is sent or received on a connection, secrets included: for `autofillctl demo` and for tests.
package typealias Transcript = @Sendable (TranscriptLine) -> Void

/// One line of JSON, without its line feed.
package enum TranscriptLine: Hashable, Sendable {
    case sent(String)
    case received(String)
}
