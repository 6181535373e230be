// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SecretMemory

/// The sealed list of all that should be in the vault, as a tree of three levels: the root (node 0) pins the tags of 64
/// middle nodes (1 to 64), each of these the tags of 64 buckets (65 to 4160). A change seals three nodes, whatever the size
/// of the vault, in the transaction of the change itself.
package struct Manifest {
    static let middleCount = 64
    private static let fanOut = ManifestBucket.count / middleCount
    private static let middleFormat: UInt8 = 1

    package private(set) var root: ManifestRoot
    /// The tag of the root as it was last read or written.
    package private(set) var tag = SealTag.none
    /// Middle nodes that were read or written since the unlock.
    private var middles: [Int: [SealTag]] = [:]

    package init(root: ManifestRoot) { self.root = root }

    static func node(ofMiddle index: Int) -> Int { 1 + index }
    static func node(ofBucket index: Int) -> Int { 1 + middleCount + index }

    // MARK: - Reading

    /// The root as it is in the file; throws `damaged` where it cannot be read.
    package init(reading statements: VaultStatements, key: SecretBytes) throws(VaultError) {
        let found = try Self.open(0, statements, key) { ManifestRoot($0) }
        guard let root = found.flatMap({ $0.value }) else { throw .damaged("manifest root") }
        self.init(root: root)
        tag = found?.tag ?? .none
    }

    /// The tree of a file whose root is lost, by the middle nodes that are there: nothing states whether these are the newest.
    package init(withoutRoot statements: VaultStatements, key: SecretBytes) {
        // What is read states its format itself.
        root = ManifestRoot(vaultID: .none, slots: [])
        for index in root.middles.indices {
            let found = try? Self.open(Self.node(ofMiddle: index), statements, key) { _ in true }
            root.middles[index] = found?.tag ?? .none
        }
    }

    /// Whether there is a middle node above a bucket.
    func hasParent(ofBucket index: Int) -> Bool { root.middles[index / Self.fanOut] != .none }

    /// A bucket, checked against its parents; empty where there is none.
    package mutating func bucket(
        _ index: Int, _ statements: VaultStatements, key: SecretBytes
    ) throws(VaultError) -> ManifestBucket {
        let expected = try middle(index / Self.fanOut, statements, key: key)[index % Self.fanOut]
        guard expected != .none else { return ManifestBucket() }
        let found = try Self.open(Self.node(ofBucket: index), statements, key) { ManifestBucket($0) }
        guard let found, found.tag == expected, let bucket = found.value else {
            throw .damaged("manifest bucket \(index)")
        }
        return bucket
    }

    /// Whether a row of the table belongs to the tree.
    mutating func hasNode(_ node: Int, _ statements: VaultStatements, key: SecretBytes) throws(VaultError) -> Bool {
        switch node {
        case 0: return true
        case 1...Self.middleCount: return root.middles[node - 1] != .none
        case Self.node(ofBucket: 0)...Self.node(ofBucket: ManifestBucket.count - 1):
            let index = node - Self.node(ofBucket: 0)
            // A middle node that cannot be read has been reported with its buckets.
            let tags = try? middle(index / Self.fanOut, statements, key: key)
            return tags?[index % Self.fanOut] != SealTag.none
        default: return false
        }
    }

    /// The tags of the buckets below a middle node, checked against the root.
    private mutating func middle(
        _ index: Int, _ statements: VaultStatements, key: SecretBytes
    ) throws(VaultError) -> [SealTag] {
        if let tags = middles[index] { return tags }
        guard root.middles[index] != .none else {
            middles[index] = [SealTag](repeating: .none, count: Self.fanOut)
            return middles[index] ?? []
        }
        let found = try Self.open(Self.node(ofMiddle: index), statements, key) { bytes -> [SealTag]? in
            var reader = BinaryReader(bytes)
            let format: UInt8 = reader.integer()
            let tags = (0..<Self.fanOut).map { _ in reader.tag() }
            return format == Self.middleFormat && reader.isAtEnd ? tags : nil
        }
        guard let found, found.tag == root.middles[index], let tags = found.value else {
            throw .damaged("manifest node \(Self.node(ofMiddle: index))")
        }
        middles[index] = tags
        return tags
    }

    /// A node and its tag; nil where there is no such row, a nil value where it does not open.
    private static func open<Value>(
        _ node: Int, _ statements: VaultStatements, _ key: SecretBytes, _ parse: (UnsafeRawBufferPointer) -> Value?
    ) throws(VaultError) -> (tag: SealTag, value: Value?)? {
        try statements.manifest.node.first(.integer(Int64(node))) { row throws(VaultError) in
            let sealed = row.bytes(0)
            let value = try Sealing.open(sealed, key: key, associated: AssociatedData.node(node)) { parse($0) }
            return (sealed.count < Sealing.overhead ? .none : Sealing.tag(of: sealed), value ?? nil)
        }
    }

    // MARK: - Changing

    /// Writes what a transaction changed.
    package mutating func apply(
        _ changes: VaultChanges, _ statements: VaultStatements, key: SecretBytes,
        using entropy: inout any RandomNumberGenerator
    ) throws(VaultError) {
        guard !changes.isEmpty else { return }
        // In order, so that the same changes with the same random numbers give the same bytes.
        let byBucket = Dictionary(grouping: changes.entries.keys.sorted()) { ManifestBucket.index(of: $0) }
        var touched: Set<Int> = []
        for (index, ids) in byBucket.sorted(by: { $0.key < $1.key }) {
            var bucket = try bucket(index, statements, key: key)
            bucket.entries.removeAll { ids.contains($0.id) }
            bucket.entries += ids.compactMap { changes.entries[$0] ?? nil }
            let tag = try Self.seal(Self.node(ofBucket: index), statements, key, &entropy) {
                bucket.write(root.format, to: &$0)
            }
            middles[index / Self.fanOut]?[index % Self.fanOut] = tag
            touched.insert(index / Self.fanOut)
        }
        for index in touched.sorted() {
            let tags = try middle(index, statements, key: key)
            root.middles[index] = try Self.seal(Self.node(ofMiddle: index), statements, key, &entropy) { writer in
                writer.put(Self.middleFormat)
                for tag in tags { writer.put(tag) }
            }
        }
        for (index, change) in changes.tallies.enumerated() where change != 0 {
            root.tallies[index] = UInt64(clamping: Int64(clamping: root.tallies[index]) + Int64(change))
        }
        if let slots = changes.slots {
            root.slots = SlotRow.digest(slots)
            root.nextSlot = max(root.nextSlot, (slots.map(\.id).max() ?? 0) &+ 1)
        }
        if let releases = changes.releases { root.releases = releases }
        root.isMarked = root.isMarked || changes.marks
        root.generation &+= 1
        try write(statements, key: key, using: &entropy)
    }

    /// Writes the manifest of these records, whatever was there.
    package static func build(
        _ entries: [ManifestEntry], root: ManifestRoot, _ statements: VaultStatements, key: SecretBytes,
        using entropy: inout any RandomNumberGenerator
    ) throws(VaultError) -> Manifest {
        try statements.manifest.deleteNodes.run()
        var fresh = root
        fresh.middles = [SealTag](repeating: .none, count: middleCount)
        var manifest = Manifest(root: fresh)
        var changes = VaultChanges()
        for entry in entries { changes.entries[entry.id] = entry }
        try manifest.apply(changes, statements, key: key, using: &entropy)
        // Without a record there was no change to write the root for.
        try manifest.write(statements, key: key, using: &entropy)
        return manifest
    }

    /// Seals the root.
    package mutating func write(
        _ statements: VaultStatements, key: SecretBytes, using entropy: inout any RandomNumberGenerator
    ) throws(VaultError) {
        tag = try Self.seal(0, statements, key, &entropy) { root.write(to: &$0) }
    }

    private static func seal(
        _ node: Int, _ statements: VaultStatements, _ key: SecretBytes, _ entropy: inout any RandomNumberGenerator,
        _ write: (inout BinaryWriter) -> Void
    ) throws(VaultError) -> SealTag {
        let plain = BinaryWriter.encode(write)
        let sealed = try plain.withUnsafeBytes { bytes throws(VaultError) in
            try Sealing.seal(bytes, key: key, associated: AssociatedData.node(node), using: &entropy)
        }
        try statements.manifest.putNode.run(.integer(Int64(node)), .bytes(sealed))
        return sealed.withUnsafeBytes { Sealing.tag(of: $0) }
    }
}
