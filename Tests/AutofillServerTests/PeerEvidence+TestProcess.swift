// SPDX-License-Identifier: Apache-2.0
import PeerIdentity

extension PeerEvidence {
    static let testProcess = PeerEvidence(
        process: 1, user: 1000, group: 1000, isPinned: true, startTime: 1, executable: .unreadable(errno: 13),
        controlGroup: nil, sandbox: .none, mountNamespaceDiffers: false, login: "boot/session")
}
