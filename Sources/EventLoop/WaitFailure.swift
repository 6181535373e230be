// SPDX-License-Identifier: Apache-2.0
/// Why waiting ended without what was waited for.
package enum WaitFailure: Error, Hashable, Sendable {
    /// The task was cancelled.
    case cancelled
    case deadline
    /// Refused at once: too much waits already.
    case busy
}
