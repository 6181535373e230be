// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Systemd

/// The errors that are returned to callers on the bus.
extension BusError {
    static func noSuchObject(_ path: String) -> Self {
        Self(name: "org.freedesktop.Secret.Error.NoSuchObject", text: "There is no object \(path)")
    }
    static let noSession = Self(name: "org.freedesktop.Secret.Error.NoSession", text: "There is no such session")
    /// For a call about a property: by this error libraries recognise that the object does not exist.
    static func unknownObject(_ path: String) -> Self { .unknownMethod("There is no object \(path)") }
    static func isLocked(_ text: String) -> Self {
        Self(name: "org.freedesktop.Secret.Error.IsLocked", text: text)
    }
    static func failed(_ text: String) -> Self { Self(name: "org.freedesktop.DBus.Error.Failed", text: text) }
    static func invalid(_ text: String) -> Self { Self(name: "org.freedesktop.DBus.Error.InvalidArgs", text: text) }
    static func denied(_ text: String) -> Self { Self(name: "org.freedesktop.DBus.Error.AccessDenied", text: text) }
    static func tooMany(_ text: String) -> Self { Self(name: "org.freedesktop.DBus.Error.LimitsExceeded", text: text) }
    static func notSupported(_ text: String) -> Self {
        Self(name: "org.freedesktop.DBus.Error.NotSupported", text: text)
    }
    static func unknownMethod(_ text: String) -> Self {
        Self(name: "org.freedesktop.DBus.Error.UnknownMethod", text: text)
    }
    static func unknownInterface(_ name: String) -> Self {
        Self(name: "org.freedesktop.DBus.Error.UnknownInterface", text: "The object has no interface \(name)")
    }
    static func unknownProperty(_ name: String) -> Self {
        Self(name: "org.freedesktop.DBus.Error.UnknownProperty", text: "The object has no property \(name)")
    }
    static func readOnly(_ name: String) -> Self {
        Self(name: "org.freedesktop.DBus.Error.PropertyReadOnly", text: "\(name) cannot be set")
    }

    /// The error that is returned to the caller: one without a D-Bus name is from reading the arguments.
    var reply: BusError { name.contains(".") ? self : .invalid("The arguments are not those of the method: \(self)") }

    /// A refusal by the daemon.
    init(_ reasons: [ReasonReport]) {
        guard let first = reasons.first else {
            self = .failed("autofilld refused it")
            return
        }
        let text = "\(first.message). \(first.fix)"
        self =
            switch first.reason {
            case "vault-locked", "interaction-required", "consent-denied", "grant-denied", "grant-missing", "cancelled":
                .isLocked(text)
            case "item-not-found": .noSuchObject("like this any more")
            case "parameter-invalid", "parameter-missing", "line-too-long": .invalid(text)
            case "not-permitted", "identity-mismatch", "access-group-not-entitled", "outside-sandbox-only",
                "keychain-disabled", "peer-changed", "peer-ended":
                .denied(text)
            case "too-many-items", "too-many-requests", "too-many-connections": .tooMany(text)
            default: .failed(text)
            }
    }
}
