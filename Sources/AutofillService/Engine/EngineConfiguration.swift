// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol
package import ConfigurationFiles
package import Settings

/// What the engine is made of.
package struct EngineConfiguration {
    package let environment: ServiceContext
    package let vault: VaultSource
    package let settings: SettingsSource
    package let apps: AppFiles
    package let prompter: any UserPrompter
    /// Asks a site which apps it lists.
    package let fetch: (AssociationQuery) async -> AssociationReport
    /// The file that opens the vault without the user, by the settings in force.
    package let keyFile: (DaemonSettings) -> String?

    package init(
        environment: ServiceContext, vault: VaultSource, settings: SettingsSource, apps: AppFiles,
        prompter: any UserPrompter,
        fetch: @escaping (AssociationQuery) async -> AssociationReport,
        keyFile: @escaping (DaemonSettings) -> String?
    ) {
        self.environment = environment
        self.vault = vault
        self.settings = settings
        self.apps = apps
        self.prompter = prompter
        self.fetch = fetch
        self.keyFile = keyFile
    }
}

/// The settings at the start, and where they are from.
package struct SettingsSource {
    package let layers: SettingsLayers
    /// nil where changes are kept in memory only.
    package let files: SettingsFiles?
    /// The user's file, for messages.
    package let path: String

    package init(_ layers: SettingsLayers, files: SettingsFiles?, path: String) {
        (self.layers, self.files, self.path) = (layers, files, path)
    }
}

/// The files that describe apps and sites.
package struct AppFiles {
    package let registrations: RegistrationDirectories
    /// Where registrations are searched.
    package let paths: [String]
    /// What is publicly known of sites.
    package let sites: SiteKnowledgeFile
    package let administrator: AdministratorFiles
    package let userID: UInt32

    package init(
        registrations: RegistrationDirectories, paths: [String], sites: SiteKnowledgeFile,
        administrator: AdministratorFiles, userID: UInt32
    ) {
        (self.registrations, self.paths, self.sites) = (registrations, paths, sites)
        (self.administrator, self.userID) = (administrator, userID)
    }
}
