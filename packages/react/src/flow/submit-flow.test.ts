import { expect, test } from 'vitest'
import { readReply } from './submit-flow.ts'

const flow = { id: 'flow-1', ui: { nodes: [] } }
const show = {
  action: 'show_verification_ui',
  flow: { id: 'v-1', verifiable_address: 'a', url: 'http://x/verify?flow=v-1' },
}

test.each([
  ['a form that goes on', 200, flow, { kind: 'form', flow }],
  ['a form with errors', 400, flow, { kind: 'form', flow }],
  ['a success', 200, { continue_with: [show] }, { kind: 'done', continueWith: [show], hasSession: false }],
  [
    'a success with nothing to continue',
    200,
    { session: {}, continue_with: null },
    { kind: 'done', continueWith: [], hasSession: true },
  ],
  [
    'a session that is there already',
    400,
    { error: { id: 'session_already_available' } },
    { kind: 'already-signed-in' },
  ],
  ['a form that was sent too often', 429, flow, { kind: 'form', flow }],
  [
    'too many requests without a form',
    429,
    { error: { reason: 'Too many attempts.', details: { retry_after: 5 } } },
    { kind: 'refused', reason: { text: 'Too many attempts.', retry_after: 5 } },
  ],
  [
    'a refusal that does not say how long to wait',
    429,
    { error: { reason: 'Too many attempts.' } },
    { kind: 'refused', reason: 'Too many attempts.' },
  ],
  ['a bad request without a form', 400, { error: {} }, { kind: 'refused' }],
  ['no session', 401, { error: { reason: 'Please log in.' } }, { kind: 'sign-in' }],
  [
    'a disabled account',
    401,
    { error: { reason: 'This account is disabled.', details: { identity_id: 'i-1' } } },
    { kind: 'refused', reason: 'This account is disabled.' },
  ],
  [
    'a foreign token',
    403,
    { error: { id: 'security_csrf_violation' } },
    { kind: 'restart', flowId: undefined },
  ],
  [
    'a second factor',
    403,
    { error: { id: 'session_aal2_required' }, redirect_browser_to: 'http://x/login/browser?aal=aal2' },
    { kind: 'second-factor' },
  ],
  [
    'a second factor after the first',
    422,
    { error: {}, redirect_browser_to: 'http://x/login/browser?aal=aal2' },
    { kind: 'second-factor' },
  ],
  [
    'a confirmation',
    403,
    { error: { id: 'session_refresh_required' }, redirect_browser_to: 'http://x/refresh' },
    { kind: 'confirm', url: 'http://x/refresh' },
  ],
  [
    'an unverified address',
    403,
    { error: { id: 'session_verified_address_required', details: { continue_with: [show] } } },
    { kind: 'verify-first', flowId: 'v-1' },
  ],
  ['anything else forbidden', 403, { error: {} }, { kind: 'refused' }],
  ['an unknown flow', 404, { error: {} }, { kind: 'restart', flowId: undefined }],
  ['an expired flow', 410, { error: {}, use_flow_id: 'flow-2' }, { kind: 'restart', flowId: 'flow-2' }],
  [
    'another place',
    422,
    { error: {}, redirect_browser_to: 'http://x/go' },
    { kind: 'redirect', url: 'http://x/go' },
  ],
  ['another place without an address', 422, { error: {} }, { kind: 'refused' }],
  ['too many requests', 429, { error: {} }, { kind: 'refused' }],
  ['a failure of the service', 503, { error: {} }, { kind: 'unreachable' }],
  ['something that is no JSON', 200, undefined, { kind: 'unreachable' }],
])('%s (%i)', (_, status, body, reply) => {
  expect(readReply(status, body, (json) => json)).toEqual(reply)
})
