// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol

/// `carrier.json`, by which the daemon states what is carried.
package struct CarrierConfiguration: Hashable, Sendable {
    package enum Location: Hashable, Sendable {
        /// An absolute path.
        case folder(String)
        case git(GitLocation)
    }

    /// Whose files are carried.
    package struct Own: Hashable, Sendable {
        package let group: String
        package let device: String

        package init(group: String, device: String) { (self.group, self.device) = (group, device) }
    }

    package let location: Location
    /// Nil while this machine waits for an invitation: then only invitations are brought.
    package let own: Own?

    /// What the reports of its rounds repeat.
    package let token: String?

    package init(location: Location, own: Own?, token: String? = nil) {
        (self.location, self.own, self.token) = (location, own, token)
    }

    /// - Parameter bytes: of the file.
    package init(_ bytes: [UInt8]) throws(CarrierConfigurationError) {
        let order: CarrierOrder
        do throws(ProtocolProblem) { order = try CarrierOrder(line: bytes) } catch { throw .malformed }
        token = order.token
        switch order.location {
        case .folder(let path):
            guard path.utf8.first == UInt8(ascii: "/") else { throw .pathNotAbsolute }
            location = .folder(path)
        case .git(let url):
            do throws(GitLocationError) { location = .git(try GitLocation(url)) } catch { throw .url(error) }
        }
        switch (order.group, order.device) {
        case (nil, nil): own = nil
        case (let group?, let device?)
        where CarriedFileName.isIdentifier(group) && CarriedFileName.isIdentifier(device):
            own = Own(group: group, device: device)
        default: throw .malformed
        }
    }
}

/// Why carrier.json cannot be used.
package enum CarrierConfigurationError: Error, Hashable {
    case malformed
    case pathNotAbsolute
    case url(GitLocationError)

    var problem: RoundProblem {
        switch self {
        case .malformed: RoundProblem(.folderUnreadable, "carrier.json is malformed, or of another version")
        case .pathNotAbsolute: RoundProblem(.folderUnreadable, "the path of the folder is not absolute")
        case .url(let error): RoundProblem(.gitFailed, error.description)
        }
    }
}
