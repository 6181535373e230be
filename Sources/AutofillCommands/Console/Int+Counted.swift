// SPDX-License-Identifier: Apache-2.0

extension Int {
    /// The number with its noun: `1 record`, `2 records`.
    ///
    /// - Parameter plural: if it is not the noun with an s.
    func counted(_ noun: String, _ plural: String? = nil) -> String {
        "\(self) \(self == 1 ? noun : plural ?? noun + "s")"
    }
}
