// The identity service's messages that pages act upon; all others are shown as they are.
// One constant each, so that a page's bundle holds only those that it uses.

/** The address has an account: sign in to connect the provider that the message names. */
export const signInToLink = 1010016
/** The button that signs in and connects. */
export const signInAndLink = 1010018
/** An address waits for its code. */
export const addressPending = 1050901
export const addressChanged = 1050903
export const undoAddressChange = 1050905
export const addressRestored = 1050906
/** The verification has removed credentials that were set up before it. */
export const setUpEnded = 1080901
export const provesElsewhere = 1080902
export const generic = 4000001
export const unknownPasskey = 4000015
export const loginExpired = 4010001
export const noLoginMethod = 4010002
export const noProvider = 4010003
export const recoveryExpired = 4060005
export const verificationExpired = 4070005
export const tooManyAttempts = 4290001
