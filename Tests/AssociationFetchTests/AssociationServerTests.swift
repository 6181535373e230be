// SPDX-License-Identifier: Apache-2.0
import AssociationFetch
import AutofillProtocol
import Foundation
import Glibc
import Support
import TestGround
import Testing

/// The real program on a socket, and real TLS sites on this machine.
@Suite("The program that fetches", .blocking)
struct AssociationServerTests {
    /// A program of its own, and its socket.
    private final class Target {
        let folder: String
        let sites: TestSites
        private(set) var process: pid_t = 0
        var socket: String { folder + "/a" }

        init(
            timeLimit: Int? = nil, address: String? = "127.0.0.1", environment: [String: String] = [:],
            authority: String? = TestSites.authority, files: [String: String] = [:], network: [String] = []
        ) throws {
            folder = try TestFiles.folder()
            sites = try TestSites()
            var wrapper: [String] = []
            for (name, text) in files {
                let path = "\(folder)/etc/\(name)"
                try FileManager.default.createDirectory(
                    at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
                try text.write(toFile: path, atomically: false, encoding: .utf8)
                wrapper = network + AssociationServerTests.ownFiles + [folder + "/etc"]
            }
            process = try sites.serveAssociations(
                at: socket, timeLimit: timeLimit, address: address, authority: authority, environment: environment,
                wrapper: wrapper)
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        func connect() throws -> SocketConnection { try SocketConnection(to: socket, timeoutSeconds: 120) }

        func report(_ name: String) throws -> AssociationReport {
            let connection = try connect()
            try connection.send(AssociationServerTests.line(name))
            return try AssociationReport(line: try connection.line().utf8)
        }

        /// Kilobytes that only the process uses and has written to. (What it only reads, its program, counts as its own
        /// as soon as no other process runs the same.)
        func privateKilobytes() throws -> Int {
            let text = try String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)
            return text.split(separator: "\n").filter { $0.hasPrefix("Private_Dirty") }
                .compactMap { $0.split(separator: " ").dropFirst().first.flatMap { Int($0) } }.reduce(0, +)
        }

        func threads() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").count
        }
    }

    private static func line(_ name: String) -> String { #"{"domain":"\#(name).example.com","mode":"standard"}"# }

    /// A command line: a shell that sees a folder's files in /etc, and executes the arguments after the folder.
    private static let ownFiles = [
        "/usr/bin/unshare", "--map-root-user", "--mount", "sh", "-c",
        #"d=$1; shift; cd "$d"; for f in * ssl/*; do [ ! -e "$f" ] || [ "$f" = ssl ] || mount --bind "$f" "/etc/$f"; done; exec "$@""#,
        "sh",
    ]

    fileprivate static let canHaveOwnFiles: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["unshare", "--map-root-user", "--mount", "mount", "--bind", "/etc/hostname", "/etc/hosts"]
        process.standardError = FileHandle.nullDevice
        return (try? process.run()).map { process.waitUntilExit() } != nil && process.terminationStatus == 0
    }()

    @Test("Lines of one connection are answered in their order, though its input has ended")
    func order() throws {
        let target = try Target()
        let connection = try target.connect()
        let names = ["shop", "moved", "both", "shop"]
        for name in names { try connection.send(Self.line(name)) }
        connection.endInput()
        for name in names {
            #expect(try AssociationReport(line: try connection.line().utf8).domain == "\(name).example.com")
        }
        #expect(throws: (any Error).self) { try connection.line() }
    }

    @Test("As many sites are queried at a time as there are slots, and a client that hangs up frees its slot")
    func slots() throws {
        let target = try Target()
        var silent = try (0..<Limits.associationFetches).map { _ in
            let connection = try target.connect()
            try connection.send(Self.line("silent"))
            return connection
        }
        // Sent after them all: it is behind them, and waits.
        let waiting = try target.connect()
        try waiting.send(Self.line("shop"))
        silent.removeFirst()
        #expect(try AssociationReport(line: try waiting.line().utf8).lists("org.example.Shop"))
        #expect(silent.count == Limits.associationFetches - 1)
    }

    @Test("Whatever the environment contains, no proxy is used and no file of passwords read")
    func environment() throws {
        let listener = try PlainListener()
        let proxy = "http://ann:secret@127.0.0.1:\(listener.port)"
        let names = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "http_proxy"]
        let target = try Target(environment: Dictionary(uniqueKeysWithValues: names.map { ($0, proxy) }))
        #expect(try target.report("shop").lists("org.example.Shop"))
        #expect(!listener.hasVisitor)
    }

    @Test(
        "A name that leads to addresses that are not public is not connected to, and of several the open one is",
        .enabled(if: AssociationServerTests.canHaveOwnFiles, "needs namespaces"))
    func resolvedNames() throws {
        let hosts = """
            127.0.0.2 loop.example.com
            10.0.0.1 home.example.com
            ::1 six.example.com
            ::ffff:127.0.0.1 mapped.example.com
            169.254.169.254 cloud.example.com
            127.0.0.2 shop.example.com
            10.0.0.1 shop.example.com
            127.0.0.1 shop.example.com
            """
        // Names are resolved by this file only, and by no name server.
        let target = try Target(address: nil, files: ["hosts": hosts + "\n", "nsswitch.conf": "hosts: files\n"])
        for name in ["loop", "home", "six", "cloud"] {
            let files = try target.report(name).files
            #expect(files.map(\.failureKind) == [.addressNotPublic, .addressNotPublic], "\(name)")
            #expect(files.allSatisfy { $0.detail?.hasPrefix("\(name).example.com leads to ") == true }, "\(files)")
        }
        // One that getaddrinfo leaves out, or returns as IPv6.
        let mapped = try target.report("mapped").files
        #expect(
            mapped.allSatisfy { $0.failureKind == .addressNotPublic || $0.failureKind == .nameNotFound }, "\(mapped)")
        #expect(try target.report("nobody").files.map(\.failureKind) == [.nameNotFound, .nameNotFound])
        #expect(try target.report("shop").lists("org.example.Shop"))
    }

    @Test(
        "A name server that never answers costs its own query the time limit, and no other query anything",
        .enabled(if: AssociationServerTests.canHaveOwnFiles, "needs namespaces"))
    func silentNameServer() throws {
        let script = TestSites.folder + "silent_names.py"
        let network = [
            "/usr/bin/unshare", "--map-root-user", "--net", "sh", "-c", #"python3 "$0" && exec "$@""#, script,
        ]
        let target = try Target(
            timeLimit: 8000, address: nil,
            files: ["resolv.conf": "nameserver 127.0.0.1\n", "nsswitch.conf": "hosts: dns\n"], network: network)
        let waiting = try (0..<Limits.associationFetches - 1).map { number in
            let connection = try target.connect()
            try connection.send(Self.line("site-\(number)"))
            return connection
        }
        let other = try target.connect()
        try other.send(#"{"domain":"localhost","mode":"standard"}"#)
        #expect(try other.line().contains("name-not-allowed"))
        for connection in waiting {
            var ready = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
            #expect(poll(&ready, 1, 0) == 0)
        }
        for connection in waiting {
            let report = try AssociationReport(line: try connection.line().utf8)
            #expect(report.files.map(\.failureKind) == [.timedOut, .timedOut])
        }
    }

    @Test(
        "The authorities of the system count, whether they are found by their hash or in one file",
        .enabled(if: AssociationServerTests.canHaveOwnFiles, "needs namespaces"),
        arguments: ["f7f47202.0", "ca-certificates.crt"])
    func systemAuthorities(file: String) throws {
        let authority = try String(contentsOfFile: TestSites.authority, encoding: .utf8)
        let target = try Target(authority: nil, files: ["ssl/certs/\(file)": authority])
        #expect(try target.report("shop").lists("org.example.Shop"))
        let unknown = try target.report("unknown")
        #expect(unknown.files.map(\.failureKind) == [.certificateInvalid, .certificateInvalid])
        // Here is the system of this machine, which does not know the tests' authority.
        let stranger = try Target(authority: nil).report("shop")
        #expect(stranger.files.map(\.failureKind) == [.certificateInvalid, .certificateInvalid])
    }

    @Test(
        "Where the system has no authorities, that is reported, and not that a test's cannot be read",
        .enabled(if: AssociationServerTests.canHaveOwnFiles, "needs namespaces"))
    func noSystemAuthorities() throws {
        let report = try Target(authority: nil, files: ["ssl/certs/none": ""]).report("shop")
        #expect(report.files.map(\.failureKind) == [.tlsFailed, .tlsFailed])
        #expect(
            report.files.allSatisfy {
                $0.detail == "The list of the system's certificate authorities cannot be read"
            })
    }

    @Test("The resources of queries are released: memory, descriptors, threads")
    func memory() throws {
        let target = try Target(timeLimit: 300)
        let names = ["exact", "huge", "expired", "endless", "flood", "shop", "moved", "short"]
        for name in names { _ = try target.report(name) }
        let before = try target.privateKilobytes()
        for _ in 0..<32 { for name in names { _ = try target.report(name) } }
        #expect(try target.privateKilobytes() - before < 2048)
        let silent = try (0..<256).map { _ in
            let connection = try target.connect()
            try connection.send(Self.line("silent"))
            return connection
        }
        for connection in silent.suffix(3) { #expect(try connection.line().contains("timed-out")) }
        for connection in silent { connection.close() }
        // The resources of clients that hung up are released after the first answer, and before the second.
        for _ in 0..<2 { _ = try target.report("shop") }
        #expect(try target.privateKilobytes() - before < 2048)
        #expect(try target.threads() == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "/proc/\(target.process)/fd").count < 16)
    }

    @Test("It ends when no client was connected for a while, and not before")
    func idle() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let listener = try UnixListener(at: folder + "/a")
        let connection = try SocketConnection(to: folder + "/a")
        try connection.send(#"{"domain":"localhost","mode":"standard"}"#)
        connection.endInput()
        let fetcher = try AssociationFetcher()
        try AssociationServer(fetcher: fetcher, descriptor: listener.descriptor, idleLimit: .milliseconds(50)).serve()
        #expect(try connection.line().contains("name-not-allowed"))
    }
}
