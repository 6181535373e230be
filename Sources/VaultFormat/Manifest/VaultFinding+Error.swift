// SPDX-License-Identifier: Apache-2.0
internal import CSQLite
package import Credentials

extension VaultFinding {
    /// The finding for an error during a check.
    package init(_ error: VaultError) {
        switch error {
        case .recordDamaged(let id): self = .altered(id)
        case .slotDamaged(let id): self = .slotAltered(id)
        case .damaged(let object): self = .damaged(object)
        default: self = .damaged("database")
        }
    }

    /// What is wrong with slots whose digest is not the manifest's.
    package static func of(_ slots: [SlotRow]) -> [VaultFinding] {
        let altered = slots.filter { !$0.isIntact }.map { VaultFinding.slotAltered($0.id) }
        return altered.isEmpty ? [.slotsChanged] : altered
    }

    /// The disk cannot read a page, or SQLite's check fails with such an error.
    package var isReadError: Bool {
        guard case .damaged(let object) = self else { return false }
        // The texts of SQLite's check.
        let failures = ["error code=\(af_sqlite_corrupt_file_system)", "failed to get page"]
        return object == VaultError.unreadPage
            || object.hasPrefix("database: ") && failures.contains { object.contains($0) }
    }
}
