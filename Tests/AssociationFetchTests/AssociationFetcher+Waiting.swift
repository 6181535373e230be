// SPDX-License-Identifier: Apache-2.0
import AssociationFetch
import AutofillProtocol
import Glibc

extension AssociationFetcher {
    /// Waits for a query's end, for at most a minute.
    func wait(for milliseconds: Int64 = 60_000) throws -> [FinishedFetch] {
        var none: [pollfd] = []
        return try wait(for: milliseconds, besides: &none)
    }

    /// One query, from its beginning to its end.
    func report(on query: AssociationQuery) throws -> AssociationReport {
        let id = begin(query)
        while true {
            for fetch in try wait() where fetch.id == id { return fetch.report }
        }
    }
}
