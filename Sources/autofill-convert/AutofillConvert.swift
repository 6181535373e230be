// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CAutofillLinux
internal import ForeignFormats
internal import Glibc
internal import SecretMemory

/// Converts files of other programs to records, and records to such files. It confines itself first: it reads and
/// writes the descriptors that it is given, and can do nothing else.
@main
struct AutofillConvert {
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        do throws(OptionProblem) {
            let options = try ConvertOptions(Array(CommandLine.arguments.dropFirst()))
            switch options.task {
            case .help: Descriptors.print(ConvertOptions.help)
            case .version: Descriptors.print("autofill-convert \(ProductVersion.text)\n")
            case .check(let layer): exit(ConfinementCheck.run(layer))
            case .importing, .exporting(_), .code: convert(options)
            }
        } catch {
            Descriptors.printError("\(error.message). See autofill-convert --help.")
            exit(EX_USAGE)
        }
    }

    private static func convert(_ options: ConvertOptions) {
        // What libraries read of the system, they read now.
        _ = ForeignLibraries.areAvailable
        let now = Int64(time(nil)) * 1000
        do throws(ConversionError) {
            // Their sizes cannot be asked for afterwards.
            let input = InputDescriptor(options.input)
            let password = options.password.map { InputDescriptor($0) }
            let keyFile = options.keyFile.map { InputDescriptor($0) }
            if let problem = Confinement.enter(keeping: options.descriptors) {
                Descriptors.printError(problem)
                exit(EX_OSERR)
            }
            let passwordText = try password?.readLine(limit: ConversionLimits.passwordBytes)
            let keyFileBytes = try keyFile?.read(limit: ConversionLimits.keyFileBytes).secret
            let output = OutputDescriptor(STDOUT_FILENO)
            if case .code = options.task {
                let line = try input.readLine(limit: ConversionLimits.qrCodeBytes)
                return try Conversion.draw(line ?? SecretBytes(utf8: ""), to: output)
            }
            let file = try input.read(limit: ConversionLimits.inputBytes)
            switch options.task {
            case .exporting(let format):
                let report = options.report.map { OutputDescriptor($0) }
                try Conversion.write(file, as: format, passwordText, now, to: output, report)
            default:
                try file.withUnsafeBytes { bytes throws(ConversionError) in
                    let source = ImportSource(
                        bytes, password: passwordText, keyFile: keyFileBytes, columns: options.columns)
                    try Conversion.read(source, to: output)
                }
            }
        } catch {
            Descriptors.printError("\(error)")
            exit(EX_DATAERR)
        }
    }
}
