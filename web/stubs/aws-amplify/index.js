// The names that modules of Amplify UI import; only the logger and the texts are touched, and only while they load.
export class ConsoleLogger {}
export const Amplify = {}
export const Hub = {}
export const I18n = { get: (phrase) => phrase }
export const associateWebAuthnCredential = undefined
export const autoSignIn = undefined
export const confirmResetPassword = undefined
export const confirmSignIn = undefined
export const confirmSignUp = undefined
export const confirmUserAttribute = undefined
export const deleteUser = undefined
export const fetchUserAttributes = undefined
export const getCurrentUser = undefined
export const getUrl = undefined
export const listWebAuthnCredentials = undefined
export const resendSignUpCode = undefined
export const resetPassword = undefined
export const sendUserAttributeVerificationCode = undefined
export const signIn = undefined
export const signInWithRedirect = undefined
export const signOut = undefined
export const signUp = undefined
export const updatePassword = undefined
