// SPDX-License-Identifier: Apache-2.0

/// A claim that the evidence speaks against.
package enum Contradiction: Hashable, Sendable {
    /// A Flatpak claims an ID that is not its own.
    case sandboxedAsOther(claimed: String, actual: String)
    /// The sandbox names one app and the unit that Flatpak made for it another.
    case unitOfOtherFlatpak(sandbox: String, unit: String)
    /// The sandbox runs other files than Flatpak deployed.
    case deploymentDiffers(appID: String, why: String)
    /// A confined snap claims an ID that is not its own.
    case snapOfOther(claimed: String, snap: String)
    /// The registration names executables, and this one is none of them.
    case executableNotRegistered(claimed: String, executable: String)
    /// It has mounts of its own, and is in no recognised sandbox: its starter chose its paths and libraries.
    case foreignNamespace(executable: String)
}

extension Contradiction: CustomStringConvertible {
    package var description: String {
        switch self {
        case .sandboxedAsOther(let claimed, let actual):
            "It claims to be \(claimed), and runs in the Flatpak sandbox of \(actual)."
        case .unitOfOtherFlatpak(let sandbox, let unit):
            "Its sandbox is that of \(sandbox), and its Flatpak unit that of \(unit)."
        case .deploymentDiffers(let appID, let why):
            "Its sandbox is that of \(appID), and it does not run what Flatpak deployed: \(why)."
        case .snapOfOther(let claimed, let snap):
            "It claims to be \(claimed), and runs confined as the snap \(snap)."
        case .executableNotRegistered(let claimed, let executable):
            "It claims to be \(claimed), whose registration does not name \(executable)."
        case .foreignNamespace(let executable):
            "It runs as \(executable) in namespaces of its own, and in no recognised sandbox."
        }
    }
}
