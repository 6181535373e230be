// SPDX-License-Identifier: Apache-2.0

extension LanguageWords {
    /// All languages, the one whose words ids are in everywhere before the others.
    static let all: [LanguageWords] = [
        .english, .arabic, .baltic, .bulgarian, .catalan, .chinese, .croatian, .czech, .danish, .dutch, .finnish,
        .french,
        .german, .greek, .hebrew, .hindi, .hungarian, .indonesian, .italian, .japanese, .korean, .norwegian, .persian,
        .polish, .portuguese, .romanian, .russian, .spanish, .swedish, .thai, .turkish, .ukrainian, .vietnamese,
    ]
}
