// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains
package import AutofillProtocol
internal import ConfigurationFiles
internal import EventLoop
internal import PeerIdentity
package import Prompting
internal import Reasons
package import Settings

/// The settings: what is in force, where it comes from, and how it is changed.
package final class SettingsInForce {
    package private(set) var layers: SettingsLayers
    /// nil where changes are kept in memory only.
    private let files: SettingsFiles?
    /// The user's file, for messages.
    package let path: String
    private let environment: ServiceContext
    /// Admits one change at a time.
    package let changes: AsyncLock
    init(_ source: SettingsSource, _ environment: ServiceContext) {
        (layers, files, path) = (source.layers, source.files, source.path)
        self.environment = environment
        changes = AsyncLock(environment.loop)
    }

    /// What is in force.
    package var effective: DaemonSettings { layers.effective }

    /// Whether a remembered yes does not do.
    var asksEveryTime: Bool { effective.askBeforeFill == .everyTime }

    /// Settings in the files that have no effect, or that make prompts impossible.
    package var overruled: [String] {
        let fixed = layers.overruled.map {
            "\(path): \($0.name): It has no effect: the administrator has fixed it. Take it out."
        }
        guard let prompter = effective.prompter, let refusal = layers.prompters.refusal(of: prompter.text) else {
            return fixed
        }
        return fixed + ["prompter: Nobody can be asked: \(refusal)"]
    }

    /// Puts settings into force.
    ///
    /// - Returns: what has changed; nil for nothing.
    package func apply(_ new: SettingsLayers) -> SettingsChange? {
        let before = layers
        layers = new
        let changed = new.differences(from: before)
        guard !changed.isEmpty else { return nil }
        environment.revision.advance()
        return SettingsChange(names: changed.map(\.name), before: before.effective)
    }

    /// The settings as the files have them now: they may have been edited since they were read.
    package func current() async throws(RefusedRequest) -> SettingsLayers {
        guard let files else { return layers }
        let loaded = await load(files)
        if Task.isCancelled { throw RefusedRequest(.cancelled) }
        do throws(ConfigurationFileProblem) { return try loaded.get() } catch {
            throw RefusedRequest(.settingsInvalid, [.settings: error.file, .detail: error.mistakeText])
        }
    }

    private func load(_ files: SettingsFiles) async -> Result<SettingsLayers, ConfigurationFileProblem> {
        let loaded = try? await environment.pool.run(
            .files, about: path, deadline: .milliseconds(Limits.fileLookMilliseconds)
        ) {
            Result { () throws(ConfigurationFileProblem) in try files.load() }
        }
        return loaded
            ?? .failure(
                ConfigurationFileProblem(
                    file: path, reason: "The file does not answer.", fix: "Check the file system that it is on."))
    }

    /// Reads the settings again. Where a file has mistakes or does not answer, what is in force stays.
    ///
    /// - Returns: what has changed, or the mistakes.
    func reload() async -> Result<SettingsChange?, ConfigurationFileProblem> {
        guard let files, await changes.enter() else { return .success(nil) }
        defer { changes.leave() }
        return await load(files).map { apply($0) }
    }

    /// Puts one setting into the user's file, or takes it out with nil. Its end is waited for though the request is cancelled:
    /// what is in the file is to be in force.
    package func write(_ setting: Setting, _ value: ConfigurationValue?) async throws(RefusedRequest) {
        guard let files else { return }
        let problem: ConfigurationFileProblem?
        do throws(WaitFailure) {
            problem = try await environment.pool.run(
                .files, deadline: .milliseconds(Limits.fileLookMilliseconds), onCancel: {}
            ) { () -> ConfigurationFileProblem? in
                do throws(ConfigurationFileProblem) {
                    try files.write(setting, value)
                    return nil
                } catch {
                    return error
                }
            }
        } catch {
            let unsure = "The file does not answer; whether it was written shows after a reload of the service."
            throw error.refused(Refusal(.settingsNotWritten, [.settings: path, .detail: unsure]))
        }
        if let problem {
            throw RefusedRequest(.settingsNotWritten, [.settings: problem.file, .detail: problem.mistakeText])
        }
    }

    /// The settings that decide about an app, for it alone.
    package func appSettings(of app: BundleIdentifier?, in settings: DaemonSettings? = nil) -> AppSettings {
        let settings = settings ?? effective
        return AppSettings(
            keychain: settings.keychain, autoFill: settings.autoFill,
            strongPasswords: app.map { settings.offersStrongPasswords(to: $0) } ?? settings.strongPasswords)
    }
}

/// Settings that were changed.
package struct SettingsChange {
    let names: [String]
    /// What was in force before.
    let before: DaemonSettings
}

extension SettingsLayers {
    /// What may be set as the prompter: the user's file cannot set it.
    package var prompters: PrompterList { PrompterList(named: administrator.prompters.map(\.text)) }
}

extension ConfigurationFileProblem {
    fileprivate var mistakeText: String { mistakes.map(\.description).joined(separator: " ") }
}
