// SPDX-License-Identifier: Apache-2.0
import CredentialHelpers
import SecretMemory

extension HelperAction {
    var answered: HelperAnswer? { if case .answer(let answer) = self { answer } else { nil } }
    var performed: HelperTask? { if case .perform(let task) = self { task } else { nil } }
}

extension HelperAnswer {
    var text: String { output.text }
}

extension SecretBytes {
    var text: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}

extension String {
    fileprivate func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        Array(utf8).withUnsafeBytes { body($0) }
    }
}

extension GitHelper {
    func start(_ input: String, now: Int64) -> HelperAction { input.withBytes { start($0, now: now) } }
}

extension DockerHelper {
    func start(_ input: String) -> HelperAction { input.withBytes { start($0) } }
}

extension CargoHelper {
    mutating func start(_ line: String) -> HelperAction {
        Array(line.utf8).withUnsafeBytes { start($0) }
    }
}
