import type { accountAreaTexts, scheduledDeletionTexts } from './features/account-area/texts.ts'
import type { activityTexts } from './features/activity/texts.ts'
import type { connectionsTexts } from './features/connections/texts.ts'
import type { devicesTexts } from './features/devices/texts.ts'
import type { passkeyOfferTexts } from './features/passkey-offer/texts.ts'
import type { profileTexts, traitTexts } from './features/profile/texts.ts'
import type { newPasswordTexts, recoveryTexts } from './features/recover-account/texts.ts'
import type { securityTexts } from './features/security/texts.ts'
import type { openedTexts } from './features/security/texts-opened.ts'
import type {
  confirmFormTexts,
  newCodeTexts,
  passkeyButtonTexts,
  secondFactorTexts,
  signInCodeTexts,
  signInTexts,
} from './features/sign-in/texts.ts'
import type { finishTexts, passkeySignUpTexts, signUpTexts } from './features/sign-up/texts.ts'
import type { confirmLinkTexts, emailVerifiedTexts, verifyTexts } from './features/verify-email/texts.ts'
import type { yourDataTexts } from './features/your-data/texts.ts'
import type { codeTexts, demoMailTexts } from './forms/code/texts.ts'
import type { entryTexts } from './forms/credentials/texts.ts'
import type { accountTexts, addPasskeyTexts, confirmTexts } from './forms/settings/texts.ts'
import type { failureTexts } from './texts/failures.ts'
import type { adviceTexts, fieldTexts, ruleTexts } from './texts/fields.ts'
import type { layoutTexts } from './texts/layout.ts'
import type { forbiddenTexts, standstillTexts } from './texts/standstill.ts'

/** Every sentence of `@ostiary/ui`, by the part of the pages that says it. */
export interface Catalogues {
  readonly account: typeof accountTexts
  readonly accountArea: typeof accountAreaTexts
  readonly activity: typeof activityTexts
  readonly addPasskey: typeof addPasskeyTexts
  readonly advice: typeof adviceTexts
  readonly code: typeof codeTexts
  readonly confirm: typeof confirmTexts
  readonly confirmForm: typeof confirmFormTexts
  readonly confirmLink: typeof confirmLinkTexts
  readonly connections: typeof connectionsTexts
  readonly demoMail: typeof demoMailTexts
  readonly devices: typeof devicesTexts
  readonly emailVerified: typeof emailVerifiedTexts
  readonly entry: typeof entryTexts
  readonly failure: typeof failureTexts
  readonly field: typeof fieldTexts
  readonly finish: typeof finishTexts
  readonly forbidden: typeof forbiddenTexts
  readonly layout: typeof layoutTexts
  readonly newCode: typeof newCodeTexts
  readonly newPassword: typeof newPasswordTexts
  readonly opened: typeof openedTexts
  readonly passkeyButton: typeof passkeyButtonTexts
  readonly passkeyOffer: typeof passkeyOfferTexts
  readonly passkeySignUp: typeof passkeySignUpTexts
  readonly profile: typeof profileTexts
  readonly recovery: typeof recoveryTexts
  readonly rule: typeof ruleTexts
  readonly scheduledDeletion: typeof scheduledDeletionTexts
  readonly secondFactor: typeof secondFactorTexts
  readonly security: typeof securityTexts
  readonly signIn: typeof signInTexts
  readonly signInCode: typeof signInCodeTexts
  readonly signUp: typeof signUpTexts
  readonly standstill: typeof standstillTexts
  readonly trait: typeof traitTexts
  readonly verify: typeof verifyTexts
  readonly yourData: typeof yourDataTexts
}
