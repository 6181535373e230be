// SPDX-License-Identifier: Apache-2.0

/// RFC 3492, for labels of domain names: the text after `xn--`, in lower case.
enum Punycode {
    // Section 5.
    private static let base = 36, tMin = 1, tMax = 26, skew = 38, damp = 700, initialBias = 72, initialN = 0x80

    /// Whether the text decodes to a label with something outside ASCII in it and nothing that a label cannot have, and
    /// is how that label is encoded.
    static func isCanonical(_ text: Substring) -> Bool {
        guard let scalars = decode(text), scalars.contains(where: { !$0.isASCII }),
            scalars.allSatisfy(\.isAllowedInLabel)
        else { return false }
        return encode(scalars).map { $0 == text } ?? false
    }

    /// Section 6.2; nil for what is no Punycode or overflows.
    static func decode(_ text: Substring) -> [Unicode.Scalar]? {
        let bytes = Array(text.utf8)
        let delimiter = bytes.lastIndex(of: UInt8(ascii: "-"))
        var output = bytes[..<(delimiter ?? 0)].map(Int.init)
        guard output.allSatisfy({ $0 < initialN }) else { return nil }
        var rest = bytes[(delimiter.map { $0 + 1 } ?? 0)...]
        var n = initialN, index = 0, bias = initialBias
        while !rest.isEmpty {
            let start = index
            var weight = 1
            for k in stride(from: base, through: Int.max, by: base) {
                guard let digit = rest.popFirst().flatMap(value) else { return nil }
                let (step, stepOverflow) = digit.multipliedReportingOverflow(by: weight)
                let (sum, sumOverflow) = index.addingReportingOverflow(step)
                if stepOverflow || sumOverflow { return nil }
                index = sum
                let threshold = threshold(k, bias)
                if digit < threshold { break }
                let (next, overflow) = weight.multipliedReportingOverflow(by: base - threshold)
                if overflow { return nil }
                weight = next
            }
            let count = output.count + 1
            bias = adapt(index - start, count, isFirst: start == 0)
            n += index / count
            index %= count
            guard n <= 0x10FFFF else { return nil }
            output.insert(n, at: index)
            index += 1
        }
        return try? output.map { value in
            guard let scalar = Unicode.Scalar(UInt32(value)) else { throw NoScalar() }
            return scalar
        }
    }

    /// Section 6.3; nil for more than a label can hold.
    static func encode(_ scalars: [Unicode.Scalar]) -> String? {
        guard scalars.count <= DomainName.labelLimit else { return nil }
        var output = scalars.filter(\.isASCII).map { UInt8(truncatingIfNeeded: $0.value) }
        var handled = output.count
        let basic = handled
        if basic > 0 { output.append(UInt8(ascii: "-")) }
        var n = initialN, delta = 0, bias = initialBias
        while let next = scalars.lazy.map({ Int($0.value) }).filter({ $0 >= n }).min() {
            delta += (next - n) * (handled + 1)
            n = next
            for scalar in scalars {
                if scalar.value < n { delta += 1 }
                guard scalar.value == n else { continue }
                var quotient = delta
                for k in stride(from: base, through: Int.max, by: base) {
                    let threshold = threshold(k, bias)
                    if quotient < threshold { break }
                    output.append(digit(threshold + (quotient - threshold) % (base - threshold)))
                    quotient = (quotient - threshold) / (base - threshold)
                }
                output.append(digit(quotient))
                bias = adapt(delta, handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            n += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    private struct NoScalar: Error {}

    private static func threshold(_ k: Int, _ bias: Int) -> Int { min(max(k - bias, tMin), tMax) }

    /// Section 6.1.
    private static func adapt(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / damp : delta / 2
        delta += delta / count
        var k = 0
        while delta > (base - tMin) * tMax / 2 {
            delta /= base - tMin
            k += base
        }
        return k + (base - tMin + 1) * delta / (delta + skew)
    }

    private static func value(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a"))
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0")) + 26
        default: nil
        }
    }

    private static func digit(_ value: Int) -> UInt8 {
        UInt8(value < 26 ? value + Int(UInt8(ascii: "a")) : value - 26 + Int(UInt8(ascii: "0")))
    }
}

extension Unicode.Scalar {
    /// As in browsers (UTS 46, non-transitional): visible and unchanged by case folding and NFKC, except for the two
    /// letters and two joiners that IDNA 2008 allows. Symbols are allowed: such names exist.
    fileprivate var isAllowedInLabel: Bool {
        switch self {
        case "ß", "ς", "\u{200C}", "\u{200D}": true
        default: isVisible && !properties.changesWhenNFKCCaseFolded
        }
    }
}
