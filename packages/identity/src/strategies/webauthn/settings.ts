import { keySettings } from '../../authenticators/settings.ts'
import { FormError } from '../../errors/errors.ts'
import { deriveFromTraits } from '../../identities/schema/traits.ts'
import { credentialOf } from '../../identities/subject.ts'
import { messages } from '../../ui/messages.ts'
import { addedKey, newKeyCeremony, newKeyNodes, ownCeremony, readKeyName } from './nodes.ts'

export const settings = keySettings({
  id: 'webauthn',
  ceremony: ownCeremony,
  browsersOnly: true,
  field: 'webauthn_register',
  texts: {
    remove: messages.securityKeyRemove,
    known: 'This security key already belongs to your account.',
    unknown: 'Your account has no such key. Please check the list.',
    last: 'This is your only sign-in method. Please set a password or add another key first.',
  },
  newCeremony: ({ identity_id = '' }) => newKeyCeremony(identity_id),
  newKeyNodes: (ctx, flow, ceremony) => newKeyNodes(ctx, flow, ceremony, messages.securityKeyAdd),
  readName(values) {
    const name = readKeyName(values)
    const field = 'webauthn_register_displayname'
    if (name === undefined) throw new FormError(messages.required(field), field)
    return name
  },
  addedKey,
  identifiers(subject) {
    const { identifiers } = credentialOf(subject, 'webauthn') ?? {}
    return (
      identifiers ??
      (subject ? deriveFromTraits(subject.schema, subject.identity.traits).identifiers.webauthn : [])
    )
  },
})
