// SPDX-License-Identifier: Apache-2.0

/// One-time codes that only their position identifies.
extension FormReading {
    mutating func findCodes() {
        findSplitCode()
        guard !fields.indices.contains(where: { role($0) == .oneTimeCode || role($0) == .payment }) else { return }
        guard let heading = context.first(of: [.oneTimeCode, .securityCode]) else { return }
        let open = fields.indices.filter { index in
            switch fields[index].purpose {
            case .code, .text(likelihood: 0), .password: true
            default: false
            }
        }
        // A form that is about a code and has one field to type in.
        if open.count == 1, !fields[open[0]].words.has(.password), role(open[0]) == .other {
            give(.oneTimeCode, to: open[0], heading.ground)
        }
    }

    /// Adjacent fields that accept one character each are one code.
    private mutating func findSplitCode() {
        var start = 0
        while start < fields.count {
            var end = start
            while end < fields.count, acceptsOneCharacter(end) { end += 1 }
            if (4...8).contains(end - start) {
                for index in start..<end where role(index) != .oneTimeCode {
                    give(.oneTimeCode, to: index, "it is one of \(end - start) fields of one character each")
                }
            }
            start = max(end, start + 1)
        }
    }

    private func acceptsOneCharacter(_ index: Int) -> Bool {
        guard fields[index].field.maximumLength == 1 else { return false }
        switch fields[index].purpose {
        case .stated(.oneTimeCode), .oneTimeCode, .code, .password, .text: return true
        case .apart(let mayIdentify): return mayIdentify
        case .stated, .search, .payment, .hidden: return false
        }
    }
}
