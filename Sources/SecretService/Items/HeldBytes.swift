// SPDX-License-Identifier: Apache-2.0
internal import Systemd

/// The bytes that one call, or one prompt, holds for a program.
final class HeldBytes {
    private let answers: UnfinishedAnswers
    private var app: String
    private var bytes = 0

    init(_ answers: UnfinishedAnswers, of app: String) { (self.answers, self.app) = (answers, app) }

    func add(_ added: Int) throws(BusError) {
        try answers.add(added, of: app)
        bytes += added
    }

    /// Adds the objects that a call names.
    func add(_ paths: [String]) throws(BusError) {
        try add(paths.reduce(0) { $0 + $1.utf8.count + BridgeLimits.answerBytesPerObject })
    }

    /// Counts what is held for another program from now on. If that would exceed its limit, nothing is counted any more.
    func move(to other: String) throws(BusError) {
        let held = bytes
        end()
        app = other
        try add(held)
    }

    /// Nothing is held any more.
    func end() {
        answers.remove(bytes, of: app)
        bytes = 0
    }
}
