// SPDX-License-Identifier: Apache-2.0
import Forms

extension WrittenForm {
    /// Telephone numbers, nicknames and numbers of members: they sign in only where nothing better is asked for.
    static let names: [WrittenForm] = [
        WrittenForm(
            "A telephone number beside the address of a sign-in",
            "<input type=email name=login_email> <input name=login_phone> <input type=password name=login_password>",
            .signIn, "username other password", because: "the fields' ids contain “login”"),
        WrittenForm(
            "Numbers instead of names, the same for every field",
            """
            <input id=input_1 type=email label=E-mail> <input id=input_2 label="Phone number">
            <input id=input_3 type=password>
            """,
            .signUp, "username other newPassword", offered: true, because: "beside the user name"),
        WrittenForm(
            "Ids that a framework numbers",
            """
            <input id=mat-input-4 placeholder="Mobile number"> <input id=mat-input-5 placeholder="Email address">
            <input id=mat-input-6 type=password placeholder="Choose a password">
            """,
            .signUp, "other username newPassword", offered: true, because: "its placeholder contains “email”"),
        WrittenForm(
            "Addresses that differ by a number are names both",
            """
            <input name=mail1 label=E-mail> <input name=mail2 label="E-mail, once more">
            <input type=password name=secret>
            """,
            .signUp, "username username newPassword", offered: true,
            because: "it is named as the field for the user name"),
        WrittenForm(
            "Telephone numbers of Indonesia",
            """
            <input name=no_hp label="No. HP"> <input name=surel label=Surel>
            <input type=password name=sandi label="Buat kata sandi">
            """,
            .signUp, "other username newPassword", offered: true, because: "its label contains “surel”"),
        WrittenForm(
            "A telephone signs in where nothing else is asked for",
            "<input name=hp label=\"No. HP\"> <input type=password name=sandi label=\"Kata sandi\">",
            .signIn, "username password", because: "right before the password"),
        WrittenForm(
            "A nickname beside an address",
            "<input name=nickname label=Nickname> <input type=email name=email> <input type=password name=password>",
            .signUp, "other username newPassword", offered: true,
            because: "its label contains “nickname” beside an e-mail address"),
        WrittenForm(
            "A nickname that the page shows as the user's name",
            """
            <input name=nick label=Username> <input name=mail label=E-mail> <input type=password name=pass1>
            <input type=password name=pass2>
            """,
            .signUp, "other username newPassword confirmation", offered: true,
            because: "its name contains “nick” beside an e-mail address"),
        WrittenForm(
            "A nickname that is the user name, as the label adds",
            """
            <input name=apodo label="Apodo (nombre de usuario)"> <input type=email name=correo>
            <input type=password name=clave> <input type=password name=clave2>
            """,
            .signUp, "username emailAddress newPassword confirmation", offered: true,
            because: "its label contains “apodo”"),
        WrittenForm(
            "A nickname beside a user name",
            """
            <input name=name label=用户名> <input name=nickname label=昵称> <input name=email label=邮箱>
            <input type=password name=p1 label=密码> <input type=password name=p2 label=确认密码>
            """,
            .signUp, "username other emailAddress newPassword confirmation", offered: true, because: "昵称"),
        WrittenForm(
            "A nickname alone",
            "<input name=pseudo label=Pseudo> <input type=password name=mdp label=\"Mot de passe\">",
            .signIn, "username password", because: "its label contains “pseudo”"),
        WrittenForm(
            "Nicknames in French",
            """
            <input name=pseudo label=Pseudo> <input name=mail label="Adresse e-mail">
            <input type=password name=mdp label="Mot de passe">
            """,
            .signUp, "other username newPassword", offered: true, because: "its label contains “pseudo” beside"),
        WrittenForm(
            "Nicknames in Japanese",
            "<input name=f1 label=ニックネーム> <input name=f2 label=メールアドレス> <input type=password name=f3 label=パスワード>",
            .signUp, "other username newPassword", offered: true, because: "ニックネーム"),
        WrittenForm(
            "Nicknames in Polish",
            """
            <input name=nick label=Nick> <input name=mail label="Adres e-mail">
            <input type=password name=haslo label=Hasło> <input type=password name=haslo2 label="Powtórz hasło">
            """,
            .signUp, "other username newPassword confirmation", offered: true,
            because: "its label contains “nick” beside"),
        WrittenForm(
            "A membership number beside an address",
            "<input name=no label=\"Membership number\"> <input type=email name=email> <input type=password name=pw>",
            .signUp, "other username newPassword", offered: true,
            because: "its label contains “membership number” beside"),
        WrittenForm(
            "A membership number that signs in",
            """
            <input name=no label="Membership number"> <input name=family label="Last name">
            <input type=password name=pin label=PIN>
            """,
            .signIn, "username other password", because: "its label contains “membership number”"),
        WrittenForm(
            "A membership number or an address, in one field",
            "<input name=who label=\"E-mail or membership number\"> <input type=password name=pw>",
            .signIn, "username password", because: "accepts one of two names"),
        WrittenForm(
            "A customer's number in German",
            """
            <input name=kd label=Kundennummer> <input name=mail label=E-Mail>
            <input type=password name=p1 label=Passwort> <input type=password name=p2 label="Passwort wiederholen">
            """,
            .signUp, "other username newPassword confirmation", offered: true,
            because: "its label contains “kundennummer” beside"),
        WrittenForm(
            "A number of the state in Brazil",
            """
            <input name=cpf label=CPF> <input name=mail label=E-mail> <input type=password name=senha label=Senha>
            <input type=password name=senha2 label="Confirmar senha">
            """,
            .signUp, "other username newPassword confirmation", offered: true,
            because: "its label contains “cpf” beside"),
        WrittenForm(
            "An app's membership number, beside an address that it states to be none",
            """
            <field id=memberNumber> <field id=mail contentType=emailAddress>
            <field id=pw contentType=newPassword secure>
            """,
            .signUp, "username emailAddress newPassword", offered: true, because: "its id contains “member number”"),
        WrittenForm(
            "A text of another kind between address and password",
            """
            <input type=email name=e label=E-mail> <input name=f2 label="Favourite colour">
            <input type=password name=p label=Password>
            """,
            .signIn, "username other password", because: "its type is email"),
        WrittenForm(
            "A telephone number in the example",
            """
            <input name=f1 placeholder="jane.doe@company.com"> <input name=f2 placeholder="+1 555 010 0199">
            <input type=password name=f3>
            """,
            .signUp, "username other newPassword", offered: true, because: "its placeholder contains “email”"),
    ]
}
