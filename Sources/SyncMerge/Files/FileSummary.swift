// SPDX-License-Identifier: Apache-2.0

/// What the header of a file and its vector state: of which device it is, and what a machine that has merged it has.
package struct FileSummary: Sendable, Equatable {
    package let device: DeviceID
    /// Which sequences it covers; a snapshot covers all up to its own.
    package let range: ClosedRange<UInt64>
    package let isSnapshot: Bool
    /// What the writer had merged.
    package let vector: VersionVector

    /// A file of changes.
    package init(delta range: ClosedRange<UInt64>, of device: DeviceID, vector: VersionVector) {
        self.device = device
        self.range = range
        isSnapshot = false
        self.vector = vector
    }

    /// A file of the writer's whole state.
    package init(snapshot sequence: UInt64, of device: DeviceID, vector: VersionVector) {
        self.device = device
        range = min(1, sequence)...sequence
        isSnapshot = true
        self.vector = vector
    }
}
