// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import SecretMemory
import SecretSession
import Systemd

/// The client of a Secret Service: a session in which secrets are encrypted, since other programs can watch a bus.
struct SecretServiceClient {
    private let bus: BlockingBus
    private let owner: String
    private let session: String
    private let cipher: SessionCipher

    /// - Parameter owner: the service's unique name on the bus: no other program receives a call.
    init(_ bus: BlockingBus, owner: String) throws(BusError) {
        (self.bus, self.owner) = (bus, owner)
        let agreement = KeyAgreement()
        guard let key = agreement.publicKey else { throw BusError(name: "no key", text: "") }
        let reply = try bus.call(owner, SecretServiceNames.root, Self.full("Service"), "OpenSession") {
            (message) throws(BusError) in
            try message.append(SessionCipher.aesName)
            try message.write("v", of: "ay") { () throws(BusError) in try message.append(bytes: key) }
        }
        let agreed = try reply.readVariant("ay") { (value) throws(BusError) in
            try value.readBytes { agreement.cipher(with: $0) }.get()
        }
        guard let agreed else { throw BusError(name: "its key is no public key", text: "") }
        (cipher, session) = (agreed, try reply.readString(type: "o"))
    }

    /// Of the service that runs for this user, and which program it is.
    static func running(_ environment: ProcessEnvironment) throws(BusError) -> (Self, SessionBus.Owner) {
        let bus = try BlockingBus(at: environment.sessionBus)
        let (name, process) = try bus.startedOwner(of: SecretServiceNames.bus)
        return (try Self(bus, owner: name), SessionBus.Owner(processID: Int32(truncatingIfNeeded: process)))
    }

    private static func full(_ interface: String) -> String {
        interface.contains(".") ? interface : "org.freedesktop.Secret.\(interface)"
    }

    /// - Parameter interface: without a point one of the API.
    @discardableResult
    func call(
        _ path: String, _ interface: String, _ member: String,
        arguments: (BusMessage) throws(BusError) -> Void = { _ in }
    ) throws(BusError) -> BusMessage {
        try bus.call(owner, path, Self.full(interface), member, arguments: arguments)
    }

    /// Writes a secret, for text.
    func append(_ secret: SecretBytes, to message: BusMessage) throws(BusError) {
        try message.append(secret, contentType: "text/plain", session: session, cipher)
    }

    /// - Parameter property: reads the variant that follows, or skips it.
    func properties(
        of path: String, _ interface: String, _ property: (_ name: String, _ value: BusMessage) throws(BusError) -> Void
    ) throws(BusError) {
        let reply = try call(path, "org.freedesktop.DBus.Properties", "GetAll") { (message) throws(BusError) in
            try message.append(Self.full(interface))
        }
        _ = try reply.read("a", of: "{sv}") { () throws(BusError) in
            while try !reply.isAtEnd {
                _ = try reply.read("e", of: "sv") { () throws(BusError) in try property(try reply.readString(), reply) }
            }
        }
    }

    /// The items with these attributes, among others, by their paths.
    func search(_ attributes: [String: String]) throws(BusError) -> (unlocked: [String], locked: [String]) {
        let reply = try call(SecretServiceNames.root, "Service", "SearchItems") { (message) throws(BusError) in
            try message.append(attributes)
        }
        return (try reply.readStrings(type: "o", limit: .max), try reply.readStrings(type: "o", limit: .max))
    }

    func secret(of item: String) throws(BusError) -> (SecretBytes, contentType: String) {
        let reply = try call(item, "Item", "GetSecret") { (message) throws(BusError) in
            try message.append(session, type: "o")
        }
        let read = try reply.read("r", of: "oayays") { () throws(BusError) in
            _ = try reply.readString(type: "o")
            let parameters = try reply.readBytes { Array($0) }.get()
            let secret = try reply.readBytes { value in
                parameters.withUnsafeBytes { cipher.opened(parameters: $0, value: value) }
            }.get()
            return (secret, try reply.readString())
        }
        guard let read, let secret = read.0 else { throw BusError(name: "the secret is not encrypted", text: "") }
        return (secret, read.1)
    }
}
