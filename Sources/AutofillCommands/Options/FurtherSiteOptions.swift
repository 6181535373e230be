// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillProtocol

/// The further sites that a credential is used for.
struct FurtherSiteOptions: ParsableArguments {
    @Option(
        name: .customLong("also-at"),
        help: ArgumentHelp(
            "Also use it for this site, a domain, https://localhost:8443 or url:TEXT; may be given more than once.",
            valueName: "site"))
    var added: [String] = []

    @Option(
        name: .customLong("not-at"),
        help: ArgumentHelp(
            "Do not use it any more for this site of --also-at; may be given more than once.", valueName: "site"))
    var removed: [String] = []

    /// Whether no change is requested.
    var isEmpty: Bool { added.isEmpty && removed.isEmpty }

    /// The sites in the options.
    func read() throws(CommandFailure) -> Change {
        var change = Change()
        for site in added { change.added.append(try Self.service(site)) }
        for site in removed { change.removed.append(try Self.service(site)) }
        return change
    }

    /// No URL with a path unless it is prefixed by `url:`.
    private static func service(_ text: String) throws(CommandFailure) -> ServiceIdentifier {
        let service = try ServiceIdentifier(argument: text)
        let isAllowed = service.type != "url" || text.hasPrefix("url:")
        return isAllowed ? service : ServiceIdentifier(try DomainName(argument: text))
    }

    struct Change {
        var added: [ServiceIdentifier] = []
        var removed: [ServiceIdentifier] = []

        /// All its sites after the change, beginning with the one that it was saved for; nil if unchanged.
        func changed(_ services: [SavedService]) throws(CommandFailure) -> [SavedService]? {
            for site in removed {
                guard let index = services.firstIndex(where: { $0.service == site }) else {
                    throw CommandFailure(
                        .notFound, "It is not used for \(site.value.quoted)", fix: "See its sites: autofillctl get")
                }
                guard index > 0 else {
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
