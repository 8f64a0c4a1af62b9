import { type Answer, fakeService } from '@ostiary/react/testing/fake-service'
import {
  bad,
  chooseFlowJson,
  codeChoice,
  input,
  loginCodeFlowJson,
  loginFlowJson,
  ok,
  passedFlowJson,
  providerNode,
  recoveryFlowJson,
  refused,
  registrationFlowJson,
  sentFlowJson,
  sessionJson,
  settingsFlowJson,
  stayChoice,
  text,
} from '@ostiary/react/testing/flows'
import { act, waitFor } from '@testing-library/react'
import { expect } from 'vitest'
import { repositoryJson } from '../../../../app/web/repositories/repository-json.ts'
import * as paths from '../paths.ts'
import { renderApp } from './render-app.tsx'

type Routes = Record<string, Answer>

export interface State {
  readonly address: string
  readonly routes?: Routes
  readonly isSignedIn?: true
}

const at = new Date(Date.now() - 3_600_000).toISOString()
const wrong = { messages: [text(4000006, 'The credentials are wrong.')] }

const secrets = {
  ...input('lookup_secret_codes', 'text'),
  group: 'lookup_secret',
  attributes: {
    node_type: 'text',
    id: 'lookup_secret_codes',
    text: { id: 1050015, text: '', type: 'info', context: { secrets: [{ text: 'abcd1234' }] } },
  },
}
const grouped = (group: string, name: string, value = 'true') => ({ ...input(name, 'submit', value), group })
const settings = (...providers: Record<string, unknown>[]): Routes => {
  const flow = settingsFlowJson({ name: 'Ada', providers })
  return {
    'GET /self-service/settings/browser': ok(flow),
    'POST /self-service/settings': bad({ ...flow, ui: { ...(flow.ui as object), ...wrong } }),
  }
}
const account = (address: string, routes: Routes = settings()): State => ({
  address,
  routes,
  isSignedIn: true,
})

/** Every screen, in the states whose buttons differ. */
export const states: Readonly<Record<string, readonly State[]>> = {
  [paths.home]: [{ address: '/' }, account('/')],
  '/about': [{ address: '/about' }],
  [paths.login]: [
    { address: '/login' },
    { address: '/login?aal=aal2', routes: { 'GET /self-service/login/browser': ok(secondFactor()) } },
    { address: '/login', routes: { 'GET /self-service/login/browser': ok(loginCodeFlowJson()) } },
  ],
  [paths.register]: [{ address: '/register' }],
  [paths.verify]: [
    { address: '/verify?flow=verification-1' },
    {
      address: '/verify?flow=verification-1',
      routes: { 'GET /self-service/verification/flows': ok(chooseFlowJson()) },
    },
    {
      address: '/verify?flow=verification-1',
      routes: { 'GET /self-service/verification/flows': ok(passedFlowJson({ id: 'verification-1' })) },
    },
  ],
  [paths.recovery]: [
    { address: '/recovery' },
    {
      address: '/recovery',
      routes: { 'GET /self-service/recovery/browser': ok(recoveryFlowJson('sent_email')) },
    },
    account('/recovery?step=password'),
  ],
  '/dashboard': [account('/dashboard')],
  '/error': [{ address: '/error' }, account('/error')],
  [paths.settings]: [account('/settings')],
  [paths.security]: [
    account('/settings/security', settings(grouped('totp', 'totp_code'), grouped('password', 'password'))),
    account(
      '/settings/security',
      settings(
        grouped('totp', 'totp_unlink'),
        grouped('lookup_secret', 'lookup_secret_disable'),
        grouped('passkey', 'passkey_remove', 'a1b2'),
      ),
    ),
    account(
      '/settings/security',
      settings(grouped('totp', 'totp_unlink'), grouped('lookup_secret', 'lookup_secret_confirm'), secrets),
    ),
  ],
  [paths.connections]: [
    account(
      '/settings/connections',
      settings(providerNode('github', 'link'), providerNode('google', 'unlink')),
    ),
  ],
  [paths.devices]: [account('/settings/devices')],
  [paths.activity]: [account('/settings/activity')],
  [paths.data]: [account('/settings/data')],
}

function secondFactor() {
  return {
    ...loginFlowJson({ choices: [input('totp_code', 'text'), input('lookup_secret', 'text')] }),
    requested_aal: 'aal2',
  }
}

const login = loginFlowJson({ choices: [stayChoice, codeChoice] })
const device = { current: false, kind: 'phone', name: 'Safari on iPhone', last_active_at: at }

const common: Routes = {
  'GET /self-service/login/browser': ok(login),
  'POST /self-service/login': bad(loginFlowJson(wrong)),
  'GET /self-service/registration/browser': ok(registrationFlowJson()),
  'POST /self-service/registration': bad(registrationFlowJson(wrong)),
  'GET /self-service/verification/flows': ok(sentFlowJson()),
  'POST /self-service/verification': bad(sentFlowJson({ fields: { code: [text(4070006, 'Wrong code.')] } })),
  'GET /self-service/recovery/browser': ok(recoveryFlowJson('choose_method')),
  'POST /self-service/recovery': ok(recoveryFlowJson('sent_email')),
  'GET /self-service/errors': refused(404),
  'GET /self-service/logout/browser': ok({ logout_token: 'logout-1', logout_url: 'x' }),
  'GET /self-service/logout': { status: 204 },
  'GET /api/v1/code-host/users/octocat/repos': ok([repositoryJson()]),
  'GET /api/v1/account/session': ok({ recovering: false }),
  'GET /api/v1/account/deletion': ok({ due_at: null }),
  'POST /api/v1/account/deletion': refused(403),
  'GET /api/v1/account/export': refused(403),
  'GET /api/v1/account/devices': ok([
    { ...device, id: 'one', current: true },
    { ...device, id: 'two' },
  ]),
  'DELETE /sessions/two': refused(500),
  'DELETE /sessions': refused(500),
  'GET /api/v1/account/activity': ok(
    Array.from({ length: 50 }, (_, id) => ({ id: `${id}`, event: 'sign_in', created_at: at })),
  ),
  'GET /api/v1/account/credentials': ok({ passkeys: [{ id: 'a1b2', created_at: at }], connections: [] }),
}

/** Until answers and lazy parts are there. */
export const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)))

export async function open({ address, routes, isSignedIn }: State) {
  fakeService({ ...common, 'GET /sessions/whoami': isSignedIn ? ok(sessionJson()) : refused(401), ...routes })
  const app = renderApp(address)
  await waitFor(() => expect(document.querySelectorAll('h1')).toHaveLength(1))
  await waitFor(() => expect(document.querySelector('.skeleton, .animate-wait, .needs-scripts')).toBeNull())
  await settle()
  return app
}

export const all = Object.values(states).flatMap((list) => list.map((state, index) => ({ ...state, index })))
