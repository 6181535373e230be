// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol

struct SuggestCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "suggest", abstract: "Shows what an app would receive for a form.",
        discussion: """
            Connects as the app and describes a form to the service. The service detects that autofillctl is not the app, \
            unless the registration names no executables, as it may on a service for tests. An offered strong password is \
            declined at once, and stays in offers list for 30 days; the password itself is never fetched.

            Examples:
              autofillctl suggest --app org.example.Shop --domain shop.example.com
              autofillctl suggest --app org.example.Shop --domain a.example --form sign-in
              autofillctl suggest --app org.example.Shop --domain a.example --minlength 20
            """)

    enum FormKind: String, CaseIterable, ExpressibleByArgument {
        case signUp = "sign-up"
        case signIn = "sign-in"
        case changePassword = "change-password"
    }

    @Option(help: ArgumentHelp("The app to connect as.", valueName: "bundle-id"))
    var app: String

    @Option(help: "The site that the form is for.")
    var domain: String

    @Option(help: "The kind of form.")
    var form = FormKind.signUp

    @Flag(help: "Add a field that confirms the new password.")
    var confirm = false

    @Flag(help: "Show the password's text, as a show-password switch does.")
    var shown = false

    @Flag(name: .customLong("no-username"), help: "Leave out the field for the user name.")
    var withoutUsername = false

    @Option(help: "The password rules of the new password's field.")
    var rules: String?

    @Option(help: ArgumentHelp("The least length that the field accepts.", valueName: "n"))
    var minlength: Int?

    @Option(help: ArgumentHelp("The greatest length that the field accepts.", valueName: "n"))
    var maxlength: Int?

    @Option(
        help: "The style of a strong password: \(PasswordStyle.allCases.map(\.rawValue).joined(separator: " or ")).")
    var style: String?

    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: ResultFormat

    func validate() throws {
        if let style, PasswordStyle(rawValue: style) == nil { throw ValidationError("--style is readable or random.") }
    }

    func perform(_ console: Console) async throws(CommandFailure) {
        let app = try BundleIdentifier(argument: app)
        let domain = try DomainName(argument: domain)
        let session = try await service.session(as: app.text)
        let answer = try await session.call(
            AutofillSuggest(service: ServiceIdentifier(domain), form: FormDescription(fields), style: style))
        if let offer = answer.strongPassword?.offer { _ = try await session.call(AutofillDecline(offer: offer)) }
        // A sign-in form requests no strong password, so its absence is no failure.
        let withheld = answer.withheld.filter { form != .signIn || $0.type != "strongPassword" }
        if format.json {
            console.print { answer.write(to: &$0) }
        } else {
            show(answer, withheld, console)
        }
        // Everything is printed; only the exit status is left.
        if !withheld.isEmpty { throw CommandFailure(.refused, []) }
    }

    var fields: [FieldDescription] {
        var fields: [FieldDescription] = []
        if !withoutUsername { fields.append(FieldDescription(id: "user", contentType: "username")) }
        if form != .signUp {
            fields.append(FieldDescription(id: "password", contentType: "password", isSecure: !shown))
        }
        guard form != .signIn else { return fields }
        fields.append(
            FieldDescription(
                id: "new", contentType: "newPassword", isSecure: !shown, passwordRules: rules, minimumLength: minlength,
                maximumLength: maxlength))
        if confirm { fields.append(FieldDescription(id: "again", contentType: "newPassword", isSecure: !shown)) }
        return fields
    }

    private func show(_ answer: AutofillSuggest.Answer, _ withheld: [Withheld], _ console: Console) {
        console.print("Recognised form: \(answer.formKind)")
        if let strong = answer.strongPassword {
            console.print(
                "\(console.styled("offered", .green)): a strong password for \(strong.fields.joined(separator: ", "))")
            console.print("  \(strong.length) characters, \(strong.bits) bits, \(strong.style)")
            console.print("  chosen uniformly from \(strong.count)")
            if !strong.rules.isEmpty { console.print("  rules ", hanging: strong.rules) }
            for diagnostic in strong.diagnostics { console.print("  note: ", hanging: diagnostic.printable) }
        }
        if let saved = answer.savedCredentials {
            console.print(
                "\(console.styled("offered", .green)): saved credentials, for \(saved.fields.joined(separator: ", "))")
            if saved.credentials.isEmpty {
                console.print("  Without a grant an app is not notified whether there are any.")
            }
            for credential in saved.credentials { console.print("  \(credential.user.printable)") }
        }
        if answer.strongPassword == nil, answer.savedCredentials == nil, withheld.isEmpty {
            console.print("There are no saved credentials to offer.")
        }
        for withheld in withheld {
            console.print("\(console.styled("withheld", .red)): \(withheld.type)")
            for reason in withheld.reasons {
                console.print("  ", hanging: "\(reason.message.printable) (\(reason.reason))")
                console.print("    Fix: ", hanging: reason.fix.printable)
            }
        }
    }
}
