// SPDX-License-Identifier: Apache-2.0
package import Credentials

extension Subject {
    /// Who wrote what another machine published: no app has it, so the first use asks.
    package static let otherMachine = Subject(app: "", assurance: "", executable: "sync")
}
