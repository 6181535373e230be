// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestGround
import Testing

/// The files below a folder as a process sees them, and as a disk may have them after a power cut.
///
/// The content of a file is on the disk when the file is synced, a name when its folder is. Everything else may be there or not:
/// of each sector of a file any of its versions since the last sync, of a file's length any. A change of a name is there as a whole
/// or not at all; that of a rename to another folder belongs to this folder.
struct SimulatedDisk {
    typealias Node = Int
    static let root: Node = 0
    static let sector = 512

    /// What is not synced, with the number of its event.
    enum Change {
        case write(at: Int, [UInt8])
        case resize(to: Int)
        case allocate(to: Int)
    }

    struct File {
        var content: [UInt8] = []
        var unsynced: [(event: Int, change: Change)] = []
    }

    /// Names that appear (with a node) and disappear (the node that had it).
    struct NameChange {
        let event: Int
        let folder: Node
        var added: [(folder: Node, name: String, node: Node)] = []
        var removed: [(folder: Node, name: String, node: Node)] = []
    }

    /// On the disk for sure.
    private(set) var files: [Node: File] = [:]
    private(set) var links: [Node: String] = [:]
    private(set) var durable: [Node: [String: Node]] = [root: [:]]
    /// As the process sees it.
    private var present: [Node: [String: Node]] = [root: [:]]
    private(set) var unsynced: [NameChange] = []
    private var open: [Int32: Node] = [:]
    private var nextNode = 1

    /// What is in a folder now, all of it on the disk.
    init(of folder: String) throws { try read(folder, as: Self.root) }

    private mutating func read(_ folder: String, as node: Node) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let path = folder + "/" + name
            let child = newNode()
            durable[node]?[name] = child
            present[node]?[name] = child
            let type = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            if type == .typeDirectory {
                (durable[child], present[child]) = ([:], [:])
                try read(path, as: child)
            } else if type == .typeSymbolicLink {
                links[child] = try FileManager.default.destinationOfSymbolicLink(atPath: path)
            } else {
                files[child] = File(content: Array(try Data(contentsOf: URL(filePath: path))))
            }
        }
    }

    private mutating func newNode() -> Node {
        defer { nextNode += 1 }
        return nextNode
    }

    // MARK: - Events

    mutating func apply(_ event: DiskEvent, number: Int) throws {
        switch event {
        case .open(let file, let path, let isNew, let isEmptied):
            if isNew {
                let node = newNode()
                files[node] = File()
                try add(node, at: path, number)
            }
            let node = try #require(self.node(at: path), "\(path) is opened")
            open[file] = node
            if isEmptied { files[node]?.unsynced.append((number, .resize(to: 0))) }
        case .write(let file, let position, let bytes): try append(.write(at: position, bytes), to: file, number)
        case .resize(let file, let length): try append(.resize(to: length), to: file, number)
        case .allocate(let file, let length): try append(.allocate(to: length), to: file, number)
        case .sync(let file): sync(try #require(open[file], "an open file is synced"))
        case .rename(let old, let new):
            let node = try #require(self.node(at: old), "\(old) is renamed")
            // Both names of one file: nothing happens.
            guard self.node(at: new) != node else { return }
            try add(node, at: new, number, removing: old)
        case .link(let old, let new):
            try add(try #require(self.node(at: old), "\(old) is linked"), at: new, number)
        case .makeFolder(let path):
            let node = newNode()
            (durable[node], present[node]) = ([:], [:])
            try add(node, at: path, number)
        case .remove(let path):
            let (folder, name) = try position(of: path)
            let node = try #require(present[folder]?[name], "\(path) is removed")
            present[folder]?[name] = nil
            unsynced.append(NameChange(event: number, folder: folder, removed: [(folder, name, node)]))
        }
    }

    private mutating func append(_ change: Change, to file: Int32, _ number: Int) throws {
        let node = try #require(open[file], "an open file is written to")
        files[node]?.unsynced.append((number, change))
    }

    private mutating func add(_ node: Node, at path: String, _ number: Int, removing old: String? = nil) throws {
        let (folder, name) = try position(of: path)
        var change = NameChange(event: number, folder: folder, added: [(folder, name, node)])
        if let old {
            let (former, oldName) = try position(of: old)
            present[former]?[oldName] = nil
            change.removed = [(former, oldName, node)]
        }
        present[folder]?[name] = node
        unsynced.append(change)
    }

    private mutating func sync(_ node: Node) {
        if let file = files[node] {
            files[node] = File(content: file.content(keeping: { _ in .max }, upTo: .max))
        } else {
            for change in unsynced where change.folder == node { change.apply(to: &durable) }
            unsynced.removeAll { $0.folder == node }
        }
    }

    private func position(of path: String) throws -> (folder: Node, name: String) {
        let parts = path.split(separator: "/")
        let folder = parts.dropLast().reduce(Optional(Self.root)) { folder, name in
            folder.flatMap { present[$0]?[String(name)] }
        }
        return (try #require(folder, "the folder of \(path)"), try String(#require(parts.last)))
    }

    private func node(at path: String) -> Node? {
        path.split(separator: "/").reduce(Optional(Self.root)) { folder, name in
            folder.flatMap { present[$0]?[String(name)] }
        }
    }
}

extension SimulatedDisk.NameChange {
    func apply(to folders: inout [SimulatedDisk.Node: [String: SimulatedDisk.Node]]) {
        for (folder, name, node) in added { folders[folder]?[name] = node }
        for (folder, name, node) in removed where folders[folder]?[name] == node { folders[folder]?[name] = nil }
    }
}
