// SPDX-License-Identifier: Apache-2.0

/// The origin of a web page as browsers serialise it: scheme, host, and the port where it is not the scheme's own (RFC
/// 6454, section 6.1). In canonical form: lower case, A-labels, addresses in their one spelling.
package struct WebOrigin: Hashable, Sendable {
    package enum Scheme: String, Sendable {
        case http, https

        var port: UInt16 { self == .http ? 80 : 443 }
    }

    package enum Host: Hashable, Sendable {
        /// A name of two or more labels.
        case name(DomainName)
        /// `localhost`, a name below it, or an address of the machine itself.
        case local(String)
        /// Another name of one label.
        case singleLabel(String)
        case address(AddressLiteral)

        package var text: String {
            switch self {
            case .name(let name): name.text
            case .local(let text), .singleLabel(let text): text
            case .address(let address): address.text
            }
        }

        /// Whether only the machine or its own network answers there.
        var isPrivate: Bool {
            switch self {
            case .name: false
            case .local, .singleLabel: true
            case .address(let address): address.isPrivate
            }
        }
    }

    package let scheme: Scheme
    package let host: Host
    /// nil for the scheme's own.
    package let port: UInt16?

    /// Normalises upper case, a default port and an address in another spelling; everything else that is not an origin
    /// is refused, each with its own error.
    package init(_ text: String) throws(WebOriginError) {
        // Characters, not strings: searching for a string links the library of regular expressions.
        guard let colon = text.firstIndex(of: ":"), let scheme = Scheme(rawValue: text[..<colon].lowercased()),
            text[colon...].hasPrefix("://")
        else { throw text == "null" ? .opaque : text.contains(":" as Character) ? .notWeb : .noScheme }
        let rest = text[colon...].dropFirst(3)
        if rest.contains("@" as Character) { throw .userInformation }
        if rest.contains(where: { "/?#\\".contains($0) }) { throw .path }
        let (host, port) = try Self.hostAndPort(rest)
        self.scheme = scheme
        self.host = try Self.host(host)
        self.port = port == scheme.port ? nil : port
    }

    /// The page at a domain over https.
    package init(securely name: DomainName) { (scheme, host, port) = (.https, .name(name), nil) }

    private static func hostAndPort(_ text: Substring) throws(WebOriginError) -> (host: Substring, port: UInt16?) {
        let hostEnd = text.hasPrefix("[") ? text.firstIndex(of: "]").map { text.index(after: $0) } : nil
        guard let colon = text[(hostEnd ?? text.startIndex)...].firstIndex(of: ":") else { return (text, nil) }
        let digits = text[text.index(after: colon)...]
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(digits), port > 0
        else { throw .port }
        return (text[..<colon], port)
    }

    private static func host(_ text: Substring) throws(WebOriginError) -> Host {
        if let address = AddressLiteral(text) { return address.isLoopback ? .local(address.text) : .address(address) }
        do throws(DomainNameError) {
            let name = try DomainName(String(text))
            return name.text.hasSuffix(".localhost") ? .local(name.text) : .name(name)
        } catch {
            // The name was checked, except for the number of its labels.
            guard case .singleLabel = error else { throw .host(error) }
            let label = text.lowercased()
            return label == "localhost" ? .local(label) : .singleLabel(label)
        }
    }

    package var text: String { "\(scheme.rawValue)://\(host.text)" + (port.map { ":\($0)" } ?? "") }

    /// Whether what is filled here travels in secret, or no further than the machine or its own network.
    package var isServed: Bool { scheme == .https || host.isPrivate }

    /// The name of the site, where it has one: over https, with two or more labels.
    package var securedName: DomainName? {
        guard scheme == .https, case .name(let name) = host else { return nil }
        return name
    }
}

extension WebOrigin: CustomStringConvertible {
    package var description: String { text }
}

/// Why a text is no origin of a web page.
package enum WebOriginError: Explained, Hashable {
    /// `null`: that of a sandboxed frame, of data: and of much else.
    case opaque
    /// A scheme other than http and https.
    case notWeb
    case noScheme
    case userInformation
    case path
    case port
    case host(DomainNameError)

    package var reason: String {
        switch self {
        case .opaque: "The origin is opaque."
        case .notWeb: "The origin is neither of http nor of https."
        case .noScheme: "The origin has no scheme."
        case .userInformation: "The origin has a user name before the host."
        case .path: "The origin has a path, query or fragment after the host."
        case .port: "The origin's port is no number from 1 to 65535."
        case .host(let error): error.reason
        }
    }

    package var fix: String {
        switch self {
        case .opaque, .notWeb: "Ask for the origin of a page of http or https."
        case .noScheme: "Write https:// and the host."
        case .userInformation: "Write the host alone after the scheme."
        case .path: "End the origin after the host and its port, without a slash."
        case .port: "Write the port's number, or none."
        case .host(.singleLabel), .host(.addressLiteral), .host(.port): "Write the host as browsers do."
        case .host(let error): error.fix
        }
    }
}
