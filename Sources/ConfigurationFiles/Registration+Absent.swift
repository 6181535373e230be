// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains
internal import Glibc

extension Registration {
    /// A note for each program that the registration names and that is not installed: the file is valid, and until the
    /// program is installed no process can be this app.
    package var absentExecutables: [ConfigurationMistake] {
        executables.enumerated().filter { access($0.element.text, F_OK) != 0 }.map { index, path in
            ConfigurationMistake(
                path: ConfigurationPath.file[Member.executables.rawValue][index],
                reason: "There is no \(path.text) on this machine.",
                fix: "Install the app, or write where its program is; nothing can be allowed to it before.")
        }
    }
}
