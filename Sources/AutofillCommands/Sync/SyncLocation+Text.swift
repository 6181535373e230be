// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

extension SyncLocation {
    /// For users.
    var shown: String {
        switch self {
        case .folder(let path): path.printable
        case .git(let url): "\(url.printable) (git)"
        }
    }
}
