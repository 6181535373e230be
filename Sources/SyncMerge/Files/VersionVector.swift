// SPDX-License-Identifier: Apache-2.0

/// For each device, up to which sequence everything was merged without a gap. Every file states its writer's.
package struct VersionVector: Sendable, Equatable {
    package private(set) var sequences: [DeviceID: UInt64]

    package init(_ sequences: [DeviceID: UInt64] = [:]) { self.sequences = sequences }

    package subscript(device: DeviceID) -> UInt64 {
        get { sequences[device] ?? 0 }
        set { sequences[device] = newValue }
    }

    package func contains(_ origin: FileOrigin) -> Bool { origin.sequence <= self[origin.device] }

    package mutating func formUnion(_ other: VersionVector) { sequences.merge(other.sequences) { max($0, $1) } }
}
