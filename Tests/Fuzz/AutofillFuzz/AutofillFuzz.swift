// SPDX-License-Identifier: Apache-2.0
import FuzzTargets
import Glibc

/// One run of libFuzzer on the target that the environment names (AUTOFILL_FUZZ_TARGET).
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTarget(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try chosen.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    } catch {
        preconditionFailure("\(error)")
    }
    return 0
}

private let chosen: FuzzTarget = {
    let name = getenv("AUTOFILL_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        preconditionFailure("AUTOFILL_FUZZ_TARGET is one of \(FuzzTarget.allCases.map(\.rawValue))")
    }
    return target
}()

/// The package manager uses this name instead of `main`; it calls libFuzzer's. With `--seeds FOLDER` it writes the good
/// inputs to begin from, and ends.
@_cdecl("AutofillFuzz_main")
public func main(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
    if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--seeds" {
        return writeSeeds(to: CommandLine.arguments[2])
    }
    var (count, arguments) = (count, arguments)
    return runFuzzer(&count, &arguments, fuzzTarget)
}

private func writeSeeds(to folder: String) -> CInt {
    guard let seeds = try? chosen.seeds else { return 1 }
    for (number, seed) in seeds.enumerated() {
        guard let file = fopen("\(folder)/seed-\(number)", "w") else { return 1 }
        fwrite(seed, 1, seed.count, file)
        fclose(file)
    }
    return 0
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
