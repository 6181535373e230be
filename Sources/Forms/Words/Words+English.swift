// SPDX-License-Identifier: Apache-2.0

extension LanguageWords {
    /// English, with the abbreviations that ids have everywhere.
    static let english = LanguageWords([
        .password: """
        *loginpass*, memorable word, pass, *passphrase*, *passw*, *passwd*, *password*, *passwrd*, psw, pswd, \
        pw, *pwd*, secret word, *userpass*
        """,
        .pin: "pin, pin code, pin number",
        .oneTimeCode: """
        *2fa*, *auth code*, *authentication code*, *authenticator code*, authorization code, backup code, \
        *codesms*, *confirmation code*, digit code, dynamic code, email code, login code, mfa, *one time*, \
        one time passcode, one time password*, one time pin, otp, *otpcode*, recovery code, security token, \
        sign in code, sms pin, *smscode*, temporary code, text message code, token code, totp, *two factor*, \
        *two step*, vcode, verif code, *verification code*, verification number, *verifycode*
        """,
        .email: "*email*, mail, *mail address*",
        .phone: "cell, cell number, cellular, contact number, *mobile*, msisdn, *phone*, sms number, tel, whatsapp",
        .search: "keyword*, =q, =query, =s, search, search*, *search box*, *sitesearch*",
        .captcha: """
        anti spam, *captcha*, characters in the image, characters shown, characters you see, \
        code from the image, code shown, image code, image verification, letters you see, not a robot, \
        security image, text you hear, text you see, type the characters, type the text, visual code, \
        word verification
        """,
        .trap: """
        are human, bot field, botcheck, don t fill, *donotfill*, *fakeemail*, *fakepass*, *fakeuser*, \
        for system use, *honeypot*, hp, leave blank, leave empty, leave this blank, leave this empty, \
        leave this field blank, leave this field empty, leave this form field blank, must be empty, \
        should be empty, should be left blank
        """,
        .username: """
        access id, access number, account name, handle, identifier, *login id*, *login name*, *loginfmt*, logon id, \
        logon name, member name, online id, pen name, screen name, sign in id, sign in name, uid, uname, user code, \
        *user id*, user identifier, user login, user nick, user number, *username*, usr name, usrid
        """,
        .alias: """
        client no, client number, *customer id*, customer no, customer number, customer reference, employee id, \
        employee number, frequent flyer number, loyalty number, *member id*, member no, *member number*, \
        membership id, membership no, membership number, national id, nick, *nickname*, policy number, student id, \
        student number, subscriber number
        """,
        .login: "*login*, logon, *sign in*",
        .account: """
        account, account id, account no, account number, acct, client, customer, id, member, number, user, usr
        """,
        .code: "activation code, code, *passcode*",
        .securityCode: "*security code*, security number",
        .payment: """
        appears on card, appears on the card, bank*, bic, card expir*, *card holder*, card month, card name, \
        *card no*, *card num*, *card number*, card owner, card type, card year, *cardcode*, *cardverif*, \
        cc exp*, cc name, cc no, ccnum, *ccnumber*, ccv, *credit card*, csc, *cvc*, *cvv*, *debit card*, \
        exp date, exp month, exp year, expir*, *gift card*, gift certificate*, gift code, iban, name on card, \
        name on the card, *routing number*, *social security*, sort code, ssn, swift, tax payer*
        """,
        .personName: """
        contact name, display name, *family name*, *first name*, fname, forename, *full name*, *given name*, \
        initials, *last name*, legal name, lname, middle initial, *middle name*, mname, name first, \
        name last, name prefix, name suffix, parent name, preferred name, real name, recipient name, \
        salutation, sender name, sender s name, surname, your name
        """,
        .bareName: "=name",
        .birthday: """
        age, bday, birth*, *birthdate*, *birthday*, date of birth, =day, =dd, dob, =mm, =month, =year, \
        year of birth, =yyyy
        """,
        .organization: """
        business, business name, company, *company name*, department, employer, firm, institution, job title, \
        occupation, organisation*, organization*, profession, school
        """,
        .address: """
        addr, *address1*, *address2*, apartment, apt, area code, billing address, building, city, country, \
        *country code*, county, delivery address, dialing code, floor, house number, location, \
        mailing address, *post code*, postal, *postal code*, province, region, shipping address, state, \
        *street*, suburb, suite, town, unit, zip, zip*, *zip code*
        """,
        .bareAddress: "address",
        .securityAnswer: """
        answer, challenge answer, challenge question, first pet, *maiden name*, password answer, \
        *password hint*, password question, recovery question, reminder question, *secret answer*, \
        *secret question*, *security answer*, *security question*
        """,
        .matter: """
        access token, amount, annual pass, boarding pass, booking reference, brand, budget, bus pass, \
        comment*, confirmation number, coupon*, *coupon code*, day pass, description, discount*, \
        discount code, domain, domain name, ein, ez pass, fast pass, fax, ferry pass, festival pass, \
        gate pass, gender, guest pass, gym pass, hall pass, hear about, height, homepage, invit*, \
        invitation code, invite code, language, license*, lift pass, message, metro pass, model, month pass, \
        monthly pass, museum pass, nationality, note, notes, offer code, order number, park pass, \
        parking pass, pass barcode, pass card, pass category, pass holder, pass id, pass mark, pass no, \
        pass nr, pass number, pass rate, pass score, pass serial*, pass type, pass valid*, prefix, \
        press pass, product, promo*, *promo code*, promotional code, qty, quantity, question, rail pass, \
        receive*, referral*, *referral code*, referrer, reservation*, season pass, serial number, sex, \
        ski pass, source code, subject, tax id, title, tracking number, train pass, tram pass, transit pass, \
        travel pass, url, vat*, vehicle pass, vip pass, visitor pass, *voucher*, website, week pass, \
        weekend pass, weekly pass, weight, year pass
        """,
        .new: """
        add a, choose*, create*, define, desired, make a, new, *newpass*, *newpw*, pick a, set a, \
        set password, set your, think up
        """,
        .current: """
        current, *currentpass*, existing, old, *oldpass*, *oldpw*, orig, original, present, prev, previous
        """,
        .confirmation: """
        *again*, cfm, check, chk, conf, *confirm*, confirmation, duplicate, once more, *passverif*, re, \
        re enter*, rep, repeat*, *retype*, rpt, second time, verif, verify*, *verifypass*, vfy, vrfy
        """,
        .strength: """
        alphanumeric, at least, case sensitive letters, characters long, characters or more, \
        letters and numbers, letters or more, lower case, min, minimum, must be, must contain, must have, \
        must include, or longer, or more characters, password requirement*, password strength, \
        special character*, upper case
        """,
        .signUp: """
        become a member, create a free account, *create account*, create an account, create my account, \
        create profile, create your account, enroll*, free trial, get started, join, *new account*, \
        new customer, new member, new user, open an account, reg, *register*, *registration*, \
        set up your account, *sign up*
        """,
        .signIn: """
        authenticate, existing customer*, existing user*, *login*, logon, registered customer*, \
        registered member*, registered user*, returning customer*, session, sessions, *sign in*, unlock, \
        welcome back
        """,
        .remember: """
        *auto login*, keep, keep logged, keep me, keep signed, kmsi, persistent, *remember*, stay, \
        stay logged, stay signed, trust this
        """,
        .terms: """
        accept*, *agree*, conditions, consent, marketing, newsletter*, *privacy*, receive emails, subscribe*, \
        *terms*, tos
        """,
        .passwordChange: """
        change my password, *change password*, change your password, choose a new, new password, \
        password change, password reset, reset my password, *reset password*, reset your password, \
        set a new password, set your password, update password, update your password
        """,
        .lost: "can t access, cannot access, forget, forgot*, lost password, lost your, need help, trouble",
        .aside: """
        already a, already have, already registered, different from, do not use, don t use, except, instead of, \
        never share, never use, not, other than, such as
        """,
    ])
}
