// SPDX-License-Identifier: Apache-2.0

/// What is carried from a folder that anybody may have written to.
package enum CarrierLimits {
    /// Of one snapshot or delta.
    package static let fileBytes = 256 << 20
    /// Of one invitation, or an answer to one.
    package static let invitationBytes = 65_536
    /// Devices of a group that have files.
    package static let devices = 64
    /// Files of one device.
    package static let filesPerDevice = 4096
    /// All files together.
    package static let totalBytes: UInt64 = 4 << 30
    /// A file that stays incomplete for longer is reported.
    package static let incompleteMilliseconds: Int64 = 3_600_000
    /// Directories that are read at most to find those of devices, and the groups where none is named.
    static let directories = 1024
    static let configurationBytes = 16_384
    static let detailBytes = 200
}
