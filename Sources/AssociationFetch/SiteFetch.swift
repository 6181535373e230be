// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol

/// One running query: the name, then both files from the first of its addresses that can be reached.
struct SiteFetch {
    let query: AssociationQuery
    let domain: DomainName
    /// The replacement of the internet, where this query uses it.
    let ground: TestingGround?
    /// The deadline of the whole query, by the monotonic clock, and the time limit of connecting.
    let deadline: Int64, connectMilliseconds: Int64
    /// Addresses that are still to be tried; nil while the name is looked up.
    private(set) var addresses: ArraySlice<NetworkAddress>?
    private var transfers: [AssociationFile: FileTransfer] = [:]
    private var readings: [SiteReading] = []

    init(
        _ query: AssociationQuery, of domain: DomainName, on ground: TestingGround?, deadline: Int64,
        connectMilliseconds: Int64
    ) {
        (self.query, self.domain, self.ground) = (query, domain, ground)
        (self.deadline, self.connectMilliseconds) = (deadline, connectMilliseconds)
    }

    /// Receives the addresses of the name, and keeps the allowed ones.
    mutating func receive(_ found: [NetworkAddress]) throws(FetchFailure) {
        guard let first = found.first else { throw FetchFailure(.nameNotFound) }
        let open = found.filter { $0.isPublic || ground?.allows($0) == true }
        guard !open.isEmpty else {
            throw FetchFailure(.addressNotPublic, "\(domain) leads to \(first), which is no public address")
        }
        addresses = open.prefix(Limits.associationAddresses)
    }

    /// Begins the transfers of both files from the next address. Only when there is one.
    mutating func connect(in multi: UnsafeMutableRawPointer, as id: FetchID, at time: Int64) throws(FetchFailure) {
        guard let address = addresses?.popFirst() else { throw FetchFailure(.notReached) }
        readings = []
        for file in AssociationFile.allCases {
            transfers[file] = try FileTransfer(
                of: file, for: id,
                at: FileTransfer.Target(
                    domain: domain, port: ground?.port, address: address, authority: ground?.authority,
                    connectMilliseconds: connectMilliseconds, milliseconds: deadline - time), in: multi)
        }
    }

    /// Receives the result for a file. True when no transfer runs any more.
    mutating func receive(_ reading: SiteReading) -> Bool {
        transfers[reading.file] = nil
        readings.append(reading)
        return transfers.isEmpty
    }

    /// Whether another address is to be tried.
    func shouldTryAgain(at time: Int64) -> Bool {
        addresses?.isEmpty == false && time < deadline
            && readings.allSatisfy { reading in
                if case .failure(let failure) = reading.result { failure.isOfAddress } else { false }
            }
    }

    var report: AssociationReport {
        // In the order in which files are reported, whichever arrived first.
        let ordered = AssociationFile.allCases.compactMap { file in readings.first { $0.file == file } }
        return AssociationReport(query, readings: ordered)
    }
}
