// SPDX-License-Identifier: Apache-2.0
import CredentialHelpers
import Glibc

/// `registry.global-credential-providers` in cargo's config.toml. All else stays as it is, comments included.
struct CargoSetup: ToolSetup {
    let directory: String

    /// The name without an ending is an older one, which cargo reads first.
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
                .refused, "\(file) names the table registry in a way that is not edited here",
                fix: "Add \"\(CargoProviders.helper)\" to its global-credential-providers, at the end")
        }
        let backup = try edited.replace(with: Array(text.utf8))
        return ["\(file): global-credential-providers has \"\(CargoProviders.helper)\" now"] + Self.note(backup)
    }

    func uninstall() throws(CommandFailure) -> [String] {
        let (edited, providers) = try read()
        guard providers.hasHelper else { return [] }
        let backup = try edited.replace(with: Array(providers.removing().utf8))
        return ["\(file): \"\(CargoProviders.helper)\" was taken out of global-credential-providers"]
            + Self.note(backup)
    }

    private static func note(_ backup: String?) -> [String] { backup.map { ["note: the file as it was: \($0)"] } ?? [] }

    private func read() throws(CommandFailure) -> (edited: EditedFile, providers: CargoProviders) {
        let edited = try EditedFile(file)
        guard let text = String(validating: edited.bytes, as: UTF8.self) else {
            throw CommandFailure(.badData, "\(file) is not UTF-8", fix: "Mend it, or put it aside")
        }
        return (edited, CargoProviders(text))
    }
}

func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
