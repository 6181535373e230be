// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// Identifies an element and orders it among the others of its record: by time, then device, sequence and random bits.
///
/// The time is the writer's own clock, but later than what the element replaces. No machine adopts another machine's clock: one
/// clock that is years ahead would move all the others for good.
package struct Stamp: Hashable, Comparable, Sendable {
    package let time: Timestamp
    package let origin: FileOrigin
    package let random: UInt64

    package init(time: Timestamp, origin: FileOrigin, random: UInt64) {
        self.time = time
        self.origin = origin
        self.random = random
    }

    package static func < (left: Stamp, right: Stamp) -> Bool {
        if left.time.milliseconds != right.time.milliseconds { return left.time < right.time }
        if left.origin != right.origin { return left.origin < right.origin }
        return left.random < right.random
    }
}

extension Timestamp {
    /// Later by some milliseconds, or the last instant there is: another machine's clock is arbitrary input.
    func later(by milliseconds: Int64) -> Timestamp {
        let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
        return Timestamp(milliseconds: overflow ? .max : sum)
    }
}
