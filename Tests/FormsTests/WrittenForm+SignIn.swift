// SPDX-License-Identifier: Apache-2.0
import Forms

extension WrittenForm {
    static let signIns: [WrittenForm] = [
        WrittenForm(
            "An app that signs in",
            "<field id=user contentType=username> <field id=pw contentType=password secure>",
            .signIn, "username password", because: "it asks for a user name and a password"),
        WrittenForm(
            "An app that signs in without content types",
            "<field id=loginTextField> <field id=passwordTextField secure>",
            .signIn, "username password", because: "it is the only password field"),
        WrittenForm(
            "An app that signs in by telephone number",
            "<field id=mobileNumber keyboard=phonePad> <field id=password secure>",
            .signIn, "username password", because: "its id contains “mobile” right before the password"),
        WrittenForm(
            "GitHub",
            """
            <input type=hidden name=authenticity_token> <input type=text name=login id=login_field autocomplete=username>
            <input type=password name=password id=password autocomplete=current-password>
            <input type=text name=required_field_6541 hidden>
            """,
            .signIn, "hidden username password hidden", because: "its autocomplete is current-password"),
        WrittenForm(
            "Wikipedia",
            """
            <input id=wpName1 name=wpName placeholder="Enter your username" autocomplete=username>
            <input id=wpPassword1 type=password name=wpPassword autocomplete=current-password>
            <input type=checkbox name=wpRemember id=wpRemember>
            """,
            .signIn, "username password other", because: "its autocomplete is username"),
        WrittenForm(
            "WordPress",
            """
            <input type=text name=log id=user_login> <input type=password name=pwd id=user_pass>
            <input type=checkbox name=rememberme id=rememberme>
            """,
            .signIn, "username password other", because: "offers to remember"),
        WrittenForm(
            "A search box over a sign-in",
            """
            <input type=text name=q placeholder="Search"> <input type=text name=username> <input type=password name=password>
            """,
            .signIn, "search username password", because: "q: search, because its placeholder contains"),
        WrittenForm(
            "A search box right before the password",
            "<input type=email name=email> <input type=text name=search_query> <input type=password name=passwd>",
            .signIn, "username search password", because: "its type is email"),
        WrittenForm(
            "Name and password, and nothing that helps",
            "<input type=text name=f_3812> <input type=password name=f_3813>",
            .signIn, "username password", because: "it accepts text right before the password"),
        WrittenForm(
            "The first page of two: a user name that is labelled as one",
            "<input type=text name=identifier autocomplete=\"username webauthn\">",
            .signIn, "username", because: "the password follows on another page"),
        WrittenForm(
            "The first page of two: Microsoft's",
            "<input type=email name=loginfmt placeholder=\"Email, phone, or Skype\"> <input type=hidden name=passwd>",
            .signIn, "username hidden", because: "its name contains “login"),
        WrittenForm(
            "The first page of two: an app's",
            "<field id=user contentType=username keyboard=emailAddress>", .signIn, "username",
            because: "it asks for a user name only"),
        WrittenForm(
            "The second page of two: the password, with the name hidden",
            """
            <input type=email name=identifier hidden autocomplete=username value=jo@example.com>
            <input type=password name=Passwd autocomplete=current-password>
            """,
            .signIn, "hidden password", because: "it asks for a password only"),
        WrittenForm(
            "The second page of two: the password alone, without any hint",
            "<input type=password name=passwd>", .signIn, "password", because: "it is the only password field"),
        WrittenForm(
            "Show password is on",
            "<input type=email name=email> <input type=text name=password autocomplete=off>",
            .signIn, "username password", because: "though its text is shown"),
        WrittenForm(
            "Show password is on, and autocomplete declares it",
            "<input type=email name=email> <input type=text name=secret autocomplete=current-password>",
            .signIn, "username password", because: "its autocomplete is current-password"),
        WrittenForm(
            "With a one-time code on the same page",
            """
            <input type=text name=username> <input type=password name=password>
            <input type=text name=otp inputmode=numeric autocomplete=one-time-code>
            """,
            .signIn, "username password oneTimeCode", because: "its autocomplete is one-time-code"),
        WrittenForm(
            "A code that hides its text is no second password",
            "<input type=text name=username> <input type=password name=password> <input type=password name=totp maxlength=6>",
            .signIn, "username password oneTimeCode", because: "its name contains “totp”"),
        WrittenForm(
            "With a captcha between name and password",
            "<input type=text name=login> <input type=text name=captcha> <input type=password name=pass>",
            .signIn, "username other password", because: "its name contains “captcha"),
        WrittenForm(
            "A bank: a customer number and a PIN",
            "<input type=text name=kundennummer> <input type=password name=pin maxlength=5>",
            .signIn, "username password", because: "its name contains “kundennummer”"),
        WrittenForm(
            "Spanish", "<input type=text name=correo> <input type=password name=clave>", .signIn, "username password",
            because: "its name contains “correo”"),
        WrittenForm(
            "German", "<input type=text name=Anmeldename> <input type=password name=Passwort>", .signIn,
            "username password", because: "its name contains “anmeldename”"),
        WrittenForm(
            "French with the password shown", "<input type=text name=identifiant> <input type=text name=mot_de_passe>",
            .signIn, "username password", because: "its name contains “motdepasse”, though its text is shown"),
        WrittenForm(
            "Portuguese with the password shown", "<input type=email name=e-mail> <input type=text name=Senha>",
            .signIn,
            "username password", because: "its name contains “senha”"),
        WrittenForm(
            "Russian, with a Latin letter among the Cyrillic ones",
            "<input type=text name=логин> <input type=text name=\"парoль\">", .signIn, "username password",
            because: "though its text is shown"),
        WrittenForm(
            "Spanish, with the accent as a mark of its own", "<input name=usuario> <input name=\"contrasen\u{303}a\">",
            .signIn, "username password", because: "its name contains “contraseñ”"),
        WrittenForm(
            "Polish", "<input type=text name=uzytkownik> <input type=password name=haslo>", .signIn,
            "username password",
            because: "its name contains “użytkownik”"),
        WrittenForm(
            "Chinese", "<input type=text placeholder=用户名 id=a1> <input type=password placeholder=密码 id=a2>", .signIn,
            "username password", because: "its placeholder contains “用户名”"),
        WrittenForm(
            "Korean: id and password", "<input type=text name=id placeholder=아이디> <input type=password name=pw>",
            .signIn,
            "username password", because: "its placeholder contains “아이디”"),
        WrittenForm(
            "A form that keeps one signed in, with two names",
            """
            <input type=text name=company> <input type=text name=username> <input type=password name=password>
            <input type=checkbox name=keep_me_logged_in>
            """,
            .signIn, "other username password other", because: "offers to remember"),
        WrittenForm(
            "A trap before the real fields",
            """
            <input type=text name=username style=x hidden> <input type=password name=password hidden>
            <input type=text name=u_9a> <input type=password name=p_9a>
            """,
            .signIn, "hidden hidden username password", because: "the user does not see it"),
        WrittenForm(
            "An app whose sign-up has two fields of content type password: a mistake that is reported",
            "<field id=u contentType=username> <field id=p contentType=password secure> <field id=c contentType=password secure>",
            .signIn, "username password password", because: "its contentType is password"),
    ]
}
