// SPDX-License-Identifier: Apache-2.0
import AssociationFetch
import AutofillProtocol
import Support
import TestGround
import Testing

/// A real TLS server on this machine behaves in every way that a site can.
@Suite("Fetching a site's statements", .blocking)
struct AssociationFetcherTests {
    /// One for all: they only read.
    private static let sites = Result { try TestSites() }

    private func fetcher(port: Int, timeLimit: Duration = .seconds(60)) throws -> AssociationFetcher {
        let address = try #require(NetworkAddress("127.0.0.1"))
        let range = try #require(AddressRange("127.0.0.1/32"))
        return try AssociationFetcher(
            testing: TestingGround(
                address: address, allowed: [range], port: port, authority: TestSites.authority,
                coversStandardMode: true), timeLimit: timeLimit)
    }

    private func report(_ name: String, timeLimit: Duration = .seconds(60)) throws -> AssociationReport {
        try fetcher(port: try Self.sites.get().port, timeLimit: timeLimit)
            .report(on: AssociationQuery(domain: "\(name).example.com", mode: .standard))
    }

    @Test(
        "A site that lists the app approves it, in either file, whatever the content type",
        arguments: ["shop", "statements", "both", "text", "exact", "chunked", "hinted"])
    func approves(name: String) throws {
        let report = try report(name)
        #expect(report.isAnswered)
        #expect(report.lists("org.example.Shop"), "\(report)")
        #expect(report.domain == "\(name).example.com")
    }

    @Test("Apps of both files count, and the shorter of the two times")
    func bothFiles() throws {
        let report = try report("both")
        #expect(report.files.map(\.status) == [200, 200])
        #expect(report.files.map(\.apps) == [["org.example.Shop", "org.example.Other"], ["org.example.Second"]])
        #expect(report.validSeconds == 7200)
    }

    @Test(
        "A statement without a lifetime is valid for a day; early hints and trailers have no effect",
        arguments: ["shop", "hinted", "chunked"])
    func defaultTime(name: String) throws {
        #expect(try report(name).validSeconds == Limits.associationDefaultSeconds)
    }

    @Test("An Apple prefix never approves a Linux app")
    func applePrefix() throws {
        let report = try report("unlisted")
        #expect(report.isAnswered)
        #expect(report.files[0].apps == ["org.example.Other"])
        #expect(!report.lists("org.example.Shop"))
    }

    @Test(
        "A site's error is reported by its kind, with the HTTP status",
        arguments: [
            ("broken", AssociationFailure.status, 500), ("moved", .redirected, 301), ("huge", .tooLarge, 200),
            ("endless", .tooLarge, 200), ("forever", .tooLarge, 200), ("framed-twice", .httpInvalid, nil),
            ("packed", .httpInvalid, nil), ("hints", .httpInvalid, nil), ("flood", .httpInvalid, nil),
            ("long-line", .httpInvalid, nil), ("short", .httpInvalid, 200), ("double", .httpInvalid, nil),
            ("html", .notJSON, 200),
            ("shapeless", .notAnAssociation, 200), ("spoken", .httpInvalid, nil), ("expired", .certificateInvalid, nil),
            ("wrong-name", .certificateNameWrong, nil), ("unknown", .certificateInvalid, nil),
        ] as [(String, AssociationFailure, Int?)])
    func fails(name: String, kind: AssociationFailure, status: Int?) throws {
        let report = try report(name)
        #expect(!report.isAnswered)
        #expect(report.validSeconds == 0)
        for file in report.files {
            #expect(file.failureKind == kind, "\(file)")
            #expect(file.status == status)
            #expect(file.apps.isEmpty)
            #expect(file.detail?.isEmpty == false)
        }
    }

    @Test("A fetch from a site that never ends is abandoned", arguments: ["slow", "silent"])
    func timesOut(name: String) throws {
        let report = try report(name, timeLimit: .milliseconds(300))
        #expect(report.files.map(\.failureKind) == [.timedOut, .timedOut])
    }

    @Test("Nothing is sent to an address that is not public, in standard mode whatever the options are")
    func privateAddress() throws {
        let address = try #require(NetworkAddress("127.0.0.1"))
        let range = try #require(AddressRange("127.0.0.0/8"))
        let port = try Self.sites.get().port
        let closed = try AssociationFetcher(
            testing: TestingGround(
                address: address, port: port, authority: TestSites.authority, coversStandardMode: true),
            timeLimit: .seconds(60))
        let query = AssociationQuery(domain: "shop.example.com", mode: .standard)
        #expect(try closed.report(on: query).files.map(\.failureKind) == [.addressNotPublic, .addressNotPublic])
        let developers = try AssociationFetcher(
            testing: TestingGround(address: address, allowed: [range], port: port, authority: TestSites.authority),
            timeLimit: .seconds(60))
        let developerQuery = AssociationQuery(domain: "shop.example.com", mode: .developer)
        #expect(try developers.report(on: developerQuery).lists("org.example.Shop"))
        // The same in standard mode: the options count for nothing, and the name is the name server's to find.
        let loop = AssociationQuery(domain: "a.localhost", mode: .standard)
        let failures = try developers.report(on: loop).files.map(\.failureKind)
        #expect(failures.allSatisfy { $0 == .addressNotPublic || $0 == .nameNotFound }, "\(failures)")
    }

    @Test(
        "What is no full name of a host is not looked up",
        arguments: ["localhost", "127.0.0.1", "[::1]", "a b.example"])
    func names(domain: String) throws {
        let report = try AssociationFetcher().report(on: AssociationQuery(domain: domain, mode: .standard))
        #expect(report.files.map(\.failureKind) == [.nameNotAllowed, .nameNotAllowed])
    }

    @Test("A port without a listener is reported")
    func nobody() throws {
        let report = try fetcher(port: 1).report(on: AssociationQuery(domain: "x.example.com", mode: .standard))
        #expect(report.files.map(\.failureKind) == [.notReached, .notReached])
    }

    @Test("A redirect to a private address is reported, and nothing connects there")
    func inward() throws {
        let listener = try PlainListener()
        let report = try report("inward-\(listener.port)")
        #expect(report.files.map(\.failureKind) == [.redirected, .redirected])
        #expect(report.files.map(\.status) == [302, 302])
        #expect(!listener.hasVisitor)
    }

    @Test("A handshake that stalls ends in half of the time")
    func stalledHandshake() throws {
        let listener = try PlainListener()
        let report = try fetcher(port: listener.port, timeLimit: .seconds(2))
            .report(on: AssociationQuery(domain: "shop.example.com", mode: .standard))
        #expect(report.files.map(\.failureKind) == [.timedOut, .timedOut])
        #expect(listener.hasVisitor)
    }

    @Test(
        "A server without encryption is reported", arguments: ["HTTP/1.1 200 OK\r\n\r\n", "SSH-2.0-x\r\n", ""])
    func clear(text: String) throws {
        let listener = try PlainListener(sending: text)
        let report = try fetcher(port: listener.port)
            .report(on: AssociationQuery(domain: "shop.example.com", mode: .standard))
        #expect(report.files.map(\.failureKind) == [.tlsFailed, .tlsFailed])
    }

    @Test("A test authority that cannot be read is reported")
    func unreadableAuthority() throws {
        let address = try #require(NetworkAddress("127.0.0.1"))
        let ground = TestingGround(
            address: address, allowed: [try #require(AddressRange("127.0.0.1/32"))], port: try Self.sites.get().port,
            authority: "/dev/null", coversStandardMode: true)
        let report = try AssociationFetcher(testing: ground)
            .report(on: AssociationQuery(domain: "shop.example.com", mode: .standard))
        #expect(report.files.map(\.failureKind) == [.tlsFailed, .tlsFailed])
        #expect(report.files.allSatisfy { $0.detail == "The test authority cannot be read" })
    }

    @Test("Sites are queried at the same time, each with its own answer, and a cancelled query has none")
    func manyAtOnce() throws {
        let fetcher = try fetcher(port: try Self.sites.get().port)
        let silent = fetcher.begin(AssociationQuery(domain: "silent.example.com", mode: .standard))
        let names = ["shop", "statements", "both", "moved", "expired", "endless"]
        var open: [FetchID: String] = [:]
        for name in names + names {
            open[fetcher.begin(AssociationQuery(domain: "\(name).example.com", mode: .standard))] = name
        }
        while !open.isEmpty {
            for fetch in try fetcher.wait() {
                let asked = open.removeValue(forKey: fetch.id)
                let name = try #require(asked)
                #expect(fetch.report.domain == "\(name).example.com")
                #expect(fetch.report.isAnswered == ["shop", "statements", "both"].contains(name))
            }
        }
        fetcher.end(silent)
        #expect(try fetcher.wait(for: 0).isEmpty)
    }
}
