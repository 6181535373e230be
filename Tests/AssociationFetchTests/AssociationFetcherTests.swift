// SPDX-License-Identifier: Apache-2.0
import AssociationFetch
import AutofillProtocol
import Support
import Testing

/// A real TLS server on this machine behaves in every way that a site can.
@Suite("Fetching what a site says")
struct AssociationFetcherTests {
    /// One for all: they only read.
    private static let sites = Result { try TestSites() }

    private func fetcher(port: Int, timeLimit: Duration = .seconds(60)) throws -> AssociationFetcher {
        let address = try #require(NetworkAddress("127.0.0.1"))
        let range = try #require(AddressRange("127.0.0.1/32"))
        return AssociationFetcher(
            testing: TestingGround(
                address: address, allowed: [range], port: port, authority: TestSites.authority,
                coversStandardMode: true), timeLimit: timeLimit)
    }

    private func report(_ name: String, timeLimit: Duration = .seconds(60)) async throws -> AssociationReport {
        try await fetcher(port: try Self.sites.get().port, timeLimit: timeLimit)
            .report(on: AssociationQuery(domain: "\(name).example.com", mode: .standard))
    }

    @Test(
        "A site that lists the app approves it, in either file, whatever the content type",
        arguments: ["shop", "statements", "both", "text", "exact"])
    func approves(name: String) async throws {
        let report = try await report(name)
        #expect(report.isAnswered)
        #expect(report.lists("org.example.Shop"), "\(report)")
        #expect(report.domain == "\(name).example.com")
    }

    @Test("Apps of both files count, and the shorter of the two times")
    func bothFiles() async throws {
        let report = try await report("both")
        #expect(report.files.map(\.status) == [200, 200])
        #expect(report.files.map(\.apps) == [["org.example.Shop", "org.example.Other"], ["org.example.Second"]])
        #expect(report.validSeconds == 7200)
    }

    @Test("A site that says nothing of how long is believed for a day")
    func defaultTime() async throws {
        #expect(try await report("shop").validSeconds == Limits.associationDefaultSeconds)
    }

    @Test("An Apple prefix never approves a Linux app")
    func applePrefix() async throws {
        let report = try await report("unlisted")
        #expect(report.isAnswered)
        #expect(report.files[0].apps == ["org.example.Other"])
        #expect(!report.lists("org.example.Shop"))
    }

    @Test(
        "What a site does wrong is told by its kind, with the HTTP status",
        arguments: [
            ("broken", AssociationFailure.status, 500), ("moved", .redirected, 301), ("huge", .tooLarge, 200),
            ("endless", .tooLarge, 200), ("short", .httpInvalid, 200), ("double", .httpInvalid, nil),
            ("html", .notJSON, 200),
            ("shapeless", .notAnAssociation, 200), ("spoken", .httpInvalid, nil), ("expired", .certificateInvalid, nil),
            ("wrong-name", .certificateNameWrong, nil), ("unknown", .certificateInvalid, nil),
        ] as [(String, AssociationFailure, Int?)])
    func fails(name: String, kind: AssociationFailure, status: Int?) async throws {
        let report = try await report(name)
        #expect(!report.isAnswered)
        #expect(report.validSeconds == 0)
        for file in report.files {
            #expect(file.failure == kind, "\(file)")
            #expect(file.status == status)
            #expect(file.apps.isEmpty)
            #expect(file.detail?.isEmpty == false)
        }
    }

    @Test("A site that never comes to an end is given up", arguments: ["slow", "silent"])
    func timesOut(name: String) async throws {
        let report = try await report(name, timeLimit: .milliseconds(300))
        #expect(report.files.map(\.failure) == [.timedOut, .timedOut])
    }

    @Test("Nothing is sent to an address that is not public, in standard mode whatever the options say")
    func privateAddress() async throws {
        let address = try #require(NetworkAddress("127.0.0.1"))
        let range = try #require(AddressRange("127.0.0.0/8"))
        let port = try Self.sites.get().port
        let closed = AssociationFetcher(
            testing: TestingGround(
                address: address, port: port, authority: TestSites.authority, coversStandardMode: true),
            timeLimit: .seconds(60))
        let query = AssociationQuery(domain: "shop.example.com", mode: .standard)
        #expect(await closed.report(on: query).files.map(\.failure) == [.addressNotPublic, .addressNotPublic])
        let developers = AssociationFetcher(
            testing: TestingGround(address: address, allowed: [range], port: port, authority: TestSites.authority),
            timeLimit: .seconds(60))
        let developerQuery = AssociationQuery(domain: "shop.example.com", mode: .developer)
        #expect(await developers.report(on: developerQuery).lists("org.example.Shop"))
        // The same in standard mode: the options count for nothing, and the name is the name server's to find.
        let loop = AssociationQuery(domain: "a.localhost", mode: .standard)
        let failures = await developers.report(on: loop).files.map(\.failure)
        #expect(failures.allSatisfy { $0 == .addressNotPublic || $0 == .nameNotFound }, "\(failures)")
    }

    @Test(
        "What is no full name of a host is not looked up",
        arguments: ["localhost", "127.0.0.1", "[::1]", "a b.example"])
    func names(domain: String) async {
        let report = await AssociationFetcher().report(on: AssociationQuery(domain: domain, mode: .standard))
        #expect(report.files.map(\.failure) == [.nameNotAllowed, .nameNotAllowed])
    }

    @Test("A port where nobody listens is told")
    func nobody() async throws {
        let report = try await fetcher(port: 1).report(on: AssociationQuery(domain: "x.example.com", mode: .standard))
        #expect(report.files.map(\.failure) == [.notReached, .notReached])
    }
}
