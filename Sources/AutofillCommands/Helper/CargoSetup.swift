// SPDX-License-Identifier: Apache-2.0
import CredentialHelpers
import Glibc

/// `registry.global-credential-providers` in cargo's config.toml. All else is unchanged, comments included.
struct CargoSetup: ToolSetup {
    let directory: String

    /// A file name without an extension is older, and cargo reads it first.
    var file: String {
        let old = directory + "/config"
        return exists(old) ? old : old + ".toml"
    }

    func isInstalled() throws(CommandFailure) -> Bool { try read().providers.hasHelper }

    func install(replacing: Bool) throws(CommandFailure) -> [String] {
        let (edited, providers) = try read()
        if providers.hasHelper { return [] }
        guard let text = providers.adding() else {
            throw CommandFailure(
                .refused, "\(file) has the table registry in a form that cannot be edited",
                fix: "Add \"\(CargoProviders.helper)\" to its global-credential-providers, at the end")
        }
        let backup = try edited.replace(with: Array(text.utf8))
        return ["\(file): global-credential-providers now contains \"\(CargoProviders.helper)\""] + Self.note(backup)
    }

    func uninstall() throws(CommandFailure) -> [String] {
        let (edited, providers) = try read()
        guard providers.hasHelper else { return [] }
        let backup = try edited.replace(with: Array(providers.removing().utf8))
        return ["\(file): \"\(CargoProviders.helper)\" was removed from global-credential-providers"]
            + Self.note(backup)
    }

    private static func note(_ backup: String?) -> [String] { backup.map { ["note: the former file: \($0)"] } ?? [] }

    private func read() throws(CommandFailure) -> (edited: EditedFile, providers: CargoProviders) {
        let edited = try EditedFile(file)
        guard let text = String(validating: edited.bytes, as: UTF8.self) else {
            throw CommandFailure(.badData, "\(file) is not UTF-8", fix: "Repair it, or move it away")
        }
        return (edited, CargoProviders(text))
    }
}

func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
