// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import ForeignFormats
internal import Glibc
internal import SecretMemory

/// What this program can do once it reads a file.
enum Confinement {
    /// What it is confined by: everything, but for `--check`.
    enum Layer: String { case all, landlock, limits, filter, none }

    /// Returns a problem where the kernel does not confine it: then nothing is read.
    static func enter(keeping descriptors: [Int32], by layer: Layer = .all) -> String? {
        if layer == .none { return nil }
        ProcessSecrecy.forbidInspection()
        af_close_all_but(descriptors, descriptors.count)
        if layer == .all || layer == .landlock {
            let files = af_forbid_files()
            if files < 0 { return "Landlock failed: error \(-files)" }
        }
        if layer == .all || layer == .limits {
            let limited = af_limit_resources(
                ConversionLimits.memoryBytes, ConversionLimits.processorSeconds, ConversionLimits.outputBytes)
            if limited < 0 { return "the resource limits cannot be set: error \(-limited)" }
        }
        if layer == .all { _ = af_lock_all_memory() }
        if layer == .all || layer == .filter {
            let filtered = af_forbid_system_calls()
            if filtered < 0 { return "the kernel has no seccomp filter for this program: error \(-filtered)" }
        }
        return nil
    }
}
