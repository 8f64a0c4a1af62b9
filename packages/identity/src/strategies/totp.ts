import { typedFactorLogin } from '../codes/typed-factor.ts'
import type { IdentityChange } from '../contract/completion.ts'
import { type Context, type Strategy, step } from '../contract/contract.ts'
import { checkTotp, newTotpSecret, secretOfTotpUrl, totpUrl } from '../crypto/otp.ts'
import { STORED_PURPOSES } from '../crypto/secrets.ts'
import { FormError } from '../errors/errors.ts'
import { readCode, readFlag } from '../identities/schema/decode.ts'
import { totpAccountName } from '../identities/schema/traits.ts'
import { credentialOf, type Subject } from '../identities/subject.ts'
import { readableAddresses } from '../input/readable-address.ts'
import type { Flow } from '../storage/flows/flows.ts'
import { storedFlowField } from '../storage/flows/memo.ts'
import { messages } from '../ui/messages.ts'
import { image, input, submit, text } from '../ui/nodes.ts'
import { qrCodePicture } from '../ui/qr-code.ts'
import type { JsonObject } from '../wire/identity.ts'
import type { UiNode } from '../wire/node.ts'
import type { UiText } from '../wire/text.ts'

interface StoredTotp extends JsonObject {
  /** The encrypted `otpauth:` URL. */
  readonly totp_url: string
  /** Rejects codes up to this step (SEC-58). */
  readonly last_step: number
}

export function sealTotpUrl(ctx: Context, url: string): string {
  return ctx.secrets.encrypt(PURPOSE, url)
}

function openTotpUrl(ctx: Context, sealed: string): string {
  return ctx.secrets.decrypt(PURPOSE, sealed)
}

const PURPOSE = STORED_PURPOSES.totp

/** Clients treat this as a wrong code. */
const alreadyUsed: UiText = {
  ...messages.totpWrong,
  text: 'This code was already used. Please wait for the next one.',
}

const login = typedFactorLogin({
  id: 'totp',
  field: 'totp_code',
  texts: {
    label: messages.totpLabel,
    submit: messages.loginTotp,
    wrong: messages.totpWrong,
    used: alreadyUsed,
    missing: messages.noTotp,
  },
  shortest: 6,
  async check(ctx, credential, { code }, turn) {
    const { totp_url, last_step } = credential.config as StoredTotp
    const url = openTotpUrl(ctx, totp_url)
    await turn.begin()
    const check = checkTotp(secretOfTotpUrl(url), code, ctx.now(), last_step)
    if (check.kind === 'wrong') return undefined
    if (check.kind === 'used') return 'used'
    // Re-encrypted, so that apps in use survive the removal of an old secret.
    return { ...credential.config, totp_url: sealTotpUrl(ctx, url), last_step: check.step }
  },
})

/** The encrypted otpauth URL. */
const pendingUrl = storedFlowField<{ readonly url: string }>('totp')

/** Stores nothing until a code proves that the app works (SEC-60). */
const settings = step('settings', {
  whenDisabled: { named: true, claimed: true },
  prepare(ctx, flow, { subject }) {
    if (!subject || credentialOf(subject, 'totp')) return pendingUrl.write(flow, undefined)
    const url = totpUrl(newTotpSecret(), issuerOf(ctx), accountOf(subject))
    return pendingUrl.write(flow, { url: sealTotpUrl(ctx, url) })
  },

  nodes(_ctx, flow, subject): readonly UiNode[] {
    if (credentialOf(subject, 'totp')) {
      const label = messages.totpUnlink
      return [input('totp', 'totp_unlink', 'submit', { value: 'true', required: true, label })]
    }
    if (!pendingUrl.read(flow)) return []
    return [
      image('totp', QR_CODE, { src: '', width: 256, height: 256 }, messages.totpQrCode),
      text('totp', SECRET, messages.totpSecret(''), messages.totpSecretLabel),
      input('totp', 'totp_code', 'text', { required: true, label: messages.totpCodeLabel }),
      submit('totp', 'totp', messages.saveLabel),
    ]
  },

  reveal(ctx, flow, node) {
    const shownSecret = pendingUrl.read(flow)
    if (!shownSecret) return node
    if (node.type === 'img' && node.attributes.id === QR_CODE) {
      return image('totp', QR_CODE, qrCodePicture(openTotpUrl(ctx, shownSecret.url)), node.meta.label)
    }
    if (node.type === 'text' && node.attributes.id === SECRET) {
      const secret = secretOfTotpUrl(openTotpUrl(ctx, shownSecret.url))
      return text('totp', SECRET, messages.totpSecret(secret), node.meta.label)
    }
    return node
  },

  claims: (_flow, values) => values.method === undefined && readFlag(values, 'totp_unlink'),

  parse(_ctx, _flow, values) {
    const code = readCode(values, 'totp_code')
    return { code, unlink: readFlag(values, 'totp_unlink') }
  },

  privileged: () => true,

  async submit(ctx, flow, { code, unlink }, { subject }) {
    const { identity_id } = flow
    if (credentialOf(subject, 'totp')) {
      // Kratos compatibility: a code for an existing app changes nothing.
      const change: IdentityChange = unlink ? { remove: ['totp'] } : {}
      return { kind: 'completed', flow, completion: { method: 'totp', change } }
    }
    if (code === undefined) throw new FormError(messages.required('totp_code'), 'totp_code')
    const config = findConfirmedTotp(ctx, flow, code)
    if (!config || identity_id === undefined) throw new FormError(messages.totpWrong, 'totp_code')
    const put = [{ type: 'totp' as const, identifiers: [identity_id], config }]
    const proved = { method: 'totp' as const, aal: 'aal2' as const }
    return { kind: 'completed', flow, completion: { method: 'totp', change: { put }, proved } }
  },
})

const QR_CODE = 'totp_qr'
const SECRET = 'totp_secret_key'

/** The code may be used once more, because the user may need one at once (SEC-58). */
function findConfirmedTotp(ctx: Context, flow: Flow<'settings'>, code: string): StoredTotp | undefined {
  const shownSecret = pendingUrl.read(flow)
  if (!shownSecret) return undefined
  const url = openTotpUrl(ctx, shownSecret.url)
  const check = checkTotp(secretOfTotpUrl(url), code, ctx.now())
  return check.kind === 'right' ? { totp_url: sealTotpUrl(ctx, url), last_step: check.step - 1 } : undefined
}

function issuerOf({ config }: Context): string {
  return config.selfservice.methods.totp.config.issuer ?? new URL(config.serve.public.base_url).hostname
}

function accountOf({ schema, identity }: Subject): string {
  return readableAddresses(totpAccountName(schema, identity.traits) ?? identity.id)
}

export const totp: Strategy = {
  id: 'totp',
  group: 'totp',
  leavesIdentifier: true,
  admin: { remove: () => ({ remove: ['totp'] }) },
  secretFields: [{ name: 'totp_code', cleared: true }],
  enabled: (config) => config.selfservice.methods.totp.enabled,
  steps: { login, settings },
  factors: () => ['aal2'],
}
