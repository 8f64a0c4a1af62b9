import { secretIn } from '../../src/testing/answers.ts'
import { Authenticator, optionsIn } from '../../src/testing/authenticator.ts'
import { PASSWORD } from '../../src/testing/clients.ts'
import { ADA, addBackupCodes, addTotp, codeOf } from './factors.ts'
import type { Submission } from './submission-kit.ts'
import {
  addKey,
  addPasskey,
  asking,
  changing,
  entering,
  LINKS,
  linkIn,
  NEW,
  registering,
  secondFactor,
  signIn,
  WAITING,
  withOwner,
} from './submission-kit.ts'

/** Every submission that ends a flow or sends an email. A new step gets a row. */
export const SUBMISSIONS: Readonly<Record<string, Submission>> = {
  'registration by password': {
    kind: 'registration',
    method: 'password',
    prepare: registering({ method: 'password', password: PASSWORD }),
  },
  'registration that waits for its address': {
    kind: 'registration',
    method: 'password',
    config: WAITING,
    prepare: registering({ method: 'password', password: PASSWORD }),
  },
  'registration of a taken address': {
    kind: 'registration',
    method: 'password',
    config: WAITING,
    prepare: registering({ method: 'password', password: PASSWORD, traits: { email: ADA } }),
  },
  'registration by passkey': {
    kind: 'registration',
    method: 'passkey',
    inBrowsers: true,
    async prepare(_, client) {
      const flow = await client.open('registration')
      const passkey_register = new Authenticator().create(optionsIn(flow, 'passkey_create_data'))
      return { flow, values: { traits: { email: NEW }, passkey_register } }
    },
  },
  'registration by security key': {
    kind: 'registration',
    method: 'webauthn',
    inBrowsers: true,
    config: { selfservice: { methods: { webauthn: { config: { passwordless: true } } } } },
    async prepare(_, client) {
      const flow = await client.open('registration')
      const webauthn_register = new Authenticator().create(optionsIn(flow, 'webauthn_register_trigger'))
      return {
        flow,
        values: { traits: { email: NEW }, webauthn_register, webauthn_register_displayname: 'blue' },
      }
    },
  },
  'first screen of a registration': {
    kind: 'registration',
    method: 'profile',
    config: { selfservice: { flows: { registration: { style: 'profile_first' } } } },
    prepare: registering({ method: 'profile' }),
  },
  'request for a registration code': {
    kind: 'registration',
    method: 'code',
    asksForCode: true,
    prepare: registering({ method: 'code' }),
  },
  'registration by code': {
    kind: 'registration',
    method: 'code',
    prepare: entering('registration', { method: 'code', traits: { email: NEW } }, NEW),
  },
  'login by password': {
    kind: 'login',
    method: 'password',
    inBrowsers: true,
    prepare: asking('login', { method: 'password', identifier: ADA, password: PASSWORD }),
  },
  'first screen of a login': {
    kind: 'login',
    method: 'identifier_first',
    inBrowsers: true,
    config: { selfservice: { flows: { login: { style: 'identifier_first' } } } },
    prepare: asking('login', { method: 'identifier_first', identifier: ADA }),
  },
  'request for a login code': {
    kind: 'login',
    method: 'code',
    asksForCode: true,
    prepare: asking('login', { method: 'code', identifier: ADA }),
  },
  'login by code': {
    kind: 'login',
    method: 'code',
    inBrowsers: true,
    prepare: entering('login', { method: 'code', identifier: ADA }),
  },
  'login by passkey': {
    kind: 'login',
    method: 'passkey',
    inBrowsers: true,
    prepare: withOwner(addPasskey, async (_, client, key) => {
      const flow = await client.open('login')
      return { flow, values: { passkey_login: key.get(optionsIn(flow, 'passkey_challenge')) } }
    }),
  },
  'second factor by TOTP': {
    kind: 'login',
    method: 'totp',
    prepare: secondFactor(addTotp, (identity, secret) => ({
      method: 'totp',
      totp_code: codeOf(identity, secret),
    })),
  },
  'second factor by backup code': {
    kind: 'login',
    method: 'lookup_secret',
    prepare: secondFactor(
      (_, owner) => addBackupCodes(owner),
      (_, [code]) => ({ method: 'lookup_secret', lookup_secret: code }),
    ),
  },
  'second factor by security key': {
    kind: 'login',
    method: 'webauthn',
    inBrowsers: true,
    prepare: secondFactor(addKey, (_, key, flow) => ({
      identifier: ADA,
      webauthn_login: key.get(optionsIn(flow, 'webauthn_login_trigger')),
    })),
  },
  'request for a recovery code': {
    kind: 'recovery',
    method: 'code',
    asksForCode: true,
    prepare: asking('recovery', { method: 'code', email: ADA }),
  },
  'recovery by code': {
    kind: 'recovery',
    method: 'code',
    inBrowsers: true,
    prepare: entering('recovery', { method: 'code', email: ADA }),
  },
  'request for a recovery link': {
    kind: 'recovery',
    method: 'link',
    config: LINKS,
    asksForCode: true,
    prepare: asking('recovery', { method: 'link', email: ADA }),
  },
  'recovery by link': {
    kind: 'recovery',
    method: 'link',
    config: LINKS,
    inBrowsers: true,
    async prepare(identity, client) {
      await identity.user(ADA)
      const flow = await client.submit(await client.open('recovery'), { method: 'link', email: ADA })
      return { flow, values: { token: await linkIn(identity, '/recovery?') } }
    },
  },
  'request for a verification code': {
    kind: 'verification',
    method: 'code',
    asksForCode: true,
    prepare: asking('verification', { method: 'code', email: ADA }),
  },
  'verification by code': {
    kind: 'verification',
    method: 'code',
    inBrowsers: true,
    prepare: entering('verification', { method: 'code', email: ADA }),
  },
  'request for a verification link': {
    kind: 'verification',
    method: 'link',
    config: LINKS,
    asksForCode: true,
    prepare: asking('verification', { method: 'link', email: ADA }),
  },
  'new password': {
    kind: 'settings',
    method: 'password',
    prepare: changing({ method: 'password', password: 'other quiet words' }),
  },
  'new name': {
    kind: 'settings',
    method: 'profile',
    prepare: changing({ method: 'profile', traits: { email: ADA, name: 'Ada' } }),
  },
  'new address': {
    kind: 'settings',
    method: 'profile',
    prepare: changing({ method: 'profile', traits: { email: NEW } }),
  },
  'new address that needs a proof': {
    kind: 'settings',
    method: 'profile',
    config: {
      selfservice: {
        flows: { settings: { after: { profile: { hooks: [{ hook: 'verify_new_address' }] } } } },
      },
    },
    prepare: changing({ method: 'profile', traits: { email: NEW } }),
  },
  'set-up of TOTP': {
    kind: 'settings',
    method: 'totp',
    prepare: changing((identity, flow) => ({ method: 'totp', totp_code: codeOf(identity, secretIn(flow)) })),
  },
  'request for backup codes': {
    kind: 'settings',
    method: 'lookup_secret',
    prepare: changing({ method: 'lookup_secret', lookup_secret_regenerate: true }),
  },
  'confirmation of backup codes': {
    kind: 'settings',
    method: 'lookup_secret',
    async prepare(identity, client) {
      await signIn(identity, client)
      const values = { method: 'lookup_secret', lookup_secret_regenerate: true }
      const flow = await client.submit(await client.open('settings'), values)
      return { flow, values: { method: 'lookup_secret', lookup_secret_confirm: true } }
    },
  },
  'new passkey': {
    kind: 'settings',
    method: 'passkey',
    inBrowsers: true,
    prepare: changing((_, flow) => ({
      passkey_settings_register: new Authenticator().create(optionsIn(flow, 'passkey_create_data')),
    })),
  },
  'new security key': {
    kind: 'settings',
    method: 'webauthn',
    inBrowsers: true,
    prepare: changing((_, flow) => ({
      webauthn_register: new Authenticator().create(optionsIn(flow, 'webauthn_register_trigger')),
      webauthn_register_displayname: 'blue',
    })),
  },
}
