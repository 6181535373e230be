// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import Glibc
package import SyncFiles
internal import VaultFormat

/// The two files by which daemon and carrier state what they do.
extension SyncSpool {
    /// The largest order or report that is read.
    private static let lineBytes = 8192

    private var orderFile: SpoolFile { SpoolFile(path + "/carrier.json") }

    /// The directory in which the carrier's files appear; the report is the last of each round.
    package var receivedPath: String { path + "/in" }

    /// Makes the spool, and replaces the order of what is to be carried.
    package func write(order line: [UInt8]) throws(VaultError) {
        try make()
        try orderFile.write(line)
    }

    /// Removes the order: the carrier ends.
    package func removeOrder() { unlink(orderFile.path) }

    /// The order that is there; nil: none.
    package var order: [UInt8]? { orderFile.read(upTo: Self.lineBytes) }

    /// The carrier's last report; nil: none yet.
    package var report: [UInt8]? { SpoolFile(receivedPath + "/state.json").read(upTo: Self.lineBytes) }

    /// All files that were received and not settled.
    package func allReceived(in group: GroupID) -> [StoredSync.ReceivedFile] {
        devices(in: group).flatMap { device in
            received(of: device, in: group).compactMap { name in
                readReceived(name, of: device, in: group).map {
                    StoredSync.ReceivedFile($0, name: name, of: device)
                }
            }
        }
    }
}
