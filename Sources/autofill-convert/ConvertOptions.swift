// SPDX-License-Identifier: Apache-2.0
internal import ForeignFormats
internal import Glibc

/// A mistake in the arguments. They have no secrets.
struct OptionProblem: Error { let message: String }

/// The arguments.
struct ConvertOptions {
    enum Task { case importing, exporting(ExportFormat), code, check(Confinement.Layer), version, help }

    private(set) var task = Task.help
    private(set) var input = STDIN_FILENO
    private(set) var password: Int32?
    private(set) var keyFile: Int32?
    private(set) var report: Int32?
    private(set) var columns: [CSVColumns.Named] = []

    static let help = """
        Usage: autofill-convert import [OPTIONS] < FILE > RECORDS
               autofill-convert export FORMAT [OPTIONS] < RECORDS > FILE
               autofill-convert qr-code < TEXT
               autofill-convert --check [LAYER] | --version | --help

        Converts files of other password managers and of browsers to records, and records to such files. It reads and
        writes only the descriptors that it is given. It recognises by content: CSV of Chrome, Edge, Firefox, Apple,
        Bitwarden, 1Password, LastPass, NordPass, Proton Pass, Dashlane, KeePassXC and KeePass; JSON of Bitwarden
        and of the Credential Exchange Format; KDBX 3.1 and 4, and KeePass's XML; 1PUX; KWallet's XML; Login Data of
        Chromium, logins.json of Firefox; the entries of pass.

          --column ROLE=NAME   a column of any other CSV file, by its name, or by its number where the file has no
                               header. Roles: \(CSVRole.named.map(\.rawValue).joined(separator: ", "))
          --input-fd N         read from this descriptor, not from standard input
          --password-fd N      the password of the file: the first line of this descriptor
          --key-file-fd N      the key file of a KDBX file, or key4.db of a Firefox profile
          --report-fd N        write what an export has no place for to this descriptor, as records
          --check              try what this program must not be able to do, and print what is refused; by one LAYER
                               alone: landlock, limits, filter, none

        Formats of an export: \(ExportFormat.allCases.map(\.rawValue).joined(separator: ", "))

        Exit status: 0 converted, 64 wrong arguments, 65 the file was refused (standard error has line and column),
        71 the kernel does not confine this program, 74 the output cannot be written.

        """

    init(_ arguments: [String]) throws(OptionProblem) {
        var rest = arguments[...]
        switch rest.popFirst() {
        case "import": task = .importing
        case "export":
            guard let format = rest.popFirst().flatMap(ExportFormat.init) else {
                throw OptionProblem(message: "export needs a format")
            }
            task = .exporting(format)
        case "qr-code": task = .code
        case "--check":
            guard let layer = Confinement.Layer(rawValue: rest.popFirst() ?? "all") else {
                throw OptionProblem(message: "--check has the layers all, landlock, limits, filter and none")
            }
            task = .check(layer)
        case "--version": task = .version
        case "--help", "-h": task = .help
        default: throw OptionProblem(message: "import, export or qr-code is expected")
        }
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { throw OptionProblem(message: "\(option) needs a value") }
            switch option {
            case "--input-fd": input = try Self.descriptor(value)
            case "--password-fd": password = try Self.descriptor(value)
            case "--key-file-fd": keyFile = try Self.descriptor(value)
            case "--report-fd": report = try Self.descriptor(value)
            case "--column": columns.append(try Self.column(value))
            default: throw OptionProblem(message: "the option \(option) does not exist")
            }
        }
    }

    /// All that stay open.
    var descriptors: [Int32] {
        [input, STDOUT_FILENO, STDERR_FILENO] + [password, keyFile, report].compactMap { $0 }
    }

    private static func descriptor(_ text: String) throws(OptionProblem) -> Int32 {
        guard let number = Int32(text), number >= 0 else {
            throw OptionProblem(message: "\(text) is not the number of a descriptor")
        }
        return number
    }

    private static func column(_ text: String) throws(OptionProblem) -> CSVColumns.Named {
        guard let equals = text.firstIndex(of: "="), let role = CSVRole(rawValue: String(text[..<equals])),
            CSVRole.named.contains(role)
        else { throw OptionProblem(message: "\(text) is not ROLE=NAME") }
        return CSVColumns.Named(role: role, column: String(text[text.index(after: equals)...]))
    }
}
