// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol

/// A query that a fetcher was given.
package struct FetchID: Hashable, Sendable {
    let number: Int
}

/// The result of a query.
package struct FinishedFetch: Sendable {
    package let id: FetchID
    package let report: AssociationReport

    init(_ id: FetchID, _ report: AssociationReport) { (self.id, self.report) = (id, report) }
}

/// Why nothing can be fetched at all.
package enum FetcherError: Error, Hashable, CustomStringConvertible {
    /// libcurl cannot be set up.
    case noLibrary
    /// libcurl cannot wait: its code (CURLMcode).
    case wait(Int32)

    package var description: String {
        switch self {
        case .noLibrary: "libcurl could not be set up."
        case .wait(let code): "libcurl could not wait (CURLMcode \(code))."
        }
    }
}
