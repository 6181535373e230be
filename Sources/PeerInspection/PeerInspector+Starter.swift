// SPDX-License-Identifier: Apache-2.0
internal import Crypto
package import PeerIdentity

extension PeerInspector {
    /// The process that started a peer: its parent from before the inspection until after it. nil where it cannot be
    /// inspected: it is another user's, or has ended.
    ///
    /// Reads its script whole, of at most so many bytes: it may hang, and must not run on an event loop.
    package func starter(of peer: InspectedPeer, upTo longest: UInt64) -> Starter? {
        guard let parent = peer.parent, parent > 1, let credentials = try? Self.credentials(of: parent),
            let starter = try? inspect(at: credentials, pidfd: nil, isHandedOver: true)
        else { return nil }
        let script = starter.script(upTo: longest)
        guard (try? starter.confirm()) != nil, peer.parent == parent else { return nil }
        return Starter(evidence: starter.evidence, script: script)
    }
}

extension InspectedPeer {
    /// The number of its parent now.
    fileprivate var parent: Int32? { directory.content(of: "stat").flatMap { ProcessStatus.parent(in: $0) } }
}

/// The hash of a path in a name that is made from it.
package enum NameHash {
    /// The first 16 hexadecimal digits of the SHA-256 of the text's UTF-8.
    package static func digits(of text: String) -> String {
        let digits = Array("0123456789abcdef")
        return SHA256.hash(data: Array(text.utf8)).prefix(8).reduce(into: "") { text, byte in
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
    }
}
