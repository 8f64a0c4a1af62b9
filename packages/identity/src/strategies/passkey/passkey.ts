import { readAttestation } from '../../authenticators/answers.ts'
import { adminConfigOf, configOf, keysOf, UNNAMED } from '../../authenticators/keys.ts'
import { keySettings } from '../../authenticators/settings.ts'
import { type Strategy, type Submission, step } from '../../contract/contract.ts'
import { readText, readTraits } from '../../identities/schema/decode.ts'
import { flowSchema } from '../../identities/schema/schema.ts'
import { credentialOf } from '../../identities/subject.ts'
import { messages } from '../../ui/messages.ts'
import { traitNodes } from '../../ui/trait-nodes.ts'
import type { UiNode } from '../../wire/node.ts'
import { login } from './login.ts'
import {
  addedKey,
  displayNameField,
  displayNameOf,
  newPasskeyCeremony,
  newPasskeyNodes,
  newPasskeyOptions,
  ownCeremony,
} from './nodes.ts'

const registration = step('registration', {
  whenDisabled: { claimed: true },
  prepare(_ctx, flow) {
    return ownCeremony.write(flow, newPasskeyCeremony())
  },

  nodes(ctx, flow): readonly UiNode[] {
    const schema = flowSchema(ctx.schemas, flow)
    const field = displayNameField(schema)
    const ceremony = ownCeremony.read(flow)
    if (!ceremony || field === undefined) return []
    const data = { credentialOptions: newPasskeyOptions(ctx, ceremony), displayNameFieldName: field }
    const label = messages.registrationPasskey
    const passkey = { calls: 'oryPasskeyRegistration', field: 'passkey_register', data }
    return [...traitNodes(schema), ...newPasskeyNodes(ctx, flow, { ...passkey, label })]
  },

  claims: (_flow, { method, ...values }) =>
    answerOf(values) === undefined ? 'never' : !method || method === 'passkey',

  parse(ctx, flow, values) {
    const schema = flowSchema(ctx.schemas, flow)
    return { traits: readTraits(schema, values), answer: answerOf(values) ?? '' }
  },

  async submit(ctx, flow, { traits, answer }) {
    const key = await addedKey(ctx, ownCeremony.read(flow), readAttestation(answer))
    const identifiers = key.user_handle === undefined ? [] : [key.user_handle]
    const credentials = [{ type: 'passkey' as const, identifiers, config: configOf([key]) }]
    return {
      kind: 'completed',
      flow: ownCeremony.write(flow, newPasskeyCeremony()),
      completion: { traits, method: 'passkey', credentials },
      singleUse: true,
    }
  },
})

/** Ory's React library submits `true` without a click. */
function answerOf(values: Submission['values']): string | undefined {
  const text = readText(values, 'passkey_register')
  return text === 'true' ? undefined : text
}

const keys = keySettings({
  id: 'passkey',
  ceremony: ownCeremony,
  browsersOnly: false,
  field: 'passkey_settings_register',
  texts: {
    remove: messages.passkeyRemove,
    known: 'This passkey already belongs to your account.',
    unknown: 'Your account has no such passkey. Please check the list.',
    last: 'This is your only way to log in. Please set a password or add another passkey first.',
  },
  newCeremony: newPasskeyCeremony,
  newKeyNodes(ctx, flow, ceremony, { schema, identity }) {
    const name = displayNameOf(schema, identity.traits)
    if (name === '') return []
    return newPasskeyNodes(ctx, flow, {
      calls: 'oryPasskeySettingsRegistration',
      label: messages.passkeyAdd,
      value: '',
      field: 'passkey_settings_register',
      data: newPasskeyOptions(ctx, ceremony, name),
    })
  },
  readName: () => UNNAMED,
  addedKey,
  identifiers(subject, keys) {
    const handles = keys.flatMap(({ user_handle }) => (user_handle === undefined ? [] : [user_handle]))
    // Kratos compatibility: a removed passkey shows error 4000008 while others remain.
    return [...new Set([...(credentialOf(subject, 'passkey')?.identifiers ?? []), ...handles])]
  },
})

const settings = step('settings', {
  ...keys,
  prepare(ctx, flow, scene) {
    const next = keys.prepare?.(ctx, flow, scene) ?? flow
    const { schema, identity } = scene.subject ?? {}
    if (!schema || !identity || displayNameOf(schema, identity.traits) !== '') return next
    const noName = { message: messages.noIdentifier }
    return { ...next, memo: { ...next.memo, messages: [...(next.memo.messages ?? []), noName] } }
  },
})

export const passkey: Strategy = {
  id: 'passkey',
  group: 'passkey',
  leavesIdentifier: true,
  admin: { contents: adminConfigOf, version: 1 },
  registersUnproven: true,
  secretFields: [
    { name: 'passkey_challenge' },
    { name: 'passkey_login' },
    { name: 'passkey_create_data' },
    { name: 'passkey_register' },
    { name: 'passkey_settings_register' },
  ],
  enabled: (config) => config.selfservice.methods.passkey.enabled,
  steps: { login, registration, settings },
  factors: (credential) => keysOf(credential).map(() => 'aal1'),
}
