// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AsyncHTTPClient
package import AutofillProtocol
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL

/// Fetches what a site says of its apps, from the two places where it can say it.
///
/// The name is resolved here and the connection pinned to an address that was looked at, so that no second answer of a
/// name server can lead elsewhere. No redirect is followed, no proxy asked, nothing kept.
package struct AssociationFetcher: Sendable {
    private let testing: TestingGround?
    private let resolver: Resolver
    private let timeLimit: Duration

    /// Addresses of one site that are tried, in turn.
    private static let addressLimit = 4

    package init(
        testing: TestingGround? = nil, timeLimit: Duration = .milliseconds(Limits.associationMilliseconds)
    ) {
        self.testing = testing
        self.timeLimit = timeLimit
        resolver = Resolver(threads: .singleton)
    }

    /// Answers a query; takes no longer than the time limit.
    package func report(on query: AssociationQuery) async -> AssociationReport {
        guard let domain = try? DomainName(query.domain) else {
            return AssociationReport(query, failure: FetchFailure(.nameNotAllowed))
        }
        let ground = query.mode == .developer || testing?.coversStandardMode == true ? testing : nil
        let deadline = ContinuousClock.now + timeLimit
        do {
            let addresses = try await addresses(of: domain, on: ground, until: deadline)
            return await report(on: query, at: addresses, on: ground, until: deadline)
        } catch {
            return AssociationReport(query, failure: FetchFailure(error))
        }
    }

    /// The addresses that may be reached.
    private func addresses(
        of domain: DomainName, on ground: TestingGround?, until deadline: ContinuousClock.Instant
    ) async throws -> [NetworkAddress] {
        var found: [NetworkAddress] = []
        if let address = ground?.address {
            found = [address]
        } else {
            found = try await Deadline.run(until: deadline) { [resolver] in await resolver.addresses(of: domain.text) }
        }
        guard let first = found.first else { throw FetchFailure(.nameNotFound) }
        let open = found.filter { address in
            address.isPublic || ground?.allowed.contains { $0.contains(address) } == true
        }
        guard !open.isEmpty else {
            throw FetchFailure(.addressNotPublic, "\(domain) leads to \(first), which is no public address")
        }
        return Array(open.prefix(Self.addressLimit))
    }

    /// Both files, from the first address that answers.
    private func report(
        on query: AssociationQuery, at addresses: [NetworkAddress], on ground: TestingGround?,
        until deadline: ContinuousClock.Instant
    ) async -> AssociationReport {
        var report = AssociationReport(query, failure: FetchFailure(.notReached))
        for address in addresses {
            do {
                let client = HTTPClient(
                    eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
                    configuration: try configuration(query.domain, address, ground))
                let site = SiteClient(client: client, domain: query.domain, port: ground?.port, deadline: deadline)
                async let apple = site.read(.apple)
                async let statements = site.read(.statements)
                report = AssociationReport(query, reading: [await apple, await statements])
                // Nobody waits until a site has said goodbye.
                client.shutdown { _ in }
            } catch {
                return AssociationReport(query, failure: FetchFailure(.tlsFailed, "The test authority cannot be read"))
            }
            guard report.files.allSatisfy({ $0.failure == .notReached }) else { break }
        }
        return report
    }

    private func configuration(
        _ domain: String, _ address: NetworkAddress, _ ground: TestingGround?
    ) throws -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.certificateVerification = .fullVerification
        tls.minimumTLSVersion = .tlsv12
        if let authority = ground?.authority {
            tls.additionalTrustRoots = [.certificates(try NIOSSLCertificate.fromPEMFile(authority))]
        }
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .disallow,
            timeout: .init(connect: .nanoseconds(Int64(timeLimit / .nanoseconds(2)))), decompression: .disabled)
        configuration.dnsOverride = [domain: address.description]
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        // What was connected is what was looked at.
        configuration.http1_1ConnectionDebugInitializer = { channel in
            channel.remoteAddress?.ipAddress.flatMap { NetworkAddress($0) } == address
                ? channel.eventLoop.makeSucceededVoidFuture()
                : channel.eventLoop.makeFailedFuture(FetchFailure(.addressNotPublic))
        }
        return configuration
    }
}
