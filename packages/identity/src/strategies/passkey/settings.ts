import { UNNAMED } from '../../authenticators/keys.ts'
import { keySettings } from '../../authenticators/settings.ts'
import { credentialOf } from '../../identities/subject.ts'
import { messages } from '../../ui/messages.ts'
import { displayNameOf } from './display-name.ts'
import { addedKey, newPasskeyCeremony, ownCeremony, settingsNodes } from './nodes.ts'

export const settings = keySettings({
  id: 'passkey',
  ceremony: ownCeremony,
  browsersOnly: false,
  field: 'passkey_settings_register',
  texts: {
    remove: messages.passkeyRemove,
    known: 'This passkey already belongs to your account.',
    unknown: 'Your account has no such passkey. Please check the list.',
    last: 'This is your only sign-in method. Please set a password or add another passkey first.',
  },
  newCeremony: newPasskeyCeremony,
  newKeyNodes: (ctx, flow, ceremony, { schema, identity }) =>
    settingsNodes(ctx, flow, ceremony, displayNameOf(schema, identity.traits)),
  readName: () => UNNAMED,
  addedKey,
  identifiers(subject, keys) {
    const handles = keys.flatMap(({ user_handle }) => (user_handle === undefined ? [] : [user_handle]))
    // Kratos compatibility: a removed passkey shows error 4000008 while others remain.
    return [...new Set([...(credentialOf(subject, 'passkey')?.identifiers ?? []), ...handles])]
  },
})
