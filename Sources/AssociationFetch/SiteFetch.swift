// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol

/// One query on its way: the name, then both files from the first of its addresses that can be reached.
struct SiteFetch {
    let query: AssociationQuery
    let domain: DomainName
    /// What stands for the internet, where this query is led there.
    let ground: TestingGround?
    /// When all of it has to be over, by the monotonic clock, and how long connecting takes at most.
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

    /// Takes what the name leads to, and keeps what may be reached.
    mutating func take(_ found: [NetworkAddress]) throws(FetchFailure) {
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
                at: FileTransfer.Place(
                    domain: domain, port: ground?.port, address: address, authority: ground?.authority,
                    connectMilliseconds: connectMilliseconds, milliseconds: deadline - time), in: multi)
        }
    }

    /// Takes what became of a file. True when nothing is under way any more.
    mutating func take(_ reading: SiteReading) -> Bool {
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
        // In the order in which files are told, whichever came first.
        let ordered = AssociationFile.allCases.compactMap { file in readings.first { $0.file == file } }
        return AssociationReport(query, readings: ordered)
    }
}
