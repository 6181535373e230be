// SPDX-License-Identifier: Apache-2.0
package import SyncMerge

/// Why a file is not merged.
package enum SyncFileError: Error, Equatable, Sendable {
    /// It may be incomplete still: wait, and report it after an hour.
    case hashDiffers
    case tooLarge
    case truncated
    case trailingBytes
    case notASyncFile
    /// autofilld has to be updated; until then nothing is merged.
    case newerFormat(UInt8)
    case headerMalformed
    /// The name has another sequence or another kind than the content.
    case nameDiffers
    case otherGroup
    /// It is in another device's directory.
    case otherDevice
    case tooManyStatements
    case statementMalformed
    /// No valid statement admits the writer.
    case notAMember(DeviceID)
    /// The writer was removed, and this is not one of its files that count.
    case removed(DeviceID)
    case signatureInvalid
    /// This machine does not have the key of that epoch.
    case otherEpoch(EpochID)
    /// The writer signed bytes that do not open with the epoch's key.
    case sealBroken
    case contentMalformed
    /// It contains what another device wrote, or what is not in its range.
    case originInvalid(FileOrigin)
    case tooManyEntries

    /// Whether the file may become readable without being written again.
    package var mayBecomeReadable: Bool {
        switch self {
        case .hashDiffers, .newerFormat, .notAMember, .removed, .otherEpoch: true
        default: false
        }
    }
}
