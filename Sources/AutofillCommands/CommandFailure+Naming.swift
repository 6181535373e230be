// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import ConfigurationFiles
import Reasons

extension CommandFailure {
    /// Itself, with the command that was probably meant as its fix, if an argument is nearly the name of a registered
    /// app or of one of the app's domains.
    func naming(_ arguments: [String]) -> CommandFailure {
        guard let first = problems.first, let reason = first.code.flatMap({ Reason(rawValue: $0) }),
            [.appNotRegistered, .domainNotAssociated].contains(reason),
            let catalog = try? RegistrationOptions.standardCatalog()
        else { return self }
        let names =
            reason == .appNotRegistered
            ? catalog.registrations.map(\.bundleID.text)
            : catalog.registrations.filter { arguments.contains($0.bundleID.text) }
                .flatMap(\.entitlements.associatedDomains).filter { !$0.isWildcard }.map(\.domain.text)
        for argument in arguments where !names.contains(argument) && !argument.hasPrefix("-") {
            guard let near = argument.nearest(of: names) else { continue }
            let meant = Problem(
                code: first.code, message: first.message, fix: CommandLineFix.fix(argument, near, in: arguments))
            return CommandFailure(status, [meant] + problems.dropFirst())
        }
        return self
    }
}
