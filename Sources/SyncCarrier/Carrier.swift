// SPDX-License-Identifier: Apache-2.0

/// What carries files between the spool and the location that carrier.json names.
package enum Carrier {
    case folder(FolderCarrier)
    case git(GitCarrier)

    package init(_ configuration: CarrierConfiguration, spool: SpoolDirectory) {
        switch configuration.location {
        case .folder(let path): self = .folder(FolderCarrier(folder: path, own: configuration.own, spool: spool))
        case .git(let location): self = .git(GitCarrier(location: location, own: configuration.own, spool: spool))
        }
    }

    /// The directories of the location whose changes make a round due.
    package var watched: [String] {
        if case .folder(let carrier) = self { carrier.watched } else { [] }
    }

    /// Whether another machine is expected to answer soon: while this one waits for an invitation, and while it has put
    /// out an invitation or an answer.
    package var expectsAnswer: Bool {
        switch self {
        case .folder(let carrier): carrier.expectsAnswer
        case .git(let carrier): carrier.expectsAnswer
        }
    }

    /// Carries what is due in both directions. Blocks while the folder or git does.
    ///
    /// - Parameter now: milliseconds since 1970.
    package mutating func round(at now: Int64) -> RoundOutcome {
        let outcome: RoundOutcome
        switch self {
        case .folder(var carrier):
            outcome = carrier.round(at: now)
            self = .folder(carrier)
        case .git(var carrier):
            outcome = carrier.round(at: now)
            self = .git(carrier)
        }
        return outcome
    }
}
