// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

/// A module and what it may import. See Sources/README.md, "Structure"; Tests/layers compares this file with Tests/layers.txt.
func module(
    _ name: String, _ dependencies: Target.Dependency..., exclude: [String] = [], resources: [Resource] = []
) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, resources: resources)
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
        .executable(name: "autofill-convert", targets: ["autofill-convert"]),
        .executable(name: "autofill-sync", targets: ["autofill-sync"]),
    ],
    traits: [
        .trait(
            name: "ForeignLibraries",
            description: "autofill-convert with libraries for encrypted files, archives and QR codes."),
        .trait(
            name: "PasswordEstimates",
            description: "autofilld with libzxcvbn: how many guesses a saved password withstands."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        // The core: no I/O, plain values.
        module("Reasons"),
        module("PasswordRules"),
        module("AssociatedDomains", exclude: ["registration.schema.json"]),
        module("PeerIdentity"),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .target(name: "CAutofillLinux"),
        module("SecretMemory", "CAutofillLinux"),
        module("Credentials", "SecretMemory"),
        module("Forms"),
        module("Settings", "AssociatedDomains"),
        module("SiteKnowledge", "AssociatedDomains", "PasswordRules"),
        module("AutofillPolicy", "AssociatedDomains", "Forms", "Reasons"),
        module("AutofillProtocol", "Reasons", "SecretMemory"),
        module("SyncMerge", "Credentials", "SecretMemory"),
        // The edges: one kind of I/O each.
        module("PathInspection", "CAutofillLinux"),
        module(
            "ConfigurationFiles", "AssociatedDomains", "PathInspection", "Settings", "SiteKnowledge",
            "AutofillProtocol"),
        module("PeerInspection", "PathInspection", "PeerIdentity", "CAutofillLinux", crypto),
        .target(name: "CSealing"),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        module(
            "VaultFormat", "CAutofillLinux", "CSealing", "CSQLite", "Credentials", "SecretMemory", crypto,
            exclude: ["Vault-format.md"]),
        module(
            "SyncFiles", "Credentials", "SecretMemory", "SyncMerge", "VaultFormat", crypto,
            exclude: ["Sync-format.md"]),
        module(
            "CredentialStorage", "CSealing", "Credentials", "SecretMemory", "SyncFiles", "SyncMerge", "VaultFormat",
            crypto, cryptoExtras),
        module("VaultRecovery", "CSealing", "CredentialStorage", "Credentials", "SecretMemory", "VaultFormat"),
        // libzxcvbn, for the daemon alone: how many guesses a password withstands.
        .target(
            name: "CPasswordEstimate",
            cSettings: [.define("AF_PASSWORD_ESTIMATES", .when(traits: ["PasswordEstimates"]))],
            linkerSettings: [.linkedLibrary("zxcvbn", .when(traits: ["PasswordEstimates"]))]),
        module(
            "PasswordHealth", "AssociatedDomains", "CPasswordEstimate", "Credentials", "PasswordRules",
            "PathInspection", "SecretMemory", "SiteKnowledge", crypto),
        module("OneTimeCodes", "SecretMemory", crypto),
        module("EventLoop", "CAutofillLinux", "CSystemd"),
        module("Systemd", "CAutofillLinux", "CSystemd", "EventLoop"),
        // The session encryption of the Secret Service API, which both sides use.
        .target(name: "CSecretSession"),
        module("SecretSession", "CSecretSession", "SecretMemory", "Systemd", crypto),
        module("Prompting", "CAutofillLinux", "EventLoop", "SecretMemory"),
        module("AssociationSocket", "AutofillProtocol", "EventLoop"),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .target(name: "CCurlOptions", dependencies: ["CCurl"]),
        module("AssociationFetch", "AssociatedDomains", "AutofillProtocol", "CAutofillLinux", "CCurl", "CCurlOptions"),
        module("SyncCarrier", "AutofillProtocol", "CAutofillLinux", "PathInspection", crypto),
        // The server.
        module(
            "AutofillService", "AssociatedDomains", "AutofillPolicy", "AutofillProtocol", "CAutofillLinux",
            "ConfigurationFiles",
            "CredentialStorage", "Credentials", "EventLoop", "Forms", "OneTimeCodes", "PasswordHealth", "PasswordRules",
            "PeerIdentity", "Prompting", "Reasons", "SecretMemory", "Settings", "SiteKnowledge", "SyncFiles",
            "SyncMerge", "VaultRecovery",
            exclude: ["Administration.md", "Browsers.md", "Further-methods.md", "Helpers.md", "Keychain.md", "Sync.md"]),
        module(
            "AutofillMethods", "AssociatedDomains", "AutofillPolicy", "AutofillProtocol", "AutofillService",
            "ConfigurationFiles", "CredentialStorage", "Credentials", "Forms", "OneTimeCodes", "PasswordHealth",
            "PasswordRules", "PeerIdentity", "Prompting", "Reasons", "SecretMemory", "Settings", "VaultRecovery"),
        module(
            "AutofillServer", "AutofillProtocol", "AutofillService", "CAutofillLinux", "EventLoop", "PeerIdentity",
            "PeerInspection", "Reasons", "SecretMemory"),
        .target(name: "CWipingHeap"),
        .executableTarget(
            name: "autofilld",
            dependencies: [
                "AssociatedDomains", "AssociationSocket", "AutofillMethods", "AutofillProtocol", "AutofillServer",
                "AutofillService",
                "ConfigurationFiles", "CredentialStorage", "Credentials", "CWipingHeap", "EventLoop", "PeerIdentity",
                "PeerInspection",
                "Prompting",
                "Reasons", "SecretMemory", "Settings", "Systemd", arguments,
            ]),
        .executableTarget(
            name: "autofill-associations",
            dependencies: ["AssociationFetch", "AutofillProtocol", "Systemd"]),
        // The client.
        module("DaemonSocket"),
        module(
            "DaemonConnection", "AutofillProtocol", "CAutofillLinux", "DaemonSocket", "EventLoop", "SecretMemory"),
        module("AutofillClient", "AutofillProtocol", "DaemonSocket", "PasswordRules", "Reasons", "SecretMemory"),
        module(
            "RulesPlayground", "AutofillProtocol", "CAutofillLinux", "PasswordRules", "SecretMemory", "SiteKnowledge",
            exclude: ["Server.md"], resources: [.embedInCode("page.html")]),
        module(
            "AutofillCommands", "AssociatedDomains", "AutofillClient", "AutofillPolicy", "AutofillProtocol",
            "BrowserMessages", "CAutofillLinux", "ConfigurationFiles", "CredentialHelpers", "DaemonSocket",
            "PasswordRules", "Reasons", "RulesPlayground", "SecretMemory", "SecretSession", "Settings", "SiteKnowledge",
            "Systemd", arguments),
        .executableTarget(name: "autofillctl", dependencies: ["AutofillCommands"]),
        module("CredentialHelpers", "AutofillProtocol", "SecretMemory"),
        .executableTarget(
            name: "autofill-credential",
            dependencies: ["AutofillProtocol", "CAutofillLinux", "CredentialHelpers", "DaemonSocket", "SecretMemory"]),
        // Foreign formats.
        .target(
            name: "CForeignLibraries",
            cSettings: [.define("AF_FOREIGN_LIBRARIES", .when(traits: ["ForeignLibraries"]))],
            linkerSettings: ["gcrypt", "z", "expat", "archive", "qrencode"].map {
                .linkedLibrary($0, .when(traits: ["ForeignLibraries"]))
            }),
        module(
            "ForeignFormats", "AutofillProtocol", "CForeignLibraries", "CSQLite", "SecretMemory",
            exclude: ["Records.md"]),
        .executableTarget(
            name: "autofill-convert",
            dependencies: ["AutofillProtocol", "CAutofillLinux", "ForeignFormats", "SecretMemory"]),
        module("BrowserMessages", "AutofillProtocol"),
        .executableTarget(
            name: "autofill-browser",
            dependencies: [
                "AutofillProtocol", "BrowserMessages", "CAutofillLinux", "DaemonConnection", "DaemonSocket",
                "EventLoop",
                "SecretMemory",
            ]),
        module(
            "SecretService", "AutofillProtocol", "CAutofillLinux", "DaemonConnection", "DaemonSocket", "EventLoop",
            "PeerInspection", "SecretMemory", "SecretSession", "Systemd", crypto),
        .executableTarget(
            name: "autofill-secrets",
            dependencies: [
                "AutofillProtocol", "CWipingHeap", "DaemonSocket", "EventLoop", "SecretMemory", "SecretService",
                "Systemd",
            ]),
        .executableTarget(
            name: "autofill-sync",
            dependencies: [
                "AutofillProtocol", "CAutofillLinux", "EventLoop", "PathInspection", "SyncCarrier", "Systemd",
            ]),
        // The tests, a target a module. TestGround has the helpers of all tests, with a file system that hangs on
        // request (Tests/FuseFixture), Support those of the service's tests; peer-fixture is a program that they
        // inspect.
        .target(name: "TestGround", path: "Tests/Ground"),
        .target(
            name: "Support",
            dependencies: [
                "AutofillMethods", "AutofillProtocol", "AutofillService", "ConfigurationFiles", "CredentialStorage",
                "Credentials", "EventLoop", "PeerIdentity", "Prompting", "Reasons", "SecretMemory", "Settings",
            ], path: "Tests/Support"),
        .executableTarget(name: "peer-fixture", path: "Tests/PeerFixture"),
        .executableTarget(
            name: "playground-fixture", dependencies: ["CAutofillLinux", "RulesPlayground", "SiteKnowledge"],
            path: "Tests/PlaygroundFixture"),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "AssociatedDomains", "AssociationFetch", "AutofillProtocol", "ConfigurationFiles", "CredentialStorage",
                "Credentials", "ForeignFormats", "Forms", "OneTimeCodes", "PeerIdentity", "SecretMemory", "Settings",
                "Support", "SyncFiles", "SyncMerge", "VaultFormat", crypto, cryptoExtras,
            ], path: "Tests/Fuzz/FuzzTargets"),
        tests("GroundTests", "TestGround"),
        tests("ReasonsTests", "Reasons"),
        tests("SecretMemoryTests", "SecretMemory"),
        tests("CredentialsTests", "Credentials"),
        tests("FormsTests", "Forms"),
        tests("PasswordRulesTests", "TestGround", "PasswordRules", exclude: ["Fixtures"]),
        tests("AssociatedDomainsTests", "AssociatedDomains"),
        tests("SettingsTests", "AssociatedDomains", "Settings"),
        tests(
            "PasswordHealthTests", "TestGround", "Credentials", "PasswordHealth", "SecretMemory", "SiteKnowledge",
            crypto),
        tests("SiteKnowledgeTests", "AssociatedDomains", "ConfigurationFiles", "SiteKnowledge"),
        tests("AutofillPolicyTests", "AutofillPolicy", "Forms", "Reasons"),
        .target(name: "JSONCases", dependencies: ["AutofillProtocol"], path: "Tests/JSONCases"),
        tests("AutofillProtocolTests", "TestGround", "AutofillProtocol", "JSONCases", "SecretMemory"),
        tests("SyncMergeTests", "TestGround", "Credentials", "SecretMemory", "SyncMerge"),
        tests(
            "SyncFilesTests", "TestGround", "Credentials", "SecretMemory", "SyncFiles", "SyncMerge", "VaultFormat",
            crypto, exclude: ["Fixtures", "sync_reader.py"]),
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
            "SyncCarrierTests", "TestGround", "AutofillProtocol", "SyncCarrier", "SyncFiles", "autofill-sync", crypto),
        tests(
            "CredentialStorageTests", "TestGround", "CSQLite", "CredentialStorage", "Credentials", "SecretMemory",
            "SyncFiles", "SyncMerge", "VaultFormat", "VaultRecovery", crypto,
            exclude: ["Fixtures", "independent_reader.py"]),
        tests(
            "AutofillServiceTests", "TestGround", "AutofillMethods", "AutofillProtocol", "AutofillService",
            "CAutofillLinux",
            "ConfigurationFiles", "CredentialStorage",
            "Credentials", "EventLoop", "PeerIdentity", "PeerInspection", "Prompting", "Reasons", "SecretMemory",
            "Settings", "Support", "SyncMerge", "VaultFormat"),
        tests(
            "AutofillServerTests", "TestGround", "AutofillProtocol", "AutofillServer", "AutofillService",
            "CredentialStorage", "EventLoop", "PeerIdentity", "PeerInspection", "Prompting", "Support", "peer-fixture"),
        tests(
            "AutofillCommandsTests", "TestGround", "AutofillCommands", "AutofillProtocol", "autofill-convert",
            "autofill-secrets", "autofill-sync", "autofillctl",
            "autofilld", "Systemd", arguments),
        tests(
            "AutofillClientTests", "TestGround", "AutofillClient", "AutofillCommands", "AutofillProtocol",
            "DaemonSocket", "PasswordRules", "autofilld", exclude: ["Interface.txt"]),
        tests(
            "DaemonConnectionTests", "TestGround", "AutofillProtocol", "DaemonConnection", "DaemonSocket", "EventLoop"),
        tests(
            "DocumentationTests", "TestGround", "AssociatedDomains", "AutofillClient", "AutofillCommands",
            "AutofillPolicy", "AutofillProtocol", "AutofillService", "Credentials", "DaemonSocket", "PeerIdentity",
            "Prompting", "Reasons", "Settings",
            "Support", "autofillctl", "autofilld", exclude: ["Flows"]),
        tests(
            "DaemonTests", "TestGround", "CredentialStorage", "Credentials", "JSONCases", "SecretMemory", "Support",
            "VaultFormat", "autofill-sync", "autofillctl", "autofilld", exclude: ["Sync/nextcloud_server.py"]),
        tests(
            "PythonClientTests", "TestGround", "Support", "autofillctl", "autofilld",
            exclude: ["backend_basics.py", "package_index.py"]),
        tests("CredentialHelpersTests", "AutofillProtocol", "CredentialHelpers", "SecretMemory"),
        tests(
            "HelperProgramTests", "TestGround", "CredentialHelpers", "Support", "autofill-credential", "autofillctl",
            "autofilld", exclude: ["cargo_registry.py", "docker_registry.py", "git_server.py"]),
        tests(
            "SecretServiceTests", "TestGround", "AutofillProtocol", "CSecretSession", "EventLoop", "SecretMemory",
            "SecretService", "SecretSession", "Support", "Systemd", "autofill-secrets", "autofillctl", "autofilld"),
        tests(
            "SecretSuitesTests", "TestGround", "Support", "autofill-secrets", "autofillctl", "autofilld",
            exclude: [
                "chromium.sh", "isolation.py", "isolation_client.py", "keyring_backends.py", "libsecret_suite.py",
                "make_keyrings.py", "mock_service.py",
                "outside.sh", "preload.c", "seed.py", "stage.py",
            ]),
        tests(
            "RulesPlaygroundTests", "TestGround", "AutofillProtocol", "PasswordRules", "RulesPlayground",
            "SiteKnowledge", "playground-fixture"),
        tests(
            "ForeignFormatsTests", "AutofillProtocol", "ForeignFormats", "SecretMemory", "TestGround",
            "autofill-convert"),
        tests("BrowserMessagesTests", "AutofillProtocol", "BrowserMessages"),
        tests(
            "WebExtensionTests", "TestGround", "Support", "BrowserMessages", "autofill-browser", "autofillctl",
            "autofilld",
            exclude: ["Applications", "Driver", "Pages", "Screenshots", "Types"]),
        tests("FuzzTests", "FuzzTargets"),
    ]
)

// What systemd/build --all builds: the programs, and nothing of the tests.
if Context.environment["AUTOFILL_PROGRAMS"] == "1" {
    package.targets.removeAll { $0.type == .test || $0.path?.hasPrefix("Tests/") == true }
}

// Built only on request: benchmarks and fuzzers. Sources/README.md has the commands.
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
            dependencies: [
                "BenchmarkSupport", "CredentialStorage", "Credentials", "SecretMemory", "SyncCarrier", "SyncFiles",
                "SyncMerge",
            ], path: "Tests/Benchmarks/VaultBenchmark"),
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
    // The modules under test count their edges too. (libFuzzer does not support the counters that Swift 6.3 uses by
    // default any more.)
    let counted = [
        "PasswordRules", "AutofillProtocol", "AssociatedDomains", "AssociationFetch", "ConfigurationFiles",
        "VaultFormat", "CredentialStorage", "VaultRecovery", "ForeignFormats", "Forms", "OneTimeCodes",
        "PeerIdentity", "Settings", "SyncFiles", "SyncMerge", "AutofillPolicy", "AutofillService", "AutofillMethods",
        "FuzzTargets",
        "PasswordRulesFuzz", "JSONFuzz",
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

// Modules that need no package, with their tests, and no package to fetch: CI builds them again for the sanitizers.
// Under AddressSanitizer those that use pointers and their dependencies; under ThreadSanitizer those with state that
// several threads use. Excluded are the core's other modules, plain values in which neither can find anything; Systemd
// and AssociationFetch, whose tests depend on the daemon and its packages; and under ThreadSanitizer AssociationSocket,
// which uses only the loop's thread. For Tests/mutate the merge with its tests.
if let core = Context.environment["AUTOFILL_CORE"] {
    let modules: Set<String> =
        switch core {
        case "thread": ["CAutofillLinux", "SecretMemory", "CSystemd", "EventLoop", "Prompting", "TestGround"]
        case "merge": ["CAutofillLinux", "SecretMemory", "Credentials", "SyncMerge", "TestGround"]
        default:
            [
                "Reasons", "PasswordRules", "AssociatedDomains", "CAutofillLinux", "SecretMemory", "Credentials",
                "Settings", "SiteKnowledge", "AutofillProtocol", "PathInspection", "ConfigurationFiles",
                "CSystemd", "EventLoop", "Prompting", "AssociationSocket", "TestGround", "JSONCases",
            ]
        }
    package.products = []
    package.dependencies = []
    package.targets.removeAll { target in
        let dependsOnThem = target.dependencies.allSatisfy { dependency in
            if case .byNameItem(let name, _) = dependency { modules.contains(name) } else { false }
        }
        let isTest = core == "merge" ? target.name == "SyncMergeTests" : target.name != "GroundTests"
        let isIncluded = modules.contains(target.name) || target.type == .test && isTest
        return !isIncluded || !dependsOnThem
    }
}

// One set of settings for all: the language's next defaults, and warnings are errors.
let ofC: Set = [
    "CAutofillLinux", "CCurlOptions", "CForeignLibraries", "CPasswordEstimate", "CSealing", "CSecretSession",
    "CWipingHeap", "BareEcho", "CLoad",
]
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
