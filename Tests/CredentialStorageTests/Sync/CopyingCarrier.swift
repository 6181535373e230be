// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SyncFiles
import SyncMerge

@testable import CredentialStorage
@testable import VaultFormat

/// Copies between the spool of one machine and a folder, as the carrier does. The folder is what another spool has put out.
final class CopyingCarrier {
    private let spool: String
    private let folder: String
    /// What it has put into the folder, while it runs.
    private var carried: Set<String> = []

    init(_ spool: SyncSpool, to folder: SyncSpool) {
        (self.spool, self.folder) = (spool.path, folder.path + "/out")
    }

    /// One round, for the machine that has this id now.
    func round(of device: DeviceID, in group: GroupID) throws {
        let (out, own) = (spool + "/out", "\(group.hexadecimal)/\(device.hexadecimal)/")
        let present = Self.files(in: out).filter { $0.hasPrefix(own) }
        for file in present.subtracting(Self.files(in: folder)) { try copy(file, from: out, to: folder) }
        for file in carried.subtracting(present) where file.hasPrefix(own) { remove(file, in: folder) }
        carried = present
        for file in Self.files(in: received) where file.hasPrefix(own) && isSettled(file) {
            for root in [folder, received] { remove(file, in: root) }
        }
        let shared = Self.files(in: folder)
        for file in shared.subtracting(present).subtracting(Self.files(in: received)) {
            try copy(file, from: folder, to: received)
        }
        for file in Self.files(in: received).subtracting(shared) { remove(file, in: received) }
    }

    private var received: String { spool + "/in" }

    /// `GROUP/DEVICE/NAME` of each.
    private static func files(in root: String) -> Set<String> {
        let folders = VaultDirectory.names(in: root).flatMap { group in
            VaultDirectory.names(in: root + "/" + group).map { group + "/" + $0 }
        }
        return Set(
            folders.flatMap { folder in
                VaultDirectory.names(in: root + "/" + folder).filter { !$0.hasPrefix(".") }.map { folder + "/" + $0 }
            })
    }

    private func isSettled(_ file: String) -> Bool { !SpoolFile(received + "/" + file).hasContent }

    private func copy(_ file: String, from source: String, to root: String) throws {
        let path = root + "/" + file
        try FileManager.default.createDirectory(
            atPath: VaultDirectory.parent(of: path), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: source + "/" + file, toPath: path)
    }

    private func remove(_ file: String, in root: String) {
        try? FileManager.default.removeItem(atPath: root + "/" + file)
    }
}
