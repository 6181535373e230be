// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import SyncMerge

extension SyncDevice {
    init(_ device: SyncedDevice) {
        self.init(
            device: device.id.hexadecimal, name: device.name ?? "", isThis: device.isThisDevice,
            isMember: device.isMember, isFormer: device.isFormer ? true : nil, merged: device.lastMerged?.description,
            missing: Int(clamping: device.missing))
    }
}

extension SyncRestored {
    init(_ restored: RestoredFiles) {
        func instant(_ milliseconds: Int) -> String { Timestamp(milliseconds: Int64(milliseconds)).description }
        self.init(files: restored.files, oldest: instant(restored.oldest), time: instant(restored.time))
    }
}

extension AutofillProtocol.SyncConflict {
    /// - Parameter credential: the one in the vault; nil where it is not there any more.
    init(_ conflict: CredentialStorage.SyncConflict, _ credential: Credential?) {
        let first = credential?.service
        self.init(
            credential: conflict.credential.description,
            service: first.flatMap { $0.kind.isOfSites ? ServiceIdentifier($0) : nil }, user: credential?.user ?? "",
            used: SyncChange(conflict.inUse), former: SyncChange(conflict.other), isDeletion: conflict.isDeletion)
    }
}

extension SyncChange {
    fileprivate init(_ change: CredentialStorage.SyncConflict.Change) {
        self.init(
            device: change.device.hexadecimal, name: change.deviceName ?? "", changed: change.time.description)
    }
}
