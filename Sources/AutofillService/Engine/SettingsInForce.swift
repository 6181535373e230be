// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import ConfigurationFiles
internal import EventLoop
internal import PeerIdentity
internal import Prompting
internal import Reasons
package import Settings

/// The settings: what is in force, where it comes from, and how it is changed.
package final class SettingsInForce {
    private(set) var layers: SettingsLayers
    /// nil where changes are kept in memory only.
    private let files: SettingsFiles?
    /// The user's file, for messages.
    let path: String
    private let surroundings: Surroundings
    /// Lets one change at a time through.
    let changes: Turnstile
    /// Told of what was changed: the settings, and what was in force before.
    var onChange: (_ changed: [Setting], _ before: DaemonSettings, _ causedBy: RequestContext?) -> Void = { _, _, _ in }

    init(_ layers: SettingsLayers, files: SettingsFiles?, path: String, _ surroundings: Surroundings) {
        self.layers = layers
        self.files = files
        self.path = path
        self.surroundings = surroundings
        changes = Turnstile(surroundings.loop)
    }

    /// What is in force.
    package var effective: DaemonSettings { layers.effective }

    /// Whether a remembered yes does not do.
    var asksEveryTime: Bool { effective.askBeforeFill == .everyTime }

    /// What the settings files say to no effect, or so that nobody can be asked.
    var overruled: [String] {
        let fixed = layers.overruled.map {
            "\(path): \($0.name): It has no effect: the administrator has fixed it. Take it out."
        }
        guard let prompter = effective.prompter, let refusal = layers.prompters.refusal(of: prompter.text) else {
            return fixed
        }
        return fixed + ["prompter: Nobody can be asked: \(refusal)"]
    }

    /// Puts settings into force, and tells who may know.
    func take(_ new: SettingsLayers, causedBy request: RequestContext? = nil) {
        let before = layers
        layers = new
        let changed = new.differences(from: before)
        guard !changed.isEmpty else { return }
        surroundings.revision.advance()
        onChange(changed, before.effective, request)
    }

    /// The settings as the files have them now: they may have been edited since they were read.
    func current() async throws(RefusedRequest) -> SettingsLayers {
        guard let files else { return layers }
        let loaded = await load(files)
        if Task.isCancelled { throw RefusedRequest(.cancelled) }
        do throws(ConfigurationFileProblem) { return try loaded.get() } catch {
            throw RefusedRequest(.settingsInvalid, [.settings: error.file, .detail: error.mistakesInWords])
        }
    }

    private func load(_ files: SettingsFiles) async -> Result<SettingsLayers, ConfigurationFileProblem> {
        let loaded = try? await surroundings.pool.run(.files, deadline: .milliseconds(Limits.fileLookMilliseconds)) {
            () -> Result<SettingsLayers, ConfigurationFileProblem> in
            do throws(ConfigurationFileProblem) { return .success(try files.load()) } catch { return .failure(error) }
        }
        return loaded
            ?? .failure(
                ConfigurationFileProblem(
                    file: path, reason: "The file does not answer.", fix: "Look at the file system that it is on."))
    }

    /// Reads the settings again. Where a file has mistakes or does not answer, what is in force stays.
    ///
    /// - Returns: the mistakes.
    func reload() async -> ConfigurationFileProblem? {
        guard let files, await changes.enter() else { return nil }
        defer { changes.leave() }
        switch await load(files) {
        case .success(let layers):
            take(layers)
            return nil
        case .failure(let problem): return problem
        }
    }

    /// Puts one setting into the user's file, or takes it out with nil. Its end is waited for though the request is taken back:
    /// what stands in the file is to be in force.
    func write(_ setting: Setting, _ value: ConfigurationValue?) async throws(RefusedRequest) {
        guard let files else { return }
        let problem: ConfigurationFileProblem?
        do throws(WaitFailure) {
            problem = try await surroundings.pool.run(
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
            throw RefusedRequest(.settingsNotWritten, [.settings: problem.file, .detail: problem.mistakesInWords])
        }
    }

    /// The settings that decide about an app, for it alone.
    func appSettings(of app: BundleIdentifier?, in settings: DaemonSettings? = nil) -> AppSettings {
        let settings = settings ?? effective
        return AppSettings(
            keychain: settings.keychain, autoFill: settings.autoFill,
            strongPasswords: app.map { settings.offersStrongPasswords(to: $0) } ?? settings.strongPasswords)
    }
}

extension SettingsLayers {
    /// What may be set as the prompter: the user's file has no say in that.
    var prompters: PrompterList { PrompterList(named: administrator.prompters.map(\.text)) }
}

extension ConfigurationFileProblem {
    fileprivate var mistakesInWords: String { mistakes.map(\.description).joined(separator: " ") }
}
