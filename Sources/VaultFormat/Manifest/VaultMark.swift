// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import Glibc
package import SecretMemory

/// How new a vault is: which change of it was the last, as `vault.releases` has it beside the vault, and the daemon's memory
/// while it lives. A vault whose own root has an earlier one is an older one.
package struct VaultMark: Hashable, Sendable {
    private static let format: UInt8 = 1
    /// How long it is when it is sealed.
    package static let length = 41 + Sealing.overhead

    package let vaultID: SealTag
    package let generation: UInt64
    /// The tag of the root of the manifest.
    package let root: SealTag

    init(vaultID: SealTag, generation: UInt64, root: SealTag) {
        self.vaultID = vaultID
        self.generation = generation
        self.root = root
    }

    /// nil where the bytes are not a mark's.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = BinaryReader(bytes)
        let format: UInt8 = reader.integer()
        vaultID = reader.tag()
        generation = reader.integer()
        root = reader.tag()
        guard format == Self.format, reader.isAtEnd else { return nil }
    }

    package func write(to writer: inout BinaryWriter) {
        writer.put(Self.format)
        writer.put(vaultID)
        writer.put(generation)
        writer.put(root)
    }
}

extension Manifest {
    /// The mark of the vault as it is.
    package var mark: VaultMark { VaultMark(vaultID: root.vaultID, generation: root.generation, root: tag) }
}

extension ReleaseFile {
    /// The mark; nil where there is none that was sealed with this key.
    package func mark(_ key: SecretBytes) -> VaultMark? {
        var sealed = [UInt8](repeating: 0, count: VaultMark.length)
        guard pread(descriptor, &sealed, sealed.count, off_t(Self.capacity)) == sealed.count else { return nil }
        let opened = try? Sealing.open(sealed, key: key, associated: AssociatedData.mark) { VaultMark($0) }
        return opened ?? nil
    }

    /// Writes the mark in one piece, in space that is set aside: it survives the end of the process. It lies in one sector, so
    /// that a power cut leaves it or the one before. Where it cannot be written the one before stays, and misses nothing that
    /// is there.
    package func put(_ mark: VaultMark, _ key: SecretBytes, using entropy: inout any RandomNumberGenerator) {
        let plain = BinaryWriter.encode { mark.write(to: &$0) }
        let sealed = try? plain.withUnsafeBytes { bytes throws(VaultError) in
            try Sealing.seal(bytes, key: key, associated: AssociatedData.mark, using: &entropy)
        }
        guard let sealed else { return }
        pwrite(descriptor, sealed, sealed.count, off_t(Self.capacity))
    }

    /// Has what is in the file, and its name, survive a power cut.
    package func synchronize() throws(VaultError) {
        guard fsync(descriptor) == 0 else { throw .system(errno, path: path) }
        try VaultDirectory.synchronize(VaultDirectory.parent(of: path))
    }
}
