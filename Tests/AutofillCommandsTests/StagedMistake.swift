// SPDX-License-Identifier: Apache-2.0
import Testing

/// A mistake at the command line: what the user types, and what was wrong before.
struct StagedMistake: CustomTestStringConvertible {
    let description: String
    /// As it is typed, for sh(1).
    let command: String
    /// Commands that cause the mistake, with the key as proof.
    var setUp: [String] = []
    /// Whether there is a vault.
    var hasVault = true
    /// Whether there is a terminal to ask at.
    var hasTerminal = true
    var siteAssociation = "advisory"
    /// The exit status of the command when the mistake is fixed.
    var fixedStatus: Int32 = 0

    var testDescription: String { description }

    static let all = ofNames + ofSites + ofApps + ofSettings + ofVaults + ofReferences

    private static let ofNames = [
        StagedMistake(description: "A command's name", command: "autofillctl lst"),
        StagedMistake(description: "The name of a group of commands", command: "autofillctl valt slot list"),
        StagedMistake(description: "A command's name in a group", command: "autofillctl vault lokc"),
        StagedMistake(description: "An option's name", command: "autofillctl list --jsn"),
        StagedMistake(
            description: "An app's name, to explain",
            command: "autofillctl explain org.example.Shp --domain shop.example.com",
            setUp: ["grant allow org.example.Shop shop.example.com"]),
        StagedMistake(
            description: "An app's name, in a grant",
            command: "autofillctl grant allow org.example.Shp shop.example.com"),
        StagedMistake(
            description: "An app's name, to remove", command: "autofillctl app remove org.example.Sop --yes"),
    ]

    private static let ofSites = [
        StagedMistake(description: "A site's name", command: "autofillctl get shp.example.com"),
        StagedMistake(description: "A user name", command: "autofillctl get shop.example.com joo"),
        StagedMistake(
            description: "An address, not a domain", command: "autofillctl get https://shop.example.com/login"),
        StagedMistake(
            description: "Which of two users is not named", command: "autofillctl delete shop.example.com --yes",
            setUp: ["generate shop.example.com eve"]),
        StagedMistake(
            description: "Nobody can confirm", command: "autofillctl delete shop.example.com jo --key-file vault.key",
            hasTerminal: false),
        StagedMistake(
            description: "A credential has no one-time codes", command: "autofillctl code get shop.example.com jo"),
        StagedMistake(
            description: "An app's domain, to explain",
            command: "autofillctl explain org.example.Shop --domain shp.example.com",
            setUp: ["grant allow org.example.Shop shop.example.com"]),
        StagedMistake(
            description: "An app's domain, in a grant",
            command: "autofillctl grant allow org.example.Shop sho.example.com"),
    ]

    private static let ofApps = [
        StagedMistake(
            description: "There is no grant", command: "autofillctl explain org.example.Shop --domain shop.example.com"),
        StagedMistake(
            description: "The user denied the app",
            command: "autofillctl explain org.example.Shop --domain shop.example.com",
            setUp: ["grant deny org.example.Shop shop.example.com"]),
        StagedMistake(
            description: "The user denied it the domain",
            command: "autofillctl domain show org.example.Shop shop.example.com",
            setUp: ["domain deny org.example.Shop shop.example.com"]),
        StagedMistake(
            description: "The site cannot be asked",
            command: "autofillctl suggest --app org.example.Shop --domain shop.example.com", siteAssociation: "required"
        ),
        StagedMistake(
            description: "A registration has mistakes", command: "autofillctl app register 'my registration.json'"),
    ]

    private static let ofSettings = [
        StagedMistake(description: "A setting's name, to set it", command: "autofillctl settings set autoFil on"),
        StagedMistake(description: "A setting's name, to read it", command: "autofillctl settings get logLvel"),
        StagedMistake(description: "A setting's value", command: "autofillctl settings set logLevel debg"),
        StagedMistake(
            description: "AutoFill is off",
            command: "autofillctl suggest --app org.example.Shop --domain shop.example.com",
            setUp: ["settings set autoFill off"]),
        StagedMistake(
            description: "Strong passwords are off for the app",
            command: "autofillctl suggest --app org.example.Shop --domain shop.example.com",
            setUp: ["settings set strongPasswords off --app org.example.Shop"]),
    ]

    private static let ofVaults = [
        StagedMistake(description: "There is no vault", command: "autofillctl list", hasVault: false),
        StagedMistake(
            description: "The vault is locked",
            command: "autofillctl suggest --app org.example.Shop --domain shop.example.com", setUp: ["vault lock"]),
        StagedMistake(
            description: "There is a vault", command: "autofillctl vault create", setUp: ["vault lock"], fixedStatus: 1),
        StagedMistake(
            description: "Others can read the key file", command: "autofillctl list --key-file 'my vault.key'"),
        StagedMistake(
            description: "The last slot", command: "autofillctl vault slot remove 1 --yes",
            setUp: ["vault slot remove 2 --yes"]),
    ]

    private static let ofReferences = [
        StagedMistake(
            description: "A field's name in a reference",
            command: "PW=autofill://shop.example.com/jo/pasword autofillctl run -- sh -c '[ ${#PW} -gt 9 ]'"),
        StagedMistake(
            description: "A user in a reference",
            command: "PW=autofill://shop.example.com/jon/password autofillctl run -- sh -c '[ ${#PW} -gt 9 ]'"),
        StagedMistake(
            description: "A site in a template",
            command: "echo '{{autofill://sho.example.com/jo/user}}' | autofillctl inject"),
        StagedMistake(
            description: "The command to run is not separated", command: "autofillctl run true"),
    ]
}
