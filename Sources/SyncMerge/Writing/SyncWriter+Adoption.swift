// SPDX-License-Identifier: Apache-2.0

extension SyncWriter {
    /// Takes over a record from before sync. That it is deleted is stated in the name of this machine: a purge waits until every
    /// member has merged the file that states it.
    package mutating func adopt(_ record: EarlierRecord) {
        for element in record.elements { emit(.add(record.id, element)) }
        setCounters(of: record)
        if record.isDeleted { delete(ids: [record.id]) }
    }
}
