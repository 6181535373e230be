// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
package import Reasons

extension Refusal {
    /// Of a peer or an app that could not be inspected in time, or whose registered programs could not.
    ///
    /// - Parameters:
    ///   - what: what was inspected; it begins a sentence.
    ///   - registration: the path of the registration of an app whose programs were inspected; nil for a peer.
    package static func notSeen(_ what: String, of app: String? = nil, registeredIn registration: String? = nil)
        -> Refusal
    {
        let limit = "\(Limits.fileLookMilliseconds / 1000) seconds"
        var names: [Parameter: String] = [
            .detail: "\(what) could not be inspected in time: a file system is slow, or hangs", .limit: limit,
        ]
        (names[.app], names[.path]) = (app, registration)
        return Refusal(registration == nil ? .identityMismatch : .appNotInstalled, names)
    }
}
