type TextModules = typeof import('./features/account-area/texts.ts') &
  typeof import('./features/activity/texts.ts') &
  typeof import('./features/connections/texts.ts') &
  typeof import('./features/devices/texts.ts') &
  typeof import('./features/passkey-offer/texts.ts') &
  typeof import('./features/profile/texts.ts') &
  typeof import('./features/recover-account/texts.ts') &
  typeof import('./features/security/texts.ts') &
  typeof import('./features/security/texts-opened.ts') &
  typeof import('./features/sign-in/texts.ts') &
  typeof import('./features/sign-up/texts.ts') &
  typeof import('./features/verify-email/texts.ts') &
  typeof import('./features/your-data/texts.ts') &
  typeof import('./forms/code/texts.ts') &
  typeof import('./forms/credentials/texts.ts') &
  typeof import('./forms/settings/texts.ts') &
  typeof import('./texts/failures.ts') &
  typeof import('./texts/fields.ts') &
  typeof import('./texts/layout.ts') &
  typeof import('./texts/message-pages.ts')

/** Every sentence of `@ostiary/ui`, by the part of the pages that says it: `layoutTexts` are those of `layout`. */
export type Catalogues = {
  readonly [Name in keyof TextModules as Name extends `${infer Part}Texts` ? Part : never]: TextModules[Name]
}
