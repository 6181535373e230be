// SPDX-License-Identifier: Apache-2.0

/// The outcome of the last round of `autofill-sync`, as one line in the file `in/state.json` of the spool.
package struct CarrierReport: Message, Hashable {
    package static let format = 1
    /// How often it is written at least, also where nothing has changed.
    package static let intervalMilliseconds = 600_000
    /// After so long without another one `autofill-sync` does not run, or its folder does not answer: longer than that interval, the
    /// pause between two rounds and a round with two transfers of git of ten minutes take together.
    package static let validMilliseconds = 2_700_000
    package let format: Int
    package let round: Int
    /// When it ended, in milliseconds since 1970.
    package let checked: Int
    package let problem: CarrierProblem?
    package let detail: String?
    /// Files of this machine that are not at the location yet.
    package let waiting: Int
    /// The last time that the location had lost files of this machine; nil: it never has.
    package let restored: RestoredFiles?
    /// That of the order.
    package let token: String?

    package init(
        round: Int, checked: Int, problem: CarrierProblem?, detail: String?, waiting: Int,
        restored: RestoredFiles? = nil, token: String? = nil
    ) {
        self.init(format: Self.format, round, checked, problem, detail, waiting, restored, token)
    }

    private init(
        format: Int, _ round: Int, _ checked: Int, _ problem: CarrierProblem?, _ detail: String?, _ waiting: Int,
        _ restored: RestoredFiles?, _ token: String?
    ) {
        (self.format, self.round, self.checked, self.problem) = (format, round, checked, problem)
        (self.detail, self.waiting, self.restored, self.token) = (detail, waiting, restored, token)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            format: try field("format", \.format, .integer(1...format), "The version of this file."),
            try field("round", \.round, .integer(0...Int.max), "The number of the round, since autofill-sync started."),
            try field("checked", \.checked, .integer(0...Int.max), "When it ended, in milliseconds since 1970."),
            try field(optional: "problem", \.problem, .choice(), "Why files were not carried."),
            try field(optional: "detail", \.detail, .string(1...200), "The file or the program that it concerns."),
            try field("waiting", \.waiting, .integer(0...Int.max), "Files that are not at the location yet."),
            try field(
                optional: "restored", \.restored, .object(),
                "Files that the location had lost, and that are there again."),
            try field(optional: "token", \.token, .string(32...32), "That of the order."))
    }
}

/// Files of this machine that the location has lost, or that were changed there, and that were written there again.
package struct RestoredFiles: Message, Hashable {
    package var files: Int
    /// When the oldest of them was written first, in milliseconds since 1970: a location that was rolled back is as it was before.
    package var oldest: Int
    /// When they were written again, in milliseconds since 1970.
    package var time: Int

    package init(files: Int, oldest: Int, time: Int) { (self.files, self.oldest, self.time) = (files, oldest, time) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            files: try field("files", \.files, .integer(1...Int.max), "How many."),
            oldest: try field(
                "oldest", \.oldest, .integer(0...Int.max),
                "When the oldest of them was written first, in milliseconds since 1970."),
            time: try field(
                "time", \.time, .integer(0...Int.max), "When they were written again, in milliseconds since 1970."))
    }
}

/// Why files were not carried.
package enum CarrierProblem: String, CaseIterable, Sendable {
    case folderMissing = "folder-missing"
    case folderUnreadable = "folder-unreadable"
    case folderFull = "folder-full"
    case gitFailed = "git-failed"
    /// A copy of this machine has pushed.
    case gitRejected = "git-rejected"
    case tooManyFiles = "too-many-files"
    case tooLarge = "too-large"
    /// Files whose content has not fitted their names for an hour.
    case incompleteFiles = "incomplete-files"
}
