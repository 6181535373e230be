// SPDX-License-Identifier: Apache-2.0
package import SyncMerge

/// The statements of a group whose signatures are valid, and what follows from them: who belongs to it, and which keys count.
///
/// Statements are a set: they are accepted from any file, and a statement that does not count (any more) is kept and passed on.
package struct MemberRegister: Sendable {
    package let group: GroupID
    package let founder: DeviceID
    package let recovery: PublicKeys
    /// In the order in which they were accepted.
    package private(set) var statements: [SignedStatement] = []
    /// The members, and the last files of removed ones that count.
    package private(set) var list: MemberList
    /// Which key seals new files.
    package private(set) var epochKeys: EpochKeys
    /// A later version of autofilld states something, for a present member or with the recovery key: this one has to be updated.
    package private(set) var needsUpdate = false
    private var accepted: Set<[UInt8]> = []
    private var keys: [DeviceID: PublicKeys] = [:]

    /// Nil where this is not the founding statement of its group.
    package init?(founding: SignedStatement) {
        guard case .founding(let keys, let recovery, _) = founding.content,
            founding.content.foundedGroup == founding.group, founding.signer == .device(keys.device),
            keys.verify(founding.signature, of: founding.signed, as: .statement), keys.isUsable, recovery.isUsable
        else { return nil }
        group = founding.group
        founder = keys.device
        self.recovery = recovery
        list = MemberList(founder: founder, statements: [])
        epochKeys = EpochKeys(list, statements: [])
        self.keys[founder] = keys
        statements = [founding]
        accepted = [Array(founding.signed)]
    }

    /// The keys of a machine that somebody admitted, be it a member or not.
    package func publicKeys(of device: DeviceID) -> PublicKeys? { keys[device] }

    /// All that somebody ever admitted.
    package var admitted: Dictionary<DeviceID, PublicKeys>.Keys { keys.keys }

    /// Adds statements, in any order. Returns those that were not there before, and why others are refused.
    ///
    /// - Parameter isVouched: whether a present member passes them on, in a verified file of its own. Else what a removed machine
    ///   states is refused: it chooses the sequence, and could state one of before its removal.
    @discardableResult
    package mutating func insert(
        _ found: some Sequence<SignedStatement>, isVouched: Bool = true
    ) -> (added: [SignedStatement], refused: [SignedStatement: StatementRefusal]) {
        let removed = isVouched ? [:] : list.cuts
        var added: [SignedStatement] = [], refused: [SignedStatement: StatementRefusal] = [:]
        var waiting = found.filter { !accepted.contains(Array($0.signed)) }, isComplete = false
        while !isComplete {
            isComplete = true
            var unknown: [SignedStatement] = []
            for statement in waiting where !accepted.contains(Array(statement.signed)) {
                switch refusal(of: statement, removed) {
                case .signerUnknown: unknown.append(statement)
                case let refusal?: refused[statement] = refusal
                case nil:
                    accept(statement)
                    added.append(statement)
                    isComplete = false
                }
            }
            waiting = unknown
        }
        for statement in waiting { refused[statement] = .signerUnknown }
        if !added.isEmpty { evaluate() }
        return (added, refused)
    }

    /// Who belongs to the group for somebody who knows only some of its statements.
    package func list(knowing some: [SignedStatement]) -> MemberList {
        let listed = some.filter { accepted.contains(Array($0.signed)) }
        return MemberList(founder: founder, statements: listed.compactMap(\.evaluated))
    }

    private func refusal(
        of statement: SignedStatement, _ removed: [DeviceID: UInt64]
    ) -> StatementRefusal? {
        guard statement.group == group else { return .otherGroup }
        if case .device(let device) = statement.signer, removed[device] != nil { return .signerRemoved }
        guard statements.count < SyncFileLimits.statements else { return .tooMany }
        let signer: PublicKeys?
        switch statement.signer {
        case .device(let device): signer = keys[device]
        case .recoveryKey: signer = recovery
        }
        guard let signer else { return .signerUnknown }
        guard signer.verify(statement.signature, of: statement.signed, as: .statement) else { return .signatureInvalid }
        switch (statement.content, statement.signer) {
        case (.admission, .device) where keys.count >= SyncFileLimits.devices: return .tooMany
        case (.admission(let new), .device): return new.isUsable ? nil : .keysUnusable
        case (.epoch(let grant), .device(let device)):
            return grant.isProven(by: device, statement.sequence, in: group) ? nil : .keyUnproven
        case (.removal, _), (.unknown, _): return nil
        case (.founding, _), (.admission, .recoveryKey), (.epoch, .recoveryKey): return .notItsToState
        }
    }

    private mutating func accept(_ statement: SignedStatement) {
        statements.append(statement)
        accepted.insert(Array(statement.signed))
        switch statement.content {
        case .admission(let new): keys[new.device] = new
        case .founding, .removal, .epoch, .unknown: break
        }
    }

    private mutating func evaluate() {
        let evaluated = statements.compactMap(\.evaluated)
        list = MemberList(founder: founder, statements: evaluated)
        epochKeys = EpochKeys(list, statements: evaluated)
        needsUpdate = statements.contains { statement in
            guard case .unknown = statement.content else { return false }
            return if case .device(let device) = statement.signer { list.contains(device) } else { true }
        }
    }
}
