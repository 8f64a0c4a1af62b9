// For the forms of `@ostiary/ui`. It may change with any version.

export { recall, remember, useIsShown, useRestored } from './browser.ts'
export { learnServerTime, serverNow } from './clock.ts'
export { identityClient } from './flow/client.ts'
export {
  fieldErrorTexts,
  findMessage,
  formErrorTexts,
  formTexts,
  isSaved,
  otherFieldErrorTexts,
  wasCancelled,
} from './flow/messages.ts'
export {
  CsrfTokenMissing,
  findInput,
  findVerificationId,
  getCsrfToken,
  isCodeSent,
  offersCode,
  textIn,
  type WithNodes,
} from './flow/nodes.ts'
export { hasPasskeys, offersPasskeys } from './flow/passkey-options.ts'
export {
  recallPendingFlow,
  rememberPendingFlow,
} from './flow/pending-flow.ts'
export { requiredTraits, type Trait, traitsIn } from './flow/traits.ts'
export { loginUrl, useService } from './service.ts'
export { forgetLastLogin, lastEmail, lastMethod, startedByRecovery, wasSignedIn } from './session/session.ts'
export { SESSION_KEY } from './session/session-cache.ts'
export { traitsOf } from './session/use-auth.ts'
export { clearUserJwt } from './session/user-jwt-cookie.ts'
