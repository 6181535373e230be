// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

/// A module and what it may import. README.md, "For contributors", says why; Tests/layers holds this file to Tests/layers.txt.
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
        .executable(name: "autofill-credential", targets: ["autofill-credential"]),
        .executable(name: "autofill-browser", targets: ["autofill-browser"]),
        .executable(name: "autofill-secrets", targets: ["autofill-secrets"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        // The core: no I/O, plain values.
        room("Reasons"),
        room("PasswordRules"),
        room("AssociatedDomains", exclude: ["registration.schema.json"]),
        room("PeerIdentity"),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .target(name: "CAutofillLinux"),
        room("SecretMemory", "CAutofillLinux"),
        room("Credentials", "SecretMemory"),
        room("Forms"),
        room("Settings", "AssociatedDomains"),
        room("SiteKnowledge", "AssociatedDomains", "PasswordRules"),
        room("AutofillPolicy", "AssociatedDomains", "Forms", "Reasons"),
        room("AutofillProtocol", "Reasons", "SecretMemory"),
        // The edges: one kind of I/O each.
        room("PathInspection", "CAutofillLinux"),
        room(
            "ConfigurationFiles", "AssociatedDomains", "PathInspection", "Settings", "SiteKnowledge",
            "AutofillProtocol"),
        room("PeerInspection", "PathInspection", "PeerIdentity", "CAutofillLinux", crypto),
        .target(name: "CSealing"),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        room(
            "CredentialStorage", "CAutofillLinux", "CSealing", "CSQLite", "Credentials", "SecretMemory", crypto,
            cryptoExtras,
            exclude: ["Vault-format.md"]),
        room("OneTimeCodes", "SecretMemory", crypto),
        room("EventLoop", "CAutofillLinux", "CSystemd"),
        room("Systemd", "CAutofillLinux", "CSystemd", "EventLoop"),
        room("Prompting", "CAutofillLinux", "EventLoop", "SecretMemory"),
        room("AssociationSocket", "AutofillProtocol", "EventLoop"),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .target(name: "CCurlOptions", dependencies: ["CCurl"]),
        room("AssociationFetch", "AssociatedDomains", "AutofillProtocol", "CAutofillLinux", "CCurl", "CCurlOptions"),
        // The server.
        room(
            "AutofillService", "AssociatedDomains", "AutofillPolicy", "AutofillProtocol", "CAutofillLinux",
            "ConfigurationFiles",
            "CredentialStorage", "Credentials", "EventLoop", "Forms", "OneTimeCodes", "PasswordRules", "PeerIdentity",
            "Prompting", "Reasons", "SecretMemory", "Settings", "SiteKnowledge",
            exclude: ["Administration.md", "Further-methods.md"]),
        room(
            "AutofillMethods", "AssociatedDomains", "AutofillPolicy", "AutofillProtocol", "AutofillService",
            "ConfigurationFiles", "CredentialStorage", "Credentials", "Forms", "OneTimeCodes", "PasswordRules",
            "PeerIdentity", "Prompting", "Reasons", "SecretMemory", "Settings"),
        room(
            "AutofillServer", "AutofillProtocol", "AutofillService", "CAutofillLinux", "EventLoop", "PeerIdentity",
            "PeerInspection", "Reasons", "SecretMemory"),
        .target(name: "CWipingHeap"),
        .executableTarget(
            name: "autofilld",
            dependencies: [
                "AssociatedDomains", "AssociationSocket", "AutofillMethods", "AutofillProtocol", "AutofillServer",
                "AutofillService",
                "ConfigurationFiles", "CredentialStorage", "CWipingHeap", "EventLoop", "PeerIdentity", "PeerInspection",
                "Prompting",
                "Reasons", "SecretMemory", "Settings", "Systemd", arguments,
            ]),
        .executableTarget(
            name: "autofill-associations",
            dependencies: ["AssociationFetch", "AutofillProtocol", "Systemd"]),
        // The client.
        room("DaemonSocket"),
        room(
            "DaemonConnection", "AutofillProtocol", "CAutofillLinux", "DaemonSocket", "EventLoop", "SecretMemory"),
        room("AutofillClient", "AutofillProtocol", "DaemonSocket", "PasswordRules", "Reasons", "SecretMemory"),
        room(
            "AutofillCommands", "AssociatedDomains", "AutofillClient", "AutofillPolicy", "AutofillProtocol",
            "BrowserMessages",
            "ConfigurationFiles", "CredentialHelpers", "DaemonSocket", "PasswordRules", "Reasons", "SecretMemory",
            "Settings", "SiteKnowledge", "Systemd", arguments),
        .executableTarget(name: "autofillctl", dependencies: ["AutofillCommands"]),
        room("CredentialHelpers", "AutofillProtocol", "SecretMemory"),
        .executableTarget(
            name: "autofill-credential",
            dependencies: ["AutofillProtocol", "CAutofillLinux", "CredentialHelpers", "DaemonSocket", "SecretMemory"]),
        room("BrowserMessages", "AutofillProtocol"),
        .executableTarget(
            name: "autofill-browser",
            dependencies: [
                "AutofillProtocol", "BrowserMessages", "CAutofillLinux", "DaemonConnection", "DaemonSocket",
                "EventLoop",
                "SecretMemory",
            ]),
        .target(name: "CSecretSession"),
        room(
            "SecretService", "AutofillProtocol", "CAutofillLinux", "CSecretSession", "DaemonConnection", "DaemonSocket",
            "EventLoop", "SecretMemory", "Systemd", crypto),
        .executableTarget(
            name: "autofill-secrets",
            dependencies: ["AutofillProtocol", "CWipingHeap", "DaemonSocket", "EventLoop", "SecretService", "Systemd"]),
        // The tests, a target a module. TestGround has what tests of any module stand on, with a file system that hangs
        // when it is told to (Tests/FuseFixture), Support what those of the service share; peer-fixture is a program that
        // they inspect.
        .target(name: "TestGround", path: "Tests/Ground"),
        .target(
            name: "Support",
            dependencies: [
                "AutofillMethods", "AutofillProtocol", "AutofillService", "ConfigurationFiles", "CredentialStorage",
                "Credentials", "EventLoop", "PeerIdentity", "Prompting", "Reasons", "SecretMemory", "Settings",
            ], path: "Tests/Support"),
        .executableTarget(name: "peer-fixture", path: "Tests/PeerFixture"),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "AssociatedDomains", "AssociationFetch", "AutofillProtocol", "ConfigurationFiles", "CredentialStorage",
                "Credentials", "Forms", "OneTimeCodes", "PeerIdentity", "SecretMemory", "Settings", "Support",
            ], path: "Tests/Fuzz/FuzzTargets"),
        tests("GroundTests", "TestGround"),
        tests("ReasonsTests", "Reasons"),
        tests("SecretMemoryTests", "SecretMemory"),
        tests("CredentialsTests", "Credentials"),
        tests("FormsTests", "Forms"),
        tests("PasswordRulesTests", "TestGround", "PasswordRules", exclude: ["Fixtures"]),
        tests("AssociatedDomainsTests", "AssociatedDomains"),
        tests("SettingsTests", "AssociatedDomains", "Settings"),
        tests("SiteKnowledgeTests", "AssociatedDomains", "ConfigurationFiles", "SiteKnowledge"),
        tests("AutofillPolicyTests", "AutofillPolicy", "Forms", "Reasons"),
        .target(name: "JSONCases", dependencies: ["AutofillProtocol"], path: "Tests/JSONCases"),
        tests("AutofillProtocolTests", "TestGround", "AutofillProtocol", "JSONCases", "SecretMemory"),
        tests("PathInspectionTests", "TestGround", "PathInspection"),
        tests("ConfigurationFilesTests", "AssociatedDomains", "ConfigurationFiles", "PathInspection", "Settings"),
        tests("PeerIdentityTests", "TestGround", "PeerIdentity"),
        tests(
            "PeerInspectionTests", "TestGround", "CAutofillLinux", "PeerIdentity", "PeerInspection", "peer-fixture",
            crypto),
        tests("OneTimeCodesTests", "TestGround", "OneTimeCodes", "SecretMemory"),
        tests("EventLoopTests", "TestGround", "CAutofillLinux", "EventLoop"),
        tests(
            "SystemdTests", "CSystemd", "EventLoop", "CredentialStorage", "Credentials", "SecretMemory", "Systemd",
            "autofillctl", "autofilld"),
        tests("PromptingTests", "TestGround", "CAutofillLinux", "EventLoop", "Prompting", "SecretMemory"),
        tests("AssociationSocketTests", "TestGround", "AssociationSocket", "AutofillProtocol", "EventLoop"),
        tests(
            "AssociationFetchTests", "TestGround", "AssociatedDomains", "AssociationFetch", "AutofillProtocol",
            "Support", "autofill-associations", exclude: ["Certificates", "silent_names.py", "site.py"]),
        tests(
            "CredentialStorageTests", "TestGround", "CSQLite", "CredentialStorage", "Credentials", "SecretMemory",
            crypto,
            exclude: ["Fixtures", "independent_reader.py"]),
        tests(
            "AutofillServiceTests", "TestGround", "AutofillMethods", "AutofillProtocol", "AutofillService",
            "CAutofillLinux",
            "ConfigurationFiles", "CredentialStorage",
            "Credentials", "EventLoop", "PeerIdentity", "PeerInspection", "Prompting", "Reasons", "SecretMemory",
            "Settings", "Support"),
        tests(
            "AutofillServerTests", "TestGround", "AutofillProtocol", "AutofillServer", "AutofillService",
            "CredentialStorage", "EventLoop", "PeerIdentity", "PeerInspection", "Prompting", "Support", "peer-fixture"),
        tests(
            "AutofillCommandsTests", "TestGround", "AutofillCommands", "AutofillProtocol", "autofill-secrets",
            "autofillctl",
            "autofilld", "Systemd", arguments),
        tests(
            "AutofillClientTests", "TestGround", "AutofillClient", "AutofillCommands", "AutofillProtocol",
            "DaemonSocket", "PasswordRules", "autofilld", exclude: ["Interface.txt"]),
        tests(
            "DaemonConnectionTests", "TestGround", "AutofillProtocol", "DaemonConnection", "DaemonSocket", "EventLoop"),
        tests(
            "DocumentationTests", "TestGround", "AssociatedDomains", "AutofillClient", "AutofillCommands",
            "AutofillPolicy",
            "AutofillProtocol", "AutofillService", "Credentials", "DaemonSocket", "Prompting", "Reasons", "Settings",
            "Support", "autofillctl", "autofilld", exclude: ["Flows"]),
        tests(
            "DaemonTests", "TestGround", "CredentialStorage", "Credentials", "JSONCases", "SecretMemory", "Support",
            "autofillctl", "autofilld"),
        tests(
            "PythonClientTests", "TestGround", "Support", "autofillctl", "autofilld",
            exclude: ["backend_basics.py", "package_index.py"]),
        tests("CredentialHelpersTests", "AutofillProtocol", "CredentialHelpers", "SecretMemory"),
        tests(
            "HelperProgramTests", "TestGround", "CredentialHelpers", "Support", "autofill-credential", "autofillctl",
            "autofilld", exclude: ["cargo_registry.py", "docker_registry.py", "git_server.py"]),
        tests(
            "SecretServiceTests", "TestGround", "AutofillProtocol", "CSecretSession", "EventLoop", "SecretMemory",
            "SecretService", "Support", "Systemd", "autofill-secrets", "autofillctl", "autofilld"),
        tests(
            "SecretSuitesTests", "TestGround", "Support", "autofill-secrets", "autofillctl", "autofilld",
            exclude: [
                "chromium.sh", "isolation.py", "isolation_client.py", "keyring_backends.py", "libsecret_suite.py",
                "make_keyrings.py", "mock_service.py",
                "outside.sh", "preload.c", "seed.py", "stage.py",
            ]),
        tests("BrowserMessagesTests", "AutofillProtocol", "BrowserMessages"),
        tests(
            "WebExtensionTests", "TestGround", "Support", "BrowserMessages", "autofill-browser", "autofillctl",
            "autofilld",
            exclude: ["Driver", "Pages", "Screenshots"]),
        tests("FuzzTests", "FuzzTargets"),
    ]
)

// Built only when asked for: what measures, and what fuzzes. README.md has the commands.
if Context.environment["AUTOFILL_BENCH"] == "1" {
    package.targets += [
        .executableTarget(
            name: "RulesBenchmark", dependencies: ["Forms", "PasswordRules", "SecretMemory"],
            path: "Tests/Benchmarks/RulesBenchmark"),
        .executableTarget(
            name: "WireBenchmark", dependencies: ["AutofillProtocol", "SecretMemory"],
            path: "Tests/Benchmarks/WireBenchmark"),
        .executableTarget(
            name: "VaultBenchmark",
            dependencies: ["BenchmarkSupport", "CredentialStorage", "Credentials", "SecretMemory"],
            path: "Tests/Benchmarks/VaultBenchmark"),
        .target(name: "BenchmarkSupport", dependencies: ["CSQLite"], path: "Tests/Benchmarks/BenchmarkSupport"),
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
    // The modules under test count their edges too. (Swift 6.3's own choice of counters is one that libFuzzer gave up.)
    let counted = [
        "PasswordRules", "AutofillProtocol", "AssociatedDomains", "AssociationFetch", "ConfigurationFiles",
        "CredentialStorage", "Forms", "OneTimeCodes", "PeerIdentity", "Settings", "AutofillPolicy", "AutofillService",
        "AutofillMethods", "FuzzTargets", "PasswordRulesFuzz", "JSONFuzz",
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

// Modules that need no package, with their tests, and no package to fetch: what CI builds again for the sanitizers.
// Under AddressSanitizer those that use pointers and what these stand on; under ThreadSanitizer those that share state between
// threads. Left out are the core's other modules, plain values in which neither can find anything; Systemd and AssociationFetch,
// whose tests stand on the daemon and its packages; and under ThreadSanitizer AssociationSocket, which has the loop's thread alone.
if let sanitizer = Context.environment["AUTOFILL_CORE"] {
    let rooms: Set<String> =
        sanitizer == "thread"
        ? ["CAutofillLinux", "SecretMemory", "CSystemd", "EventLoop", "Prompting", "TestGround"]
        : [
            "Reasons", "PasswordRules", "AssociatedDomains", "CAutofillLinux", "SecretMemory", "Credentials",
            "Settings", "SiteKnowledge", "AutofillProtocol", "PathInspection", "ConfigurationFiles",
            "CSystemd", "EventLoop", "Prompting", "AssociationSocket", "TestGround", "JSONCases",
        ]
    package.products = []
    package.dependencies = []
    package.targets.removeAll { target in
        let standsOnThem = target.dependencies.allSatisfy { dependency in
            if case .byNameItem(let name, _) = dependency { rooms.contains(name) } else { false }
        }
        let isWanted = rooms.contains(target.name) || target.type == .test && target.name != "GroundTests"
        return !isWanted || !standsOnThem
    }
}

// One set of settings for all: the language's next defaults, and no warning left standing.
let ofC: Set = ["CAutofillLinux", "CCurlOptions", "CSealing", "CSecretSession", "CWipingHeap", "BareEcho", "CLoad"]
for target in package.targets where target.type != .system && !ofC.contains(target.name) {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            .treatAllWarnings(as: .error),
        ]
}
