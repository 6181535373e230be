// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillProtocol

/// Where a credential is for beside the site that it was saved for.
struct FurtherSiteOptions: ParsableArguments {
    @Option(
        name: .customLong("also-at"),
        help: ArgumentHelp(
            "Another site that it is for, a domain, https://localhost:8443 or url:TEXT; may be given more than once.",
            valueName: "site"))
    var added: [String] = []

    @Option(
        name: .customLong("not-at"),
        help: ArgumentHelp(
            "A site of --also-at that it is for no more; may be given more than once.", valueName: "site"))
    var removed: [String] = []

    /// Whether nothing of this was asked for.
    var isEmpty: Bool { added.isEmpty && removed.isEmpty }

    /// The sites that the options name.
    func read() throws(CommandFailure) -> Change {
        var change = Change()
        for site in added { change.added.append(try Self.service(site)) }
        for site in removed { change.removed.append(try Self.service(site)) }
        return change
    }

    /// No keychain items, and no address with a path but where `url:` says that it is meant so.
    private static func service(_ text: String) throws(CommandFailure) -> ServiceIdentifier {
        let service = try ServiceIdentifier(argument: text)
        let isMeant = service.type == "url" ? text.hasPrefix("url:") : service.type != "keychain"
        return isMeant ? service : ServiceIdentifier(try DomainName(argument: text))
    }

    struct Change {
        var added: [ServiceIdentifier] = []
        var removed: [ServiceIdentifier] = []

        /// All that it is for afterwards, beginning with the one that it was saved for; nil where that is as before.
        func changed(_ services: [SavedService]) throws(CommandFailure) -> [SavedService]? {
            for site in removed {
                guard let place = services.firstIndex(where: { $0.service == site }) else {
                    throw CommandFailure(
                        .notFound, "It is not for \(site.value.quoted)", fix: "See its sites: autofillctl get")
                }
                guard place > 0 else {
                    throw CommandFailure(
                        .usage, "\(site.value.quoted) is the site that it was saved for",
                        fix: "Save it for the other site, and delete this one")
                }
            }
            let kept = services.filter { !removed.contains($0.service) }
            let new = added.filter { site in !kept.contains { $0.service == site } }.map { SavedService($0) }
            return new.isEmpty && kept.count == services.count ? nil : kept + new
        }
    }
}
