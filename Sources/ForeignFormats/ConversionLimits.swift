// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

/// Every limit of `autofill-convert`. Records.md lists them. What exceeds a limit of an entry is reported as not
/// imported; what exceeds a limit of the file ends the conversion.
package enum ConversionLimits {
    /// Bytes of the input, and of what is decompressed from it.
    package static let inputBytes = 128 << 20
    package static let decompressedBytes = 256 << 20
    /// Entries of one file.
    package static let entries = 1_000_000
    /// Columns of a CSV file, and bytes of one of its fields.
    package static let columns = 1024
    package static let fieldBytes = 1 << 20
    /// Levels of arrays and objects in JSON, and of elements in XML.
    package static let depth = 64
    /// Bytes of one value in XML.
    package static let valueBytes = 16 << 20
    /// Files in an archive.
    package static let archiveFiles = 100_000
    /// Bytes of the password of a file, and of a key file.
    package static let passwordBytes = 64 * 1024
    package static let keyFileBytes = 16 << 20
    /// Bytes of the text of a QR code: version 40, level M.
    package static let qrCodeBytes = 2331

    /// Memory of a key derivation in KiB, its passes, and its threads; and the iterations of one without memory.
    package static let derivationKibibytes: UInt64 = 1 << 20
    package static let derivationPasses: UInt64 = 1000
    package static let derivationLanes: UInt64 = 64
    package static let derivationIterations: UInt64 = 200_000_000
    /// Passes times KiB: what takes longer than the time limit is refused at once.
    package static let derivationWork: UInt64 = 64 << 20

    /// Bytes of address space, and seconds of processor time, of the program.
    package static let memoryBytes: UInt64 = 2 << 30
    package static let processorSeconds: UInt64 = 120
    /// Bytes of the file that an export writes.
    package static let outputBytes: UInt64 = 1 << 30

    /// Of an entry, as the vault has them.
    package static let titleBytes = Limits.credentialLabelBytes
    package static let userBytes = Limits.userBytes
    package static let secretBytes = Limits.passwordBytes
    package static let notesBytes = Limits.notesBytes
    package static let codeBytes = Limits.codeURIBytes
    package static let folderBytes = Limits.collectionBytes
    package static let tags = Limits.tags
    package static let tagBytes = Limits.tagBytes
    package static let fields = Limits.customFields
    package static let fieldNameBytes = Limits.customNameBytes
    package static let fieldValueBytes = Limits.customValueBytes
    package static let sites = Limits.servicesPerCredential
    package static let siteBytes = Limits.actionBytes
    package static let formerPasswords = 10
    package static let passkeys = 16
}
