// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

/// Kinds of texts that RFC 8259 leaves open (`i_`), with what this scanner decides: nil where it accepts.
///
/// Numbers out of range are numbers, but no integers. What is not Unicode is refused, and so is a byte order mark.
package let openTexts: [SuiteCase] = [
    .init("number_double_huge_neg_exp", text("[123.456e-789]"), nil),
    .init("number_huge_exp", text("[0.4e0066999999999999999999999999999999999999999999999969999999006]"), nil),
    .init("number_neg_int_huge_exp", text("[-1e+9999]"), nil),
    .init("number_pos_double_huge_exp", text("[1.5e+9999]"), nil),
    .init("number_real_neg_overflow", text("[-123123e100000]"), nil),
    .init("number_real_pos_overflow", text("[123123e100000]"), nil),
    .init("number_real_underflow", text("[123e-10000000]"), nil),
    .init("number_too_big_neg_int", text("[-123123123123123123123123123123]"), nil),
    .init("number_too_big_pos_int", text("[100000000000000000000]"), nil),
    .init("number_very_big_negative_int", text("[-237462374673276894279832749832423479823246327846]"), nil),
    .init("object_key_lone_2nd_surrogate", text(#"{"\uDFAA":0}"#), .loneSurrogate),
    .init("string_1st_surrogate_but_2nd_missing", text(#"["\uDADA"]"#), .loneSurrogate),
    .init("string_1st_valid_surrogate_2nd_invalid", text(#"["\uD888\u1234"]"#), .loneSurrogate),
    .init("string_UTF-16LE_with_BOM", bytes(#"%FF%FE[%00"%00%E9%00"%00]%00"#), .expectedValue),
    .init("string_UTF-8_invalid_sequence", bytes(#"["%E6%97%A5%D1%88%FA"]"#), .invalidUTF8),
    .init("string_UTF8_surrogate_U+D800", bytes(#"["%ED%A0%80"]"#), .invalidUTF8),
    .init("string_incomplete_surrogate_and_escape_valid", text(#"["\uD800\n"]"#), .loneSurrogate),
    .init("string_incomplete_surrogate_pair", text(#"["\uDd1ea"]"#), .loneSurrogate),
    .init("string_incomplete_surrogates_escape_valid", text(#"["\uD800\uD800\n"]"#), .loneSurrogate),
    .init("string_invalid_lonely_surrogate", text(#"["\ud800"]"#), .loneSurrogate),
    .init("string_invalid_surrogate", text(#"["\ud800abc"]"#), .loneSurrogate),
    .init("string_invalid_utf-8", bytes(#"["%FF"]"#), .invalidUTF8),
    .init("string_inverted_surrogates_U+1D11E", text(#"["\uDd1e\uD834"]"#), .loneSurrogate),
    .init("string_iso_latin_1", bytes(#"["%E9"]"#), .invalidUTF8),
    .init("string_lone_second_surrogate", text(#"["\uDFAA"]"#), .loneSurrogate),
    .init("string_lone_utf8_continuation_byte", bytes(#"["%81"]"#), .invalidUTF8),
    .init("string_not_in_unicode_range", bytes(#"["%F4%BF%BF%BF"]"#), .invalidUTF8),
    .init("string_overlong_sequence_2_bytes", bytes(#"["%C0%AF"]"#), .invalidUTF8),
    .init("string_overlong_sequence_6_bytes", bytes(#"["%FC%83%BF%BF%BF%BF"]"#), .invalidUTF8),
    .init("string_overlong_sequence_6_bytes_null", bytes(#"["%FC%80%80%80%80%80"]"#), .invalidUTF8),
    .init("string_truncated-utf-8", bytes(#"["%E0%FF"]"#), .invalidUTF8),
    .init("string_utf16BE_no_BOM", bytes(#"%00[%00"%00%E9%00"%00]"#), .expectedValue),
    .init("string_utf16LE_no_BOM", bytes(#"[%00"%00%E9%00"%00]%00"#), .expectedValue),
    .init("structure_UTF-8_BOM_empty_object", bytes("%EF%BB%BF{}"), .byteOrderMark),
]
