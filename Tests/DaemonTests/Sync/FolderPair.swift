// SPDX-License-Identifier: Apache-2.0

/// Two programs that carry one folder each way.
protocol FolderPair {
    /// The copy of the folder that each of them has.
    var folders: [SyncFolder] { get }

    /// Starts those that do not run.
    func start() throws

    func kill(_ side: Int)

    /// Whether a file is being received by a side.
    func isReceiving(_ side: Int) -> Bool

    /// Whether a file is being sent by a side.
    func isSending(_ side: Int) -> Bool

    /// The conflict copies of a side.
    func conflictCopies(_ side: Int) -> Set<String>
}
