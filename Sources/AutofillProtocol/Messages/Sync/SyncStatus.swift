// SPDX-License-Identifier: Apache-2.0

package struct SyncStatus: ProofCall {
    package static let declaration = MethodDeclaration(
        .syncStatus, "Returns the state of sync: this machine, the others, and what is missing.", .administer,
        vault: .open, proof: .needed, prompt: true, repeatable: true)
    package let proof: Proof?

    package init(proof: Proof?) { self.proof = proof }

    /// What sync is doing. A later version may have further states.
    package struct State: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        /// It was not started in this vault.
        package static let off = State(rawValue: "off")
        /// This machine waits for an invitation to arrive, or to be let in.
        package static let joining = State(rawValue: "joining")
        package static let active = State(rawValue: "active")
        /// The vault was restored or repaired: the user has to decide what counts.
        package static let undecided = State(rawValue: "undecided")
        /// Something has to be done first; see `problem`.
        package static let paused = State(rawValue: "paused")
    }

    package struct Answer: Message, Hashable {
        package let state: State
        package let location: SyncLocation?
        package let problem: String?
        package let checked: String?
        package let waiting: Int
        package let restored: SyncRestored?
        package let ignored: Int?
        package let conflicts: Int
        package let devices: [SyncDevice]

        package init(
            state: State, location: SyncLocation? = nil, problem: String? = nil, checked: String? = nil,
            waiting: Int = 0, restored: SyncRestored? = nil, ignored: Int? = nil, conflicts: Int = 0,
            devices: [SyncDevice] = []
        ) {
            (self.state, self.location, self.problem, self.checked) = (state, location, problem, checked)
            (self.waiting, self.restored, self.ignored) = (waiting, restored, ignored)
            (self.conflicts, self.devices) = (conflicts, devices)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                state: State(
                    rawValue: try field(
                        "state", \.state.rawValue, .word(Words.syncStates, 1...32),
                        "`off`; `joining`: waits to be let in; `active`; `undecided`: the vault was restored; `paused`: see `problem`."
                    )),
                location: try field(
                    optional: "location", \.location, .syncLocation, "Where the files are exchanged."),
                problem: try field(
                    optional: "problem", \.problem, .string(1...1024),
                    "What keeps files from being exchanged, or what was found of them."),
                checked: try field(
                    optional: "checked", \.checked, .instant, "When autofill-sync last compared the files."),
                waiting: try field(
                    "waiting", \.waiting, .integer(0...Int.max), "Files of this machine that are not there yet."),
                restored: try field(
                    optional: "restored", \.restored, .object(),
                    "Files of this machine that were lost or changed there, and that were written there again."),
                ignored: try field(
                    optional: "ignored", \.ignored, .integer(1...Int.max),
                    "Files of others there that were changed or are malformed; absent: none."),
                conflicts: try field(
                    "conflicts", \.conflicts, .integer(0...Int.max),
                    "Passwords that two machines changed without the other's change."),
                devices: try field("devices", \.devices, .objects(), "The machines of the group."))
        }
    }
}

/// What the location had lost, the last time.
package struct SyncRestored: Message, Hashable {
    package let files: Int
    package let oldest: String
    package let time: String

    package init(files: Int, oldest: String, time: String) {
        (self.files, self.oldest, self.time) = (files, oldest, time)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            files: try field("files", \.files, .integer(1...Int.max), "How many files."),
            oldest: try field(
                "oldest", \.oldest, .instant,
                "When the oldest of them was written first: a location that was rolled back was as before this."),
            time: try field("time", \.time, .instant, "When they were written again."))
    }
}

/// A machine of the group.
package struct SyncDevice: Message, Hashable {
    package let device: String
    package let name: String
    package let isThis: Bool
    package let isMember: Bool
    /// Absent where it is not.
    package let isFormer: Bool?
    package let merged: String?
    package let missing: Int

    package init(
        device: String, name: String, isThis: Bool, isMember: Bool, isFormer: Bool? = nil, merged: String?,
        missing: Int
    ) {
        (self.device, self.name, self.isThis, self.isMember) = (device, name, isThis, isMember)
        (self.isFormer, self.merged, self.missing) = (isFormer, merged, missing)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            device: try field("device", \.device, .string(32...32), "Its id."),
            name: try field(
                "name", \.name, .string(0...Limits.deviceNameBytes),
                "The user's name for it; empty until a file of it was merged."),
            isThis: try field("this", \.isThis, .boolean, "Whether it is this machine."),
            isMember: try field("member", \.isMember, .boolean, "False: it was removed."),
            isFormer: try field(
                optional: "former", \.isFormer, .boolean,
                "True: an id that this machine had before; a copy of this machine may still have it."),
            merged: try field(optional: "merged", \.merged, .instant, "When a file of it was last merged here."),
            missing: try field(
                "missing", \.missing, .integer(0...Int.max),
                "How many changes of it other machines have and this one has not."))
    }
}
