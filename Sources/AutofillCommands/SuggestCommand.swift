// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol

struct SuggestCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "suggest", abstract: "Shows what an app would be offered for a form.",
        discussion: """
            Greets the service as the app and describes a form to it. The service knows that autofillctl is not the app, \
            unless the registration names no executables: as one may, on a service for tests. A strong password that it \
            offers is declined at once, and so stays 30 days in offers list; the password itself is never fetched.

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

    @Option(help: ArgumentHelp("The app to greet as.", valueName: "bundle-id"))
    var app: String

    @Option(help: "The site that the form is for.")
    var domain: String

    @Option(help: "The kind of form.")
    var form = FormKind.signUp

    @Flag(help: "Add a field that confirms the new password.")
    var confirm = false

    @Flag(help: "Show the password's text, as a show-password switch does.")
    var shown = false

    @Flag(name: .customLong("no-username"), help: "Leave the field for the user name out.")
    var withoutUsername = false

    @Option(help: "The password rules of the new password's field.")
    var rules: String?

    @Option(help: ArgumentHelp("The least length the field takes.", valueName: "n"))
    var minlength: Int?

    @Option(help: ArgumentHelp("The greatest length the field takes.", valueName: "n"))
    var maxlength: Int?

    @Option(help: "How a strong password looks: \(PasswordStyle.allCases.map(\.rawValue).joined(separator: " or ")).")
    var style: String?

    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func validate() throws {
        if let style, PasswordStyle(rawValue: style) == nil { throw ValidationError("--style is readable or random.") }
    }

    func perform(_ console: Console) async throws(CommandFailure) {
        let app = try BundleIdentifier(argument: app)
        let domain = try DomainName(argument: domain)
        let session = try await service.session(as: app.text)
        let answer = try await session.call(
            AutofillSuggest(service: ServiceIdentifier(domain), fields: fields, style: style))
        if let offer = answer.strongPassword?.offer { _ = try await session.call(AutofillDecline(offer: offer)) }
        // A form that only signs in asks for no strong password: that there is none is no fault.
        let withheld = answer.withheld.filter { form != .signIn || $0.type != "strongPassword" }
        if format.json {
            console.print { answer.write(to: &$0) }
        } else {
            show(answer, withheld, console)
        }
        // Everything has been said; the exit status says it once more.
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
        console.print("The form is taken for: \(answer.formKind)")
        if let strong = answer.strongPassword {
            console.print(
                "\(console.styled("offered", .green)): a strong password for \(strong.fields.joined(separator: ", "))")
            console.print("  \(strong.length) characters, \(strong.bits) bits, \(strong.style)")
            console.print("  drawn uniformly from \(strong.count)")
            if !strong.rules.isEmpty { console.print("  under ", hanging: strong.rules) }
            for diagnostic in strong.diagnostics { console.print("  note: ", hanging: diagnostic.printable) }
        }
        if let saved = answer.savedCredentials {
            console.print(
                "\(console.styled("offered", .green)): what is saved, for \(saved.fields.joined(separator: ", "))")
            if saved.credentials.isEmpty { console.print("  Without a grant an app is not told whether there is any.") }
            for credential in saved.credentials { console.print("  \(credential.user.printable)") }
        }
        if answer.strongPassword == nil, answer.savedCredentials == nil, withheld.isEmpty {
            console.print("Nothing is saved that could be offered.")
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
