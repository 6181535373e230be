// SPDX-License-Identifier: Apache-2.0

/// What fields are called, in the languages of many sites. A token must be a word of its own; a stem may stand anywhere
/// in the run of words. Browsers keep such lists too (Chromium's password-form and autofill expressions, Firefox's
/// username-field hints); these are our own.
struct Vocabulary: Sendable {
    struct Word: Sendable {
        /// As people write it.
        let written: String
        let folded: String
    }

    let tokens: [Word]
    private let stems: [Word]
    /// The stems' folded bytes, and by their first byte where those are: a long text is gone through once.
    private let bytes: [[UInt8]]
    private let beginning: [[Int]]

    /// Both as text with spaces between the words.
    private init(tokens: String = "", stems: String = "") {
        self.tokens = Self.words(tokens)
        self.stems = Self.words(stems)
        bytes = self.stems.map { Array($0.folded.utf8) }
        var beginning = [[Int]](repeating: [], count: 256)
        for (index, stem) in bytes.enumerated() {
            if let first = stem.first { beginning[Int(first)].append(index) }
        }
        self.beginning = beginning
    }

    /// The first stem, in their own order, that stands anywhere in a folded text.
    func stem(in text: [UInt8]) -> Word? {
        var found = stems.count
        for start in text.indices {
            for index in beginning[Int(text[start])] where index < found && text[start...].starts(with: bytes[index]) {
                found = index
            }
        }
        return found < stems.count ? stems[found] : nil
    }

    private static func words(_ text: String) -> [Word] {
        text.split(separator: " ").map { Word(written: String($0), folded: FieldWords.fold(String($0))) }
    }
}

extension Vocabulary {
    static let password = Vocabulary(
        tokens: "pw pass pwd pswd psw mdp clave pin",
        stems: """
            passw passphrase userpass loginpass pwd kennwort contraseñ contrasen senha palavrapasse motdepasse wachtwoord \
            lösenord passord adgangskode salasana hasło heslo jelszó parol пароль şifre geslo lozinka zaporka slaptažodis \
            κωδικόςπρόσβασης סיסמה كلمةالمرور パスワード 暗証番号 密码 密碼 口令 비밀번호 암호 mậtkhẩu katasandi รหัสผ่าน पासवर्ड
            """)

    static let confirmation = Vocabulary(
        tokens: "again re rpt conf cfm verify verif chk check bis",
        stems: """
            confirm repeat retype reenter repet repit wiederhol bestätig erneut nochmal ripet conferma herhaal bevestig \
            powtórz potwierdź повтор подтверд tekrar 確認 确认 確認用 再次 再入力 다시 확인 gentag upprepa gjenta toista znovu \
            megerősít again verifypass passverif
            """)

    static let new = Vocabulary(
        tokens:
            "new neu neue neues nueva nuevo nouveau nouvelle nova novo nuova nuovo nieuw nieuwe nowe nowy nové novy nytt nyt yeni",
        stems: "newpass newpw desired choose choisi create elige crear wähle erstell neukenn neuespass новый 新しい 新密 새")

    static let current = Vocabulary(
        tokens: "old alt altes cur present previous prev orig original stare oude vecchia vecchio eski antigua ancien",
        stems: """
            current oldpass oldpw existing aktuell bisherig derzeit contraseñaactual actual actuel ancienmot anterior atual \
            attuale huidig obecne текущ старый 現在の 旧パス 当前 原密码 旧密码 현재 mevcut nuvarande nåværende nuværende
            """)

    static let username = Vocabulary(
        tokens: "user login uid uname usr nick nickname handle account acct konto compte cuenta",
        stems: """
            username userid userlogin loginid loginname loginfmt login benutzer usuario usuário utilisateur identifiant \
            gebruiker utente brukernavn brugernavn användarn käyttäjä użytkownik uživatel felhasználó kullanıcı логин \
            пользовател ユーザ アカウント 会員番号 会員id ログインid 用户 用戶 帐号 账号 帳號 아이디 사용자 accountname accountid customernumber \
            customerid kundennummer memberid membernumber screenname
            """)

    /// What an address is called that is a user name.
    static let login = Vocabulary(stems: "login username userid")

    static let email = Vocabulary(
        tokens: "mail", stems: "email correo courriel epost eposta почт メール 邮箱 電子郵件 电子邮件 이메일 mailadresse")

    static let phone = Vocabulary(
        tokens: "tel cell handy", stems: "phone mobile telefon téléphone celular телефон 電話 手机 휴대")

    static let oneTimeCode = Vocabulary(
        tokens: "otp totp mfa tan mtan",
        stems: """
            otpcode onetime einmal 2fa twofactor twostep verificationcode verifycode authcode authenticationcode \
            authenticatorcode securitycode smscode codesms smspin códigodeverif códigodeseg codedeverif codedevérif \
            codedeconfirm confirmationcode bestätigungscode sicherheitscode prüfcode verifizierungscode codedesécur \
            codicediver verificatiecode кодподтвержд кодизсмс doğrulamakod 確認コード 認証コード ワンタイム 验证码 驗證碼 인증번호
            """)

    static let card = Vocabulary(
        tokens: "cvv cvc csc iban ssn ccv",
        stems: """
            cardnumber ccnum creditcard cardno cardcode cardverif kartennummer kreditkarte kartenprüf tarjeta numérodecarte \
            carteban cvv cvc socialsecurity routingnumber sozialvers cpfcnpj номеркарты カード番号 信用卡 카드번호
            """)

    static let search = Vocabulary(
        tokens: "search q query suche suchen suchbegriff buscar busca rechercher recherche cerca zoek zoeken szukaj",
        stems: "searchbox searchterm sitesearch поиск 検索 搜索 검색")

    static let personName = Vocabulary(
        tokens: "fname lname surname forename",
        stems: """
            firstname lastname fullname givenname familyname middlename yourname vorname nachname prénom apellido sobrenome \
            nomedefamilia cognome voornaam achternaam nazwisko фамили 氏名 お名前 姓名 이름
            """)

    static let birthday = Vocabulary(
        tokens: "dob bday", stems: "birth geburt nacimiento naissance nascimento nascita geboorte рожден 生年月日")

    static let terms = Vocabulary(
        tokens: "tos agb agree",
        stems: "terms agree accept privacy newsletter datenschutz condiciones conditions termos termini соглас 利用規約 同意")

    static let remember = Vocabulary(
        tokens: "keep stay merken",
        stems: "remember angemeldet recordar souvenir lembrar ricorda onthoud запомн zapamięt 保持 次回 自动登录 로그인상태")

    static let signUp = Vocabulary(
        tokens: "reg join",
        stems: "signup register registr inscri enroll createaccount newaccount neueskonto 新規登録 注册 회원가입")

    static let trap = Vocabulary(tokens: "hp", stems: "honeypot leaveblank leaveempty donotfill leerlassen")

    /// What is written in plain text beside a user name, and is none.
    static let unrelated = Vocabulary(
        tokens:
            "city zip plz url website company firma street state country subject comment message coupon promo title",
        stems: """
            captcha postal postcode streetaddress addressline voucher giftcard referral invit securityquestion securityanswer \
            secretanswer antwort questionsecr
            """)
}
