// SPDX-License-Identifier: Apache-2.0

extension LanguageWords {
    /// Spanish.
    static let spanish = LanguageWords([
        .password: "*clave*, *contraseñ*, palabra clave",
        .pin: "número secreto",
        .oneTimeCode: """
        contraseña de un solo uso, código de acceso, código de confirmación, código de seguridad, \
        código de un solo uso, código de validación, código de verificación, código temporal, *códigodeseg*, \
        *códigodeverif*
        """,
        .email: "*correo*, correo electrónico",
        .phone: "móvil, número de móvil",
        .search: "buscador, buscar*, busque*, búsqueda",
        .captcha: "caracteres de la imagen, código de la imagen, escriba el texto, letras de la imagen",
        .trap: "dejar en blanco, dejar vacío, no llenar, no rellenar",
        .username: "código de usuario, identificador, nombre de usuario, *nombreusuario*",
        .alias: """
        alias, apodo, dni, documento de identidad, mote, nie, nif, nº de cliente, número de afiliado, \
        número de documento, número de socio, sobrenombre
        """,
        .account: "cuenta",
        .code: "código",
        .payment: """
        caducidad, cbu, clabe, cuenta bancaria, fecha de caducidad, fecha de vencimiento, número de tarjeta, \
        *tarjeta*, vencimiento
        """,
        .personName: """
        *apellido*, nombre completo, nombre de pila, nombre y apellidos, nombres y apellidos, primer nombre, \
        segundo nombre, su nombre, tu nombre
        """,
        .bareName: "=nombre, =nombres",
        .birthday: "cumpleaños, edad, *nacimiento*",
        .organization: "compañía, institución, ocupación, razón social",
        .address: """
        barrio, calle, ciudad, colonia, código de país, *códigopostal*, domicilio, localidad, municipio, piso
        """,
        .bareAddress: "dirección",
        .securityAnswer: "pregunta de seguridad, respuesta*, respuesta secreta",
        .matter: """
        asunto, cantidad, cupón, código de descuento, código de invitación, descuento, importe, invitación, \
        mensaje, número de pedido, observaciones, sitio web
        """,
        .new: "crear, cree, deseada, elegir, elige, elija, establecer, nueva, nuevo",
        .current: "antigua, *contraseñaactual*, vieja",
        .confirmation: """
        confirma*, de nuevo, otra vez, reescrib*, reingres*, *repet*, repite, verifica tu, *verificarcon*, \
        verifique, vuelva a, vuelve a
        """,
        .strength: "al menos, caracteres como mínimo, mayúscula*",
        .signUp: """
        abrir cuenta, alta de usuario, crea tu cuenta, crear cuenta, crear una cuenta, darse de alta, \
        hazte socio, nueva cuenta, nuevo usuario, *registrarse*, regístrate, únete
        """,
        .signIn: """
        acceder, acceso, identifícate, ingresar, ingreso, inicia sesión, iniciar sesión, inicio de sesión
        """,
        .remember: "mantener la sesión, mantener sesión, no cerrar sesión, recordar*, recuérdame",
        .terms: "acepto, boletín, condiciones, política de privacidad, términos",
        .passwordChange: """
        cambiar clave, cambiar contraseña, cambiar la contraseña, cambio de contraseña, nueva contraseña, \
        recuperar contraseña, restablecer*
        """,
        .lost: "olvid*, olvidó, perdió",
        .aside: "distinta de, no su, no tu, ya está registrado, ya tienes",
    ])
}
