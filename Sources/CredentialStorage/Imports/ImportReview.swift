// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import VaultFormat

/// What would become of the entries of an import that were compared with the vault.
struct ImportReview {
    var done = 0
    var new = 0
    var identical = 0
    /// When the credential was changed that an entry is in conflict with; nil for one of the same import.
    var conflicts: [(entry: Int, saved: Timestamp?)] = []
    /// The first entry of each service and user.
    var first: [SealTag: Int] = [:]
}

/// The counts of an import, before it is committed.
package struct ImportCounts: Sendable {
    package let entries, new, identical, conflicts, passkeys: Int
}

/// A line of the review: an entry in conflict, or of which something does not fit.
package struct ImportRow: Sendable {
    /// Its position in the import, from 0.
    package let position: Int
    package let entry: ImportEntry
    /// nil for a conflict.
    package let remark: ImportRemark?
    /// Of a conflict: when the saved one was changed; nil for another entry of the import.
    package let saved: Timestamp?
}

extension ImportStaging {
    /// The counts of what was reviewed.
    package var counts: ImportCounts {
        ImportCounts(
            entries: count, new: review.new, identical: review.identical, conflicts: review.conflicts.count,
            passkeys: content.passkeyCount)
    }

    package var isReviewed: Bool { review.done == count }

    /// Lines of the review, conflicts first.
    ///
    /// - Parameter offset: how many lines are before.
    package func rows(after offset: Int, limit: Int) throws(VaultError) -> (rows: [ImportRow], next: Int?) {
        let all = review.conflicts.count + content.remarks.count
        var rows: [ImportRow] = []
        let end = min(all, offset.addingReportingOverflow(limit).partialValue)
        for number in offset..<max(offset, end) {
            if number < review.conflicts.count {
                let (position, saved) = review.conflicts[number]
                rows.append(ImportRow(position: position, entry: try entry(position), remark: nil, saved: saved))
            } else {
                let (position, remark) = content.remarks[number - review.conflicts.count]
                rows.append(ImportRow(position: position, entry: try entry(position), remark: remark, saved: nil))
            }
        }
        return (rows, end < all ? end : nil)
    }
}

/// Compares imports with the vault.
package struct StoredImportReader {
    private let store: RecordStore

    init(_ store: RecordStore) { self.store = store }

    /// Compares the next entries, so many at most, and counts them.
    package func review(
        _ staging: ImportStaging, limit: Int, _ progress: VaultProgress
    ) throws(VaultError) {
        try store.read { records throws(VaultError) in
            let end = min(staging.count, staging.review.done + limit)
            while staging.review.done < end {
                try progress.advance(to: staging.review.done, of: staging.count)
                try compare(staging.review.done, of: staging, records)
                staging.review.done += 1
            }
        }
    }

    private func compare(
        _ position: Int, of staging: ImportStaging, _ records: RecordView
    ) throws(VaultError) {
        let entry = try staging.entry(position).credential
        var other = try records.saved(like: entry)
        let isSaved = other != nil
        let tags = entry.services.map { Credential.name(service: $0.service, user: entry.user, key: records.key) }
        let earlier = tags.compactMap { staging.review.first[$0] }.first
        for tag in tags where staging.review.first[tag] == nil { staging.review.first[tag] = position }
        if other == nil, let earlier { other = try staging.entry(earlier).credential }
        guard let other else {
            staging.review.new += 1
            return
        }
        let merge = ImportMerge(of: entry, into: other, staging.limits)
        if merge.addsNothing {
            staging.review.identical += 1
        } else {
            staging.review.conflicts.append((entry: position, saved: isSaved ? other.changed : nil))
        }
    }
}
