// SPDX-License-Identifier: Apache-2.0

extension ConfigurationValue {
    /// The paths of programs that a list names, each once; what is no absolute path is refused.
    package func executables(
        at path: ConfigurationPath, _ findings: inout ConfigurationFindings
    ) -> [AbsolutePath] {
        var executables: [AbsolutePath] = []
        for (path, element) in elements(atMost: Registration.executableLimit, at: path, &findings) {
            guard let executable = element.checked(at: path, &findings, AbsolutePath.init) else { continue }
            if executables.contains(executable) {
                findings.note(path, "\(executable) is listed twice.", fix: "Keep one of them.")
            } else {
                executables.append(executable)
            }
        }
        return executables
    }
}
