// SPDX-License-Identifier: Apache-2.0
import Crypto
import FoundationEssentials
import Glibc
import SyncCarrier
import TestGround

/// A directory for one test with a folder, and the spools of machines.
final class CarrierGround {
    static let group = String(repeating: "a", count: 32)
    /// Milliseconds since 1970.
    static let now: Int64 = 1_795_000_000_000

    let directory: TemporaryDirectory
    var folder: String { directory.path + "/folder" }

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// The n-th machine of the group.
    func machine(_ number: Int, spool: String? = nil) throws -> Machine {
        try Machine(number, spool: directory.path + "/" + (spool ?? "spool-\(number)"))
    }

    func carrier(_ machine: Machine) -> FolderCarrier {
        FolderCarrier(folder: folder, own: machine.own, spool: machine.spool)
    }

    /// A path below the folder's directory of a machine.
    func path(_ machine: Machine, _ name: String) -> String { "\(folder)/\(machine.directory)/\(name)" }

    /// Writes a file to the folder as some engine does, complete or not.
    func write(_ bytes: [UInt8], _ name: String, of machine: Machine) throws {
        try Self.write(bytes, to: path(machine, name))
    }

    func names(of machine: Machine) -> [String] { Self.names("\(folder)/\(machine.directory)") }

    static func write(_ bytes: [UInt8], to path: String) throws {
        let parent = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: path))
    }

    static func read(_ path: String) -> [UInt8]? { FileManager.default.contents(atPath: path).map { Array($0) } }

    static func names(_ path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}

/// A machine's spool, with what its daemon does there.
struct Machine {
    let own: CarrierConfiguration.Own
    let spool: SpoolDirectory

    init(_ number: Int, spool path: String) throws {
        let digits = String(number, radix: 16)
        let device = String(repeating: "0", count: 32 - digits.count) + digits
        own = CarrierConfiguration.Own(group: CarrierGround.group, device: device)
        spool = SpoolDirectory(path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    var directory: String { "\(own.group)/\(own.device)" }

    /// The name of a file with this content.
    static func name(_ content: [UInt8], _ sequence: Int = 1, _ kind: String = "delta") -> String {
        let number = String(sequence)
        let hash = SHA256.hash(data: content).prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return String(repeating: "0", count: 8 - number.count) + number + "-" + hash.joined() + "." + kind
    }

    /// Wants a file in the folder.
    @discardableResult
    func put(_ text: String, _ sequence: Int = 1) throws -> String {
        let name = Self.name(Array(text.utf8), sequence)
        try CarrierGround.write(Array(text.utf8), to: outgoing(name))
        return name
    }

    func outgoing(_ name: String) -> String { "\(spool.outgoing)/\(directory)/\(name)" }

    func received(_ name: String, of other: Machine) -> String { "\(spool.received)/\(other.directory)/\(name)" }

    func receivedNames(of other: Machine) -> [String] {
        CarrierGround.names("\(spool.received)/\(other.directory)")
    }

    /// Merges a received file.
    func settle(_ name: String, of other: Machine) throws { try CarrierGround.write([], to: received(name, of: other)) }
}

extension String {
    var bytes: [UInt8] { Array(utf8) }
}
