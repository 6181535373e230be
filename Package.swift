// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let nio: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let posix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let locks: Target.Dependency = .product(name: "NIOConcurrencyHelpers", package: "swift-nio")
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let sqlite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let httpClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")
let http1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let tls: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let signals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")

/// A room and what it may import. README.md, "For contributors", says why; Tests/layers holds this file to Tests/layers.txt.
func room(_ name: String, _ dependencies: Target.Dependency..., exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude)
}

func tests(_ name: String, _ dependencies: Target.Dependency..., exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude)
}

let package = Package(
    name: "autofilld",
    products: [
        .library(name: "AutofillClient", targets: ["AutofillClient", "PasswordRules"]),
        .executable(name: "autofilld", targets: ["autofilld"]),
        .executable(name: "autofill-associations", targets: ["autofill-associations"]),
        .executable(name: "autofillctl", targets: ["autofillctl"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
    ],
    targets: [
        // The core: no I/O, plain values.
        room("Reasons"),
        room("PasswordRules"),
        room("AssociatedDomains", exclude: ["registration.schema.json"]),
        room("PeerIdentity"),
        .target(name: "CAutofillLinux"),
        room("SecretMemory", "CAutofillLinux"),
        room("Credentials", "SecretMemory"),
        room("Forms"),
        room("Settings", "AssociatedDomains"),
        room("SiteKnowledge", "AssociatedDomains", "PasswordRules"),
        room("AutofillPolicy", "AssociatedDomains", "Forms", "Reasons"),
        room("AutofillProtocol", "Reasons", "SecretMemory"),
        // The edges: one kind of I/O each.
        room("ConfigurationFiles", "AssociatedDomains", "Settings", "SiteKnowledge", "AutofillProtocol"),
        room("PeerInspection", "PeerIdentity", "CAutofillLinux", crypto),
        .target(name: "CSealing"),
        room(
            "CredentialStorage", "CAutofillLinux", "CSealing", "Credentials", "SecretMemory", grdb, sqlite, crypto,
            cryptoExtras,
            exclude: ["Vault-format.md"]),
        room("OneTimeCodes", "SecretMemory", crypto),
        room("Systemd", "CAutofillLinux"),
        room("Prompting", "CAutofillLinux", "SecretMemory"),
        room("AssociationSocket", "AutofillProtocol", nio, posix),
        room("AssociationFetch", "AssociatedDomains", "AutofillProtocol", httpClient, http1, tls, nio, posix),
        // The server.
        room(
            "AutofillService", "AssociatedDomains", "AutofillPolicy", "AutofillProtocol", "ConfigurationFiles",
            "CredentialStorage", "Credentials", "Forms", "OneTimeCodes", "PasswordRules", "PeerIdentity", "Prompting",
            "Reasons", "SecretMemory", "Settings", "SiteKnowledge", deque),
        room(
            "AutofillServer", "AutofillProtocol", "AutofillService", "PeerIdentity", "PeerInspection", "Reasons",
            "SecretMemory", nio, posix, locks),
        .executableTarget(
            name: "autofilld",
            dependencies: [
                "AssociatedDomains", "AssociationSocket", "AutofillProtocol", "AutofillServer", "AutofillService",
                "ConfigurationFiles", "CredentialStorage", "Credentials", "PeerInspection", "Prompting", "Reasons",
                "SecretMemory", "Settings", "Systemd",
                arguments, signals,
            ]),
        .executableTarget(
            name: "autofill-associations",
            dependencies: ["AssociationFetch", "AutofillProtocol", "Systemd", arguments]),
        // The client.
        room("AutofillClient", "AutofillProtocol", "PasswordRules", "Reasons", "SecretMemory"),
        room(
            "AutofillCommands", "AssociatedDomains", "AutofillClient", "AutofillPolicy", "AutofillProtocol",
            "ConfigurationFiles", "PasswordRules", "Reasons", "SecretMemory", "Settings",
            "SiteKnowledge", arguments),
        .executableTarget(name: "autofillctl", dependencies: ["AutofillCommands"]),
        // The tests, a target a room. TestGround has what tests of any room stand on, Support what those of the service
        // share; peer-fixture is a program that they inspect.
        .target(name: "TestGround", path: "Tests/Ground"),
        .target(
            name: "Support",
            dependencies: [
                "AutofillProtocol", "AutofillService", "ConfigurationFiles", "CredentialStorage", "Credentials",
                "PeerIdentity", "Prompting", "Reasons", "SecretMemory", "Settings",
            ], path: "Tests/Support"),
        .executableTarget(name: "peer-fixture", path: "Tests/PeerFixture"),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "AssociatedDomains", "AssociationFetch", "AutofillProtocol", "ConfigurationFiles", "CredentialStorage",
                "Credentials", "Forms", "OneTimeCodes", "PeerIdentity", "SecretMemory", "Settings", "Support",
            ], path: "Tests/Fuzz/FuzzTargets"),
        tests("ReasonsTests", "Reasons"),
        tests("SecretMemoryTests", "SecretMemory"),
        tests("CredentialsTests", "Credentials"),
        tests("FormsTests", "Forms"),
        tests("PasswordRulesTests", "TestGround", "PasswordRules", exclude: ["Fixtures"]),
        tests("AssociatedDomainsTests", "AssociatedDomains"),
        tests("SettingsTests", "AssociatedDomains", "Settings"),
        tests("SiteKnowledgeTests", "AssociatedDomains", "ConfigurationFiles", "SiteKnowledge"),
        tests("AutofillPolicyTests", "AutofillPolicy", "Forms", "Reasons"),
        tests("AutofillProtocolTests", "TestGround", "AutofillProtocol", "SecretMemory"),
        tests("ConfigurationFilesTests", "AssociatedDomains", "ConfigurationFiles", "Settings"),
        tests("PeerIdentityTests", "TestGround", "PeerIdentity"),
        tests("PeerInspectionTests", "TestGround", "PeerIdentity", "PeerInspection", "peer-fixture", crypto),
        tests("OneTimeCodesTests", "TestGround", "OneTimeCodes", "SecretMemory"),
        tests(
            "SystemdTests", "CredentialStorage", "Credentials", "SecretMemory", "Systemd", "autofillctl", "autofilld"),
        tests("PromptingTests", "TestGround", "Prompting", "SecretMemory", "Support"),
        tests(
            "AssociationFetchTests", "AssociatedDomains", "AssociationFetch", "AutofillProtocol", "Support",
            "autofill-associations", exclude: ["Certificates", "site.py"]),
        tests(
            "CredentialStorageTests", "TestGround", "CredentialStorage", "Credentials", "SecretMemory", crypto, grdb,
            sqlite,
            exclude: ["Fixtures", "independent_reader.py"]),
        tests(
            "AutofillServiceTests", "TestGround", "AutofillProtocol", "AutofillService", "ConfigurationFiles",
            "CredentialStorage",
            "Credentials", "PeerIdentity", "Prompting", "Reasons", "SecretMemory", "Settings", "Support"),
        tests(
            "AutofillServerTests", "TestGround", "AutofillProtocol", "AutofillServer", "AutofillService",
            "PeerIdentity",
            "PeerInspection", "Prompting", "Support"),
        tests(
            "AutofillCommandsTests", "TestGround", "AutofillCommands", "AutofillProtocol", "autofillctl", "autofilld",
            arguments),
        tests(
            "AutofillClientTests", "TestGround", "AutofillClient", "AutofillCommands", "AutofillProtocol",
            "PasswordRules", "autofilld"),
        tests(
            "DocumentationTests", "TestGround", "AssociatedDomains", "AutofillClient", "AutofillCommands",
            "AutofillPolicy",
            "AutofillProtocol", "AutofillService", "Credentials", "Prompting", "Reasons", "Settings", "Support",
            "autofillctl", "autofilld"),
        tests(
            "DaemonTests", "TestGround", "CredentialStorage", "Credentials", "SecretMemory", "Support", "autofillctl",
            "autofilld"),
        tests("FuzzTests", "FuzzTargets"),
    ]
)

// Built only when asked for: what measures, and what fuzzes. README.md has the commands.
if Context.environment["AUTOFILL_BENCH"] == "1" {
    package.targets += [
        .executableTarget(
            name: "RulesBenchmark", dependencies: ["PasswordRules", "SecretMemory"],
            path: "Tests/Benchmarks/RulesBenchmark"),
        .executableTarget(
            name: "VaultBenchmark",
            dependencies: ["BenchmarkSupport", "CredentialStorage", "Credentials", "SecretMemory"],
            path: "Tests/Benchmarks/VaultBenchmark"),
        .target(name: "BenchmarkSupport", dependencies: [sqlite], path: "Tests/Benchmarks/BenchmarkSupport"),
        .executableTarget(name: "BareEcho", path: "Tests/Benchmarks/BareEcho"),
        .target(name: "CLoad", path: "Tests/Benchmarks/CLoad"),
        .executableTarget(
            name: "AutofillBenchmark",
            dependencies: [
                "BenchmarkSupport", "CLoad", "CredentialStorage", "Credentials", "PasswordRules", "SecretMemory",
                arguments,
            ], path: "Tests/Benchmarks/AutofillBenchmark"),
    ]
}
if Context.environment["AUTOFILL_FUZZ"] == "1" {
    let linked: [LinkerSetting] = [.unsafeFlags(["-sanitize=address,fuzzer"])]
    let library: [SwiftSetting] = [.unsafeFlags(["-parse-as-library"])]
    package.targets += [
        .executableTarget(
            name: "PasswordRulesFuzz", dependencies: ["PasswordRules"], path: "Tests/Fuzz/PasswordRulesFuzz",
            swiftSettings: library, linkerSettings: linked),
        .executableTarget(
            name: "JSONFuzz", dependencies: ["AutofillProtocol", "SecretMemory"], path: "Tests/Fuzz/JSONFuzz",
            swiftSettings: library, linkerSettings: linked),
        .executableTarget(
            name: "AutofillFuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/AutofillFuzz",
            swiftSettings: library, linkerSettings: linked),
    ]
    // The rooms under test count their edges too. (Swift 6.3's own choice of counters is one that libFuzzer gave up.)
    let counted = [
        "PasswordRules", "AutofillProtocol", "AssociatedDomains", "AssociationFetch", "ConfigurationFiles",
        "CredentialStorage", "Forms", "OneTimeCodes", "PeerIdentity", "Settings", "AutofillPolicy", "AutofillService",
        "FuzzTargets", "PasswordRulesFuzz", "JSONFuzz",
        "AutofillFuzz",
    ]
    for target in package.targets where counted.contains(target.name) {
        let counters = ["inline-8bit-counters", "pc-table", "trace-pc-guard=0"].flatMap {
            ["-Xllvm", "-sanitizer-coverage-\($0)"]
        }
        target.swiftSettings =
            (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize=address,fuzzer"] + counters)]
    }
}

// The rooms that need no product, with their tests, and no package to fetch: what CI builds again for the sanitizers.
if Context.environment["AUTOFILL_CORE"] == "1" {
    let core: Set = [
        "Reasons", "PasswordRules", "AssociatedDomains", "PeerIdentity", "CAutofillLinux", "SecretMemory",
        "Credentials",
        "Forms", "Settings", "SiteKnowledge", "AutofillPolicy", "AutofillProtocol", "ConfigurationFiles", "TestGround",
    ]
    package.products = []
    package.dependencies = []
    package.targets.removeAll { target in
        let standsOnCore = target.dependencies.allSatisfy { dependency in
            if case .byNameItem(let name, _) = dependency { core.contains(name) } else { false }
        }
        return !(core.contains(target.name) || target.type == .test) || !standsOnCore
    }
}

// One set of settings for all: the language's next defaults, and no warning left standing.
for target in package.targets where !["CAutofillLinux", "CSealing", "BareEcho", "CLoad"].contains(target.name) {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            .treatAllWarnings(as: .error),
        ]
}
