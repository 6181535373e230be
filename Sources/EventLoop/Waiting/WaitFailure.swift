// SPDX-License-Identifier: Apache-2.0
/// Why a wait ended without its result.
package enum WaitFailure: Error, Hashable, Sendable {
    /// The task was cancelled.
    case cancelled
    case deadline
    /// Refused at once: the queue is full.
    case busy
}
