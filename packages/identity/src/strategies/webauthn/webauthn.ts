import { readAttestation } from '../../authenticators/answers.ts'
import { adminConfigOf, configOf, keysOf, UNNAMED } from '../../authenticators/keys.ts'
import { keySettings } from '../../authenticators/settings.ts'
import { type Strategy, type Submission, step } from '../../contract/contract.ts'
import { newId } from '../../crypto/random.ts'
import { FormError } from '../../errors/errors.ts'
import { isFor, readText, readTraits } from '../../identities/schema/decode.ts'
import { flowSchema } from '../../identities/schema/schema.ts'
import { deriveFromTraits } from '../../identities/schema/traits.ts'
import { credentialOf } from '../../identities/subject.ts'
import type { AccountUpdate } from '../../identities/update.ts'
import type { Credential } from '../../storage/identities/credentials.ts'
import { messages } from '../../ui/messages.ts'
import { traitNodes } from '../../ui/trait-nodes.ts'
import type { UiNode } from '../../wire/node.ts'
import { login } from './login.ts'
import { addedKey, newKeyCeremony, newKeyNodes, ownCeremony, readKeyName } from './nodes.ts'

const registration = step('registration', {
  prepare(_ctx, flow) {
    if (flow.type === 'api') return flow
    return ownCeremony.write(flow, newKeyCeremony(newId()))
  },

  nodes(ctx, flow): readonly UiNode[] {
    const ceremony = ownCeremony.read(flow)
    if (!ceremony) return []
    return [
      ...traitNodes(flowSchema(ctx.schemas, flow)),
      ...newKeyNodes(ctx, flow, ceremony, messages.registrationSecurityKey),
    ]
  },

  claims: (flow, values) =>
    isFor(values, 'webauthn', 'webauthn_register') || (ownCeremony.read(flow) ? 'rest' : false),

  parse(ctx, flow, values) {
    const traits = readTraits(flowSchema(ctx.schemas, flow), values)
    if (!ownCeremony.read(flow)) throw new FormError(messages.noRegistrationMethod)
    const answer = readText(values, 'webauthn_register')
    if (answer === undefined) throw noAnswer(values)
    return { traits, answer, name: readKeyName(values) ?? UNNAMED }
  },

  async submit(ctx, flow, { traits, answer, name }) {
    const identifiers = deriveFromTraits(flowSchema(ctx.schemas, flow), traits).identifiers.webauthn
    if (identifiers.length === 0) throw new FormError(messages.noIdentifier)
    const key = await addedKey(ctx, ownCeremony.read(flow), readAttestation(answer), name)
    const credentials = [{ type: 'webauthn' as const, identifiers, config: configOf([key]) }]
    return {
      kind: 'completed',
      flow: ownCeremony.write(flow, newKeyCeremony(newId())),
      completion: { traits, method: 'webauthn', credentials },
      singleUse: true,
    }
  },
})

/** Kratos compatibility: an identifier without an answer is a submission without a method. */
function noAnswer(values: Submission['values']): FormError {
  if (readText(values, 'identifier') !== undefined) return new FormError(messages.noRegistrationMethod)
  const missingFields = ['identifier', 'webauthn_register']
  return new FormError(missingFields.map((field) => ({ message: messages.required(field), field })))
}

const NAME = 'webauthn_register_displayname'

const settings = keySettings({
  id: 'webauthn',
  ceremony: ownCeremony,
  browsersOnly: true,
  field: 'webauthn_register',
  nameField: NAME,
  texts: {
    remove: messages.securityKeyRemove,
    known: 'This security key already belongs to your account.',
    unknown: 'Your account has no such key. Please check the list.',
    last: 'This is your only way to log in. Please set a password or add another key first.',
  },
  newCeremony: ({ identity_id = '' }) => newKeyCeremony(identity_id),
  newKeyNodes: (ctx, flow, ceremony) => newKeyNodes(ctx, flow, ceremony, messages.securityKeyAdd),
  readName(values) {
    const name = readKeyName(values)
    if (name === undefined) throw new FormError(messages.required(NAME), NAME)
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

/** `passwordless` makes it a first factor. */
export const webauthn: Strategy = {
  id: 'webauthn',
  group: 'webauthn',
  leavesIdentifier: true,
  registersUnproven: true,
  admin: {
    contents: adminConfigOf,
    remove: withoutSecondFactors,
    listedEmpty: true,
    version: 1,
  },
  secretFields: [{ name: 'webauthn_login' }, { name: 'webauthn_register' }],
  enabled({ selfservice }, flow) {
    const { enabled, config } = selfservice.methods.webauthn
    return enabled && (flow !== 'registration' || config.passwordless)
  },
  steps: { login, registration, settings },
  factors: (credential) => keysOf(credential).map((key) => (key.is_passwordless ? 'aal1' : 'aal2')),
}

function withoutSecondFactors(credential: Credential): AccountUpdate {
  const remainingKeys = keysOf(credential).filter((key) => key.is_passwordless)
  if (remainingKeys.length === 0) return { remove: ['webauthn'] }
  const config = { ...credential.config, ...configOf(remainingKeys) }
  return { put: [{ type: 'webauthn', identifiers: credential.identifiers, config }] }
}
