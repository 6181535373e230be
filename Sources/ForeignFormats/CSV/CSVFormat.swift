// SPDX-License-Identifier: Apache-2.0

/// The columns of one program's CSV files, by their names in lower case.
struct CSVFormat: Sendable {
    let name: String
    /// A header with all of these, and no others than these and `further`, is of this format.
    let required: [String: CSVRole]
    let further: [String: CSVRole]
    /// Between the names of folders, where it is not a slash; between tags.
    var folderSeparator: Character = "/"
    var tagSeparator: Character = ","
    /// Whether its column of the URL has several of them with commas between them.
    var joinsSites = false

    init(
        _ name: String, _ required: [String: CSVRole], _ further: [String: CSVRole] = [:],
        folderSeparator: Character = "/", tagSeparator: Character = ",", joinsSites: Bool = false
    ) {
        self.name = name
        self.required = required
        self.further = further
        self.folderSeparator = folderSeparator
        self.tagSeparator = tagSeparator
        self.joinsSites = joinsSites
    }

    func role(_ column: String) -> CSVRole? { required[column] ?? further[column] }

    func matches(_ header: [String]) -> Bool {
        required.keys.allSatisfy(header.contains) && header.allSatisfy { role($0) != nil }
    }

    /// The format of a header; of several the one that requires the most columns.
    static func recognise(_ header: [String]) -> CSVFormat? {
        all.filter { $0.matches(header) }.max { $0.required.count < $1.required.count }
    }

    static let all: [CSVFormat] = [
        // Chrome, Edge, Brave, Opera, Vivaldi.
        CSVFormat(
            "chrome-csv", ["name": .title, "url": .site, "username": .user, "password": .password], ["note": .notes]),
        CSVFormat(
            "firefox-csv",
            [
                "url": .site, "username": .user, "password": .password, "httprealm": .field,
                "formactionorigin": .ignored, "guid": .ignored,
            ],
            ["timecreated": .created, "timelastused": .used, "timepasswordchanged": .changed]),
        // Apple Passwords, Safari.
        CSVFormat(
            "apple-csv", ["title": .title, "url": .site, "username": .user, "password": .password],
            ["notes": .notes, "otpauth": .code]),
        CSVFormat(
            "bitwarden-csv",
            [
                "type": .kind, "name": .title, "notes": .notes, "fields": .fieldLines, "login_uri": .site,
                "login_username": .user, "login_password": .password,
            ],
            [
                "folder": .folder, "favorite": .favourite, "reprompt": .ignored, "login_totp": .code,
                "collections": .folder, "archiveddate": .ignored,
            ], joinsSites: true),
        CSVFormat(
            "1password-csv",
            [
                "title": .title, "url": .site, "username": .user, "password": .password, "otpauth": .code,
                "favorite": .favourite, "archived": .archived, "tags": .tags, "notes": .notes,
            ], tagSeparator: ";"),
        CSVFormat(
            "lastpass-csv",
            [
                "url": .site, "username": .user, "password": .password, "extra": .notes, "name": .title,
                "grouping": .folder, "fav": .favourite,
            ], ["totp": .code], folderSeparator: "\\"),
        CSVFormat(
            "nordpass-csv",
            [
                "name": .title, "url": .site, "username": .user, "password": .password, "note": .notes,
                "cardholdername": .field, "cardnumber": .field, "folder": .folder, "type": .kind,
            ],
            [
                "additional_urls": .sites, "cvc": .field, "pin": .field, "expirydate": .field, "zipcode": .field,
                "shared_folder": .field, "full_name": .field, "phone_number": .field, "email": .email,
                "address1": .field, "address2": .field, "city": .field, "country": .field, "state": .field,
                "custom_fields": .fieldObjects,
            ]),
        CSVFormat(
            "proton-csv",
            [
                "type": .kind, "name": .title, "url": .site, "username": .user, "password": .password, "note": .notes,
                "totp": .code,
            ],
            [
                "email": .email, "autofillurls": .ignored, "createtime": .created, "modifytime": .changed,
                "vault": .folder,
            ], joinsSites: true),
        CSVFormat(
            "dashlane-csv",
            [
                "username": .user, "username2": .field, "username3": .field, "title": .title, "password": .password,
                "note": .notes, "url": .site, "category": .folder,
            ], ["otp": .code, "otpsecret": .code, "otpurl": .code]),
        CSVFormat(
            "keepassxc-csv",
            [
                "group": .folder, "title": .title, "username": .user, "password": .password, "url": .site,
                "notes": .notes,
            ],
            ["totp": .code, "icon": .ignored, "last modified": .changed, "created": .created]),
        // KeePass 1 and 2.
        CSVFormat(
            "keepass-csv",
            ["account": .title, "login name": .user, "password": .password, "web site": .site, "comments": .notes]),
    ]
}
