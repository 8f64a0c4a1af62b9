import { type Answer, fakeService } from '@ostiary/react/testing/fake-service'
import { ok } from '@ostiary/react/testing/flows'
import { createQueryClient } from '@ostiary/ui/internal'
import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { afterEach } from 'vitest'
import type { RecordedCall } from '../../server/wire.ts'
import { continueSignIn } from '../panel/page-forms.ts'
import { Panel } from '../panel/panel.tsx'

export const WIRE = 'GET /demo/api/wire'
export const SWITCHES = 'GET /demo/api/switches'
const NOW = '2031-01-01T10:00:00.000Z'

export const call = (more: Partial<RecordedCall> = {}): RecordedCall => ({
  seq: 1,
  id: 'call-1',
  time: '2031-01-01T10:00:00.000Z',
  method: 'GET',
  path: '/.ory/self-service/login/browser',
  status: 200,
  status_text: 'OK',
  duration_ms: 12,
  flow_id: 'f0000000-0000-4000-8000-000000000000',
  accept: 'application/json',
  cookies_sent: ['csrf_token_1'],
  cookies_set: [],
  ...more,
})

interface Recorded {
  readonly entries: RecordedCall[]
  readonly session?: object | null
}

export function openPage(...answers: Recorded[]) {
  return openWith({}, ...answers)
}

export function openWith(routes: Record<string, Answer | Answer[]>, ...answers: Recorded[]) {
  const recorded = answers.map((answer) => ok({ session: null, now: NOW, ...answer }))
  const service = fakeService({ [WIRE]: recorded, [SWITCHES]: ok([]), ...routes })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Panel filled={continueSignIn()} />
    </QueryClientProvider>,
  )
  return service
}

afterEach(() => {
  history.replaceState(null, '', '/')
  sessionStorage.clear()
})
