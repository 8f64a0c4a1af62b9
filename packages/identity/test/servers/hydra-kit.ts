import type { FlowAnswer } from '../../src/testing/answers.ts'
import type { Browser } from '../../src/testing/clients.ts'
import { createTestIdentity, type Merge, merge } from '../kit/kit.ts'
import { type HookAnswer, startHookReceiver } from './hook-receiver.ts'

export const HYDRA = 'http://hydra.test'
export const ADMIN = '/admin/oauth2/auth/requests/login'

/** Shortened from an Ory Hydra v2.3.0. */
export function requestOf(challenge: string, skip: boolean) {
  return {
    challenge,
    requested_scope: ['openid', 'offline'],
    requested_access_token_audience: [],
    skip,
    subject: '',
    oidc_context: {},
    client: { client_id: 'app', client_name: 'The app', metadata: {}, skip_logout_consent: null },
    request_url: `${HYDRA}/oauth2/auth?client_id=app&state=1`,
    session_id: 'a0479d52-54e3-4ec1-b4ae-27485bf306db',
  }
}

export function verifiedUrl(challenge: string): string {
  return `${HYDRA}/oauth2/auth?client_id=app&login_verifier=of-${challenge}&state=1`
}

/** Serves the answers of Hydra's admin API to `skipped` and other challenges. */
export async function withHydra(overrides: Merge = {}, make = createTestIdentity) {
  const receiver = await startHookReceiver()
  const answers = (challenge: string, request: HookAnswer, accepted: HookAnswer = {}) => {
    receiver.answers.set(`${ADMIN}?login_challenge=${challenge}`, request)
    receiver.answers.set(`${ADMIN}/accept?login_challenge=${challenge}`, accepted)
  }
  for (const challenge of ['one', 'two', 'skipped']) {
    const request = requestOf(challenge, challenge === 'skipped')
    answers(challenge, { body: request }, { body: { redirect_to: verifiedUrl(challenge) } })
  }
  const headers = { Authorization: 'Bearer for-hydra' }
  const oauth2_provider = { url: receiver.url, headers }
  const identity = await make(merge({ oauth2_provider }, overrides))
  const accepted = () => receiver.calls.filter(({ method }) => method === 'PUT')
  return { identity, receiver, answers, accepted }
}

export async function idsOf(browser: Browser): Promise<{ session: string; identity: string }> {
  const { id, identity } = (await browser.whoami()).body
  return { session: id, identity: identity.id }
}

/** Where the button of a passed verification leads. */
export function continueIn({ body }: FlowAnswer): unknown {
  const node = body.ui.nodes.find(({ attributes }) => 'id' in attributes && attributes.id === 'continue')
  return node && 'href' in node.attributes && node.attributes.href
}
