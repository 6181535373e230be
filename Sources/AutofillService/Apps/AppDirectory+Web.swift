// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import ConfigurationFiles
internal import CredentialStorage
package import Credentials
internal import SiteKnowledge

/// Services that are no associated domains: what browsers and credential helpers ask for.
extension AppDirectory {
    /// A string of a credential helper's, byte for byte.
    static func checkedAddress(_ text: String, member: String) throws(Unsettled) -> String {
        guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw .invalid("\(member).value", "a string without control characters")
        }
        // It is logged: a password in it would be too.
        guard !namesPassword(text) else {
            throw .invalid("\(member).value", "an address without a password before its host")
        }
        // Of two strings that are canonically equivalent only one is taken, so that no two are ever the same service.
        guard text.isInNFC else { throw .invalid("\(member).value", "a string in Unicode's normalization form C") }
        return text
    }

    /// Whether an address has `user:password@` before its host (RFC 3986, section 3.2.1).
    private static func namesPassword(_ text: String) -> Bool {
        guard let slashes = text.utf8.firstIndex(of: UInt8(ascii: ":")).map({ text.utf8[$0...] }),
            slashes.starts(with: "://".utf8)
        else { return false }
        let authority = slashes.dropFirst(3).prefix { !"/?#".utf8.contains($0) }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return false }
        return authority[..<at].contains(UInt8(ascii: ":"))
    }

    /// An origin in canonical form; nil for one that is none of a web page.
    static func origin(_ text: String, member: String) throws(Unsettled) -> WebOrigin? {
        do throws(WebOriginError) {
            return try WebOrigin(text)
        } catch {
            switch error {
            case .opaque, .notWeb: return nil
            default: throw .invalid("\(member).value", because: error.reason, fix: error.fix)
            }
        }
    }

    /// That of the whole page around a frame; nil where none was named, or it is none of a web page.
    func topOrigin(_ request: RequestView) throws(Unsettled) -> WebOrigin? {
        guard let top = request.page.topOrigin else { return nil }
        guard Service.Kind(rawValue: top.type) == .origin else { throw .invalid("context.topOrigin.type", "origin") }
        return try Self.origin(top.value, member: "context.topOrigin")
    }

    /// The page around a frame as it is shown to the user; nil where it is of the frame's own site.
    func foreignTop(of service: Service, _ request: RequestView) -> String? {
        guard let text = request.page.topOrigin?.value else { return nil }
        guard let top = try? WebOrigin(text) else { return text }
        return granted(savedService(of: top), request.app) == granted(service, request.app) ? nil : top.text
    }

    /// Under what is saved what belongs to an origin: a host's that somebody registered and that is served over https is its
    /// domain's, so that the site's apps share it; everything else is the origin's own.
    func savedService(of origin: WebOrigin) -> Service {
        if let name = origin.securedName, registrations.suffixes?.contains(name) != true {
            return Service(kind: .domain, value: name.text)
        }
        return Service(kind: .origin, value: origin.text)
    }

    /// What the policy reads of a service: for a domain that is none of its own, what a browser asks for is the page there.
    func site(of service: Service, _ request: RequestView) -> AutofillFacts.Site {
        switch service.kind {
        case .url: return .url(service.value)
        case .origin: return (try? WebOrigin(service.value)).map { .origin($0) } ?? .opaqueOrigin(service.value)
        default:
            let isPage = request.isPage && request.service == service
            guard isPage || accessesAsWeb(service, request.app), let name = try? DomainName(service.value) else {
                return .domain(service.value)
            }
            return .origin(WebOrigin(securely: name))
        }
    }

    /// The same where no service is named.
    func unnamedSite(_ app: IdentifiedApp?) -> AutofillFacts.Site {
        wideRegistration(of: app) == nil ? .unnamed : .unnamedOfAny
    }

    /// The registration by which an app may ask for services that are no associated domains: its own, or that of the delegate that
    /// speaks for it; root's, or one of a daemon for tests. nil where there is none.
    func wideRegistration(of app: IdentifiedApp?) -> Registration? {
        if let own = registration(of: app), mayAskForAny(own) { return own }
        guard let delegate = app?.delegate, let its = registration(named: delegate.bundleID),
            mayAskForAny(its)
        else { return nil }
        return its
    }

    /// Whether a registration is one that may.
    package func mayAskForAny(_ registration: Registration) -> Bool {
        let entitlements = registration.entitlements
        return (entitlements.isWebBrowser || entitlements.isCredentialHelper) && isAdministrators(registration)
    }

    /// Whether those entitlements of a registration count that only an administrator gives.
    func isAdministrators(_ registration: Registration) -> Bool {
        switch registration.origin.owner {
        case .root: true
        case .user: environment.product.isEphemeral
        case .flatpak: false
        }
    }

    /// Whether an app accesses a domain as the page there, and not as one of its associated domains.
    func accessesAsWeb(_ service: Service, _ app: IdentifiedApp?) -> Bool {
        guard service.kind == .domain, wideRegistration(of: app) != nil else { return false }
        guard let name = try? DomainName(service.value) else { return false }
        return registration(of: app)?.answers(for: name) == nil
    }

    /// Whether a service is a page to an app, a string of its own, or a domain that it accesses as the page there.
    func accessesAsPage(_ service: Service, _ app: IdentifiedApp?) -> Bool {
        switch service.kind {
        case .origin, .url: wideRegistration(of: app) != nil
        default: accessesAsWeb(service, app)
        }
    }

    /// Whether it is a page that the app shows, and not a request of its own.
    func isBrowser(_ app: IdentifiedApp?) -> Bool { wideRegistration(of: app)?.entitlements.isWebBrowser == true }

    /// The registrable domain whose pages share what is saved for a domain: for who gets at it as the page there; nil where it shares
    /// with none.
    func sharedSite(of service: Service, _ app: IdentifiedApp?) -> String? {
        accessesAsWeb(service, app) ? registrableDomain(of: service) : nil
    }

    /// The registrable domain of a domain; nil of another service, and where no public suffix list is present.
    package func registrableDomain(of service: Service) -> String? {
        guard service.kind == .domain, let name = try? DomainName(service.value) else { return nil }
        return registrations.suffixes?.registrableDomain(of: name)?.text
    }

    /// What the user's decision covers where an app asks for a service: of a page, the whole site.
    func granted(_ service: Service, _ app: IdentifiedApp?) -> Service {
        sharedSite(of: service, app).map { Service(kind: .domain, value: $0) } ?? service
    }
}

extension Service {
    /// As a command takes it: a string of a credential helper's could be taken for another kind.
    package var asArgument: String { kind == .url ? "url:\(value)" : value }
}
