// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialHelpers
internal import Glibc
internal import SecretMemory

/// `git-credential-autofill`, `docker-credential-autofill` and `cargo-credential-autofill`: one program, which serves
/// the tool in the name that it is started by. It stores nothing, and writes secrets only to standard output.
@main
struct AutofillCredential {
    static func main() {
        ProcessSecrecy.forbidCoreDumps()
        signal(SIGPIPE, SIG_IGN)
        guard let (tool, arguments) = HelperTool.started(as: CommandLine.arguments) else {
            let names = HelperTool.allCases.map(\.program).joined(separator: ", ")
            StandardStreams.printError("autofill-credential \(ProductVersion.text): run it as \(names)")
            exit(CommandLine.arguments.dropFirst().first == "--version" ? 0 : EX_USAGE)
        }
        if arguments.elementsEqual(["--check"]) { exit(HelperCheck.run(tool)) }
        let session = HelperSession(tool)
        do throws(HelperTrouble) {
            switch tool {
            case .git: exit(try serveGit(Array(arguments), session))
            case .docker: exit(serveDocker(Array(arguments), session))
            case .cargo: exit(try serveCargo(Array(arguments), session))
            }
        } catch {
            StandardStreams.printError(error.message)
            exit(EX_USAGE)
        }
    }

    private static func serveGit(_ arguments: [String], _ session: HelperSession) throws(HelperTrouble) -> Int32 {
        var helper = try GitHelper(arguments: arguments)
        let now = Int64(time(nil))
        var action = StandardStreams.withInput(helper.readsInput) { helper.start($0, now: now) }
        while case .perform(let task) = action { action = helper.next(after: task, session.perform(task), now: now) }
        return report(action, program: HelperTool.git.program)
    }

    private static func serveDocker(_ arguments: [String], _ session: HelperSession) -> Int32 {
        do throws(HelperTrouble) {
            let helper = try DockerHelper(arguments: arguments)
            var action = StandardStreams.withInput(helper.readsInput) { helper.start($0) }
            while case .perform(let task) = action { action = helper.next(after: task, session.perform(task)) }
            return report(action, program: HelperTool.docker.program)
        } catch {
            return report(DockerHelper.error(error.message), program: HelperTool.docker.program)
        }
    }

    private static func serveCargo(_ arguments: [String], _ session: HelperSession) throws(HelperTrouble) -> Int32 {
        var helper = try CargoHelper(arguments: arguments)
        StandardStreams.write(CargoHelper.hello)
        var lines = InputLines()
        while lines.next({ line in
            var action = helper.start(line)
            while case .perform(let task) = action { action = helper.next(after: task, session.perform(task)) }
            _ = report(action, program: HelperTool.cargo.program)
        }) {}
        return 0
    }

    private static func report(_ action: HelperAction, program: String) -> Int32 {
        guard case .answer(let answer) = action else { return EX_SOFTWARE }
        if let trouble = answer.trouble { StandardStreams.printError("\(program): \(trouble)") }
        return StandardStreams.write(answer.output) ? answer.status : EX_IOERR
    }
}
