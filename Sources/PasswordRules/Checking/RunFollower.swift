// SPDX-License-Identifier: Apache-2.0

/// Follows the runs of equal, ascending and descending characters in a password.
struct RunFollower {
    private(set) var last: UInt8 = 0
    /// How many equal characters end here; 0 before the first.
    private(set) var repeated = 0
    private(set) var ascending = 1
    private(set) var descending = 1

    @inline(__always)
    mutating func append(_ character: UInt8) {
        if character == last {
            (repeated, ascending, descending) = (repeated + 1, 1, 1)
        } else if RunLimits.follows(last, character) {
            (repeated, ascending, descending) = (1, ascending + 1, 1)
        } else if RunLimits.follows(character, last) {
            (repeated, ascending, descending) = (1, 1, descending + 1)
        } else {
            (repeated, ascending, descending) = (1, 1, 1)
        }
        last = character
    }

    /// Appends, and returns whether the runs are within the limits.
    @inline(__always)
    mutating func append(_ character: UInt8, within limits: RunLimits) -> Bool {
        append(character)
        return repeated <= limits.repeating && ascending <= limits.sequential && descending <= limits.sequential
    }
}
