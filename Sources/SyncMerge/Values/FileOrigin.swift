// SPDX-License-Identifier: Apache-2.0

/// The file that published an operation first: its writer, and its number in the writer's sequence. The origin is kept when others
/// pass the operation on, so that a cut drops it wherever it is found.
package struct FileOrigin: Hashable, Comparable, Sendable {
    package let device: DeviceID
    package let sequence: UInt64

    package init(device: DeviceID, sequence: UInt64) {
        self.device = device
        self.sequence = sequence
    }

    /// Of what was in a vault before sync was started.
    package static let beforeSync = FileOrigin(device: .beforeSync, sequence: 0)

    package static func < (left: FileOrigin, right: FileOrigin) -> Bool {
        left.device == right.device ? left.sequence < right.sequence : left.device < right.device
    }
}
