// SPDX-License-Identifier: Apache-2.0
internal import Credentials

/// A service as the text of a site: its kind and its value. Credentials of other kinds than passwords never appear as one with
/// another: their sites begin with their ids.
enum SyncedService {
    static func site(of service: Service, in credential: Credential) -> String {
        let site = service.kind.rawValue + " " + service.value
        return credential.kind == .password ? site : credential.id.description + " " + site
    }

    /// Nil for a text that is no site of a credential of this kind.
    static func service(_ site: String, kind: Credential.Kind) -> Service? {
        var rest = site[...]
        if kind != .password {
            guard let space = rest.firstIndex(of: " "), ObjectID(String(rest[..<space])) != nil else { return nil }
            rest = rest[rest.index(after: space)...]
        }
        guard let space = rest.firstIndex(of: " ") else { return nil }
        return Service(
            kind: Service.Kind(rawValue: String(rest[..<space])), value: String(rest[rest.index(after: space)...]))
    }
}
