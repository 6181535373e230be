// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import ConfigurationFiles
import Glibc

/// The paths of registrations and settings.
struct RegistrationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A directory of registrations, instead of the default ones; may be repeated.", valueName: "dir"))
    var registrations: [String] = []

    func directories() throws(CommandFailure) -> [String] {
        registrations.isEmpty ? try Self.standardDirectories() : registrations
    }

    private static func standardDirectories() throws(CommandFailure) -> [String] {
        try standardPath { paths throws(StandardPathsError) in try paths.registrationDirectories }
    }

    /// The user's own directory, to which registrations are written: the last one named, else the default.
    func ownDirectory() throws(CommandFailure) -> UserRegistrations {
        if let directory = registrations.last { return UserRegistrations(directory: directory, userID: geteuid()) }
        let usual = try standardPath { paths throws(StandardPathsError) in try paths.userRegistrations }
        return UserRegistrations(directory: usual, userID: geteuid())
    }

    func catalog() throws(CommandFailure) -> RegistrationCatalog {
        RegistrationDirectories(try directories(), userID: geteuid()).catalog
    }

    /// What is registered in the default directories.
    static func standardCatalog() throws(CommandFailure) -> RegistrationCatalog {
        RegistrationDirectories(try standardDirectories(), userID: geteuid()).catalog
    }
}

/// One of the default paths, from the environment.
func standardPath<Path>(
    _ path: (StandardPaths) throws(StandardPathsError) -> Path
) throws(CommandFailure) -> Path {
    do throws(StandardPathsError) {
        return try path(StandardPaths(environment: ProcessEnvironment.current.variables))
    } catch {
        throw CommandFailure(.usage, error.reason, fix: error.fix)
    }
}

extension BundleIdentifier {
    /// A bundle ID from the command line; also one that the daemon has assigned.
    init(argument: String) throws(CommandFailure) {
        do throws(BundleIdentifierError) {
            try self.init(argument, allowingReserved: Self.isOfSecretService(argument))
        } catch {
            throw CommandFailure(.usage, "\(argument.quoted) is not a bundle ID: \(error.reason)", fix: error.fix)
        }
    }
}

extension DomainName {
    /// A domain from the command line.
    init(argument: String) throws(CommandFailure) {
        do throws(DomainNameError) {
            try self.init(argument)
        } catch {
            let host = argument.split(separator: "://", maxSplits: 1).last?.prefix { $0 != "/" }.split(separator: "@")
                .last
            let meant = host.flatMap { try? DomainName(String($0)) }?.text
            throw CommandFailure(
                .usage, "\(argument.quoted) is not a domain: \(error.reason)",
                fix: meant.map { CommandLineFix.fix(argument, $0) } ?? error.fix)
        }
    }
}
