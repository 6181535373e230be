// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SyncFiles
internal import SyncMerge

extension SyncReader {
    /// Those of the deleted credentials of which every member has shown that it knows the deletion; all in a vault without sync.
    func purgeable(_ deleted: [Credential], at time: Timestamp) throws(VaultError) -> [Credential] {
        if !deleted.isEmpty { records.store.findUnstamped() }
        guard let sync = records.store.sync else { return deleted }
        let others = sync.members.list.members.filter { $0 != sync.device }
        var purgeable: [Credential] = []
        for credential in deleted where !sync.noted.unstamped.contains(credential.id) {
            var slice = SyncSlice(cuts: sync.cuts)
            try slice.read([credential.id], from: records)
            let (age, overflow) = time.milliseconds.subtractingReportingOverflow(credential.deleted?.milliseconds ?? 0)
            let group = slice.state.group(of: credential.id)
            if group.isEmpty
                || sync.progress.merged.mayPurge(
                    group, of: slice.state, others: others, deletedFor: overflow ? 0 : age)
            {
                purgeable.append(credential)
            }
        }
        return purgeable
    }
}
