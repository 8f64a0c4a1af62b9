// Messages that pages act upon. One constant each keeps unused ones out of a bundle.

/** Its context names the account. */
export const secondStep = 1010004
/** The address has an account. Logging in connects the provider of the message. */
export const signInToLink = 1010016
export const signInAndLink = 1010018
/** The account was registered in another browser. Logging in finishes its verification. */
export const provedElsewhere = 1010902
export const addressPending = 1050901
export const addressChanged = 1050903
export const addressRestored = 1050906
/** The page links to the other app's URL. */
export const appSignInEnded = 1080901
export const generic = 4000001
export const invalidCredentials = 4000006
export const unknownPasskey = 4000015
export const loginExpired = 4010001
export const noLoginMethod = 4010002
export const noProvider = 4010003
export const recoveryExpired = 4060005
export const verificationExpired = 4070005
export const tooManyAttempts = 4290001
