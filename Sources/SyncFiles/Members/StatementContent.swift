// SPDX-License-Identifier: Apache-2.0
package import SyncMerge

/// What a statement states.
package enum StatementContent: Hashable, Sendable {
    /// The group: its founder, its recovery key, and random bits. The group's id is the hash of these.
    case founding(PublicKeys, recovery: PublicKeys, random: UInt128)
    /// A further machine.
    case admission(PublicKeys)
    /// A machine is no member any more; its files up to `last` count.
    case removal(of: DeviceID, last: UInt64)
    /// A new key, and all who are given it.
    case epoch(EpochGrant)
    /// Of a later version: passed on, and autofilld has to be updated.
    case unknown(UInt8, [UInt8])

    /// The number of its kind, never reused.
    var number: UInt8 {
        switch self {
        case .founding: 1
        case .admission: 2
        case .removal: 3
        case .epoch: 4
        case .unknown(let number, _): number
        }
    }

    /// What `MemberList` and `EpochKeys` evaluate.
    var evaluated: MemberStatement.Content? {
        switch self {
        case .admission(let keys): .admission(of: keys.device)
        case .removal(let device, let last): .removal(of: device, last: last)
        case .epoch(let grant): .epoch(grant.epoch, recipients: grant.recipients)
        case .founding, .unknown: nil
        }
    }
}
