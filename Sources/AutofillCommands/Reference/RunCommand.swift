// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillProtocol
import FoundationEssentials
import Glibc
import SecretMemory

struct RunCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Runs a command with secrets in its environment.",
        discussion: """
            Each environment variable whose value is a reference, autofill://SITE/USER/FIELD as in autofillctl inject, has \
            the saved value in the command's environment. Each value counts as a release, and is recorded with the name \
            of the command, without its arguments; the process number in the record is that of the command. The command \
            cannot dump core, and reads nothing from the descriptor of a proof. Programs of yours, and all that the \
            command starts, can read its environment: where the command reads a file or standard input, use autofillctl \
            inject instead.

            Examples:
              PGPASSWORD=autofill://db.example.com/jo/password autofillctl run -- psql
              autofillctl run --key-file vault.key -- ./deploy --all
            """)

    @Argument(parsing: .postTerminator, help: ArgumentHelp("The command and its arguments, after --."))
    var command: [String]

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func validate() throws {
        if command.isEmpty { throw ValidationError("Name the command after --: autofillctl run -- COMMAND.") }
    }

    func perform(_ console: Console) async throws(CommandFailure) {
        var references: [(variable: String, reference: SecretReference)] = []
        for (variable, value) in ProcessInfo.processInfo.environment where value.hasPrefix(SecretReference.scheme) {
            do throws(CommandFailure) {
                references.append((variable, try SecretReference(value)))
            } catch {
                throw CommandFailure(
                    error.status,
                    error.problems.map {
                        .init(code: $0.code, message: "\(variable.printable): \($0.message)", fix: $0.fix)
                    })
            }
        }
        if !references.isEmpty {
            let (session, proof) = try await service.proven(self.proof)
            var values = SecretValues(session, proof: proof, for: "run: \(command[0])")
            for (variable, reference) in references {
                try Self.set(variable, try await values.value(of: reference))
            }
        }
        throw start()
    }

    /// The command with what separates it from the one that it runs, where that is missing.
    static func fix(of arguments: [String]) -> String? {
        guard arguments.first == configuration.commandName, arguments.count > 1, !arguments.contains("--") else {
            return nil
        }
        return "Did you mean: \(CommandLineFix.command(adding: "--", after: "run", in: arguments))"
    }

    private static func set(_ variable: String, _ value: SecretBytes) throws(CommandFailure) {
        let isText = value.withUnsafeBytes { !$0.contains(0) }
        guard isText else {
            throw CommandFailure(
                .refused, "The value for \(variable.printable) contains a null byte", fix: "Use autofillctl inject")
        }
        let text = SecretBytes(count: value.count + 1) { memory in
            value.withUnsafeBytes { memory.copyMemory(from: $0) }
            memory[value.count] = 0
        }
        let result = text.withUnsafeBytes { bytes in
            bytes.baseAddress.map { setenv(variable, $0.assumingMemoryBound(to: CChar.self), 1) } ?? -1
        }
        guard result == 0 else {
            throw CommandFailure(.system, "The environment cannot be set: \(String(cString: strerror(errno)))")
        }
    }

    /// Replaces this process by the command.
    ///
    /// - Returns: why it could not be started.
    private func start() -> CommandFailure {
        // What autofillctl has set for itself.
        if getenv("LIBDISPATCH_LOG").map({ String(cString: $0) }) == "NO" { unsetenv("LIBDISPATCH_LOG") }
        // A secret of the vault's is not for the command, which could read it again.
        for descriptor in [proof.secret.passphraseDescriptor, proof.secret.recoveryKeyDescriptor].compactMap(\.self) {
            let empty = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard empty >= 0, dup2(empty, descriptor) >= 0 else {
                let reason = String(cString: strerror(errno))
                return CommandFailure(.system, "Descriptor \(descriptor) cannot be closed: \(reason)")
            }
        }
        // Threads of libdispatch block signals, and a command inherits that.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        execvp(command[0], &arguments)
        let reason = String(cString: strerror(errno))
        return CommandFailure(
            .noInput, "\(command[0].quoted) cannot be started: \(reason)", fix: "Name a program that is installed")
    }
}
