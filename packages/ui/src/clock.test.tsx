import { fakeService, serverDate } from '@ostiary/react/testing/fake-service'
import { ok, sentFlowJson, sessionJson } from '@ostiary/react/testing/flows'
import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { renderApp } from './testing/render-app.tsx'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

describe.each([-DAY, -10 * MINUTE, 10 * MINUTE, DAY])(
  'FLT-32: a browser’s clock that is %d ms ahead',
  (lead) => {
    const moment = (ago: number) => new Date(serverDate(lead).getTime() - ago).toISOString()

    test('leaves relative times right', async () => {
      const here = { id: 'session-1', current: true, name: 'Firefox on Linux', kind: 'computer' }
      const phone = { id: 'session-2', current: false, name: 'Safari on iPhone', kind: 'phone' }
      const active = { ...phone, last_active_at: moment(7 * MINUTE) }
      fakeService(
        { 'GET /sessions/whoami': ok(sessionJson()), 'GET /api/v1/account/devices': ok([here, active]) },
        lead,
      )
      renderApp('/settings/devices')
      expect(await screen.findByText(/^7 minutes ago/)).toBeTruthy()
    })

    test.each([
      [5_000, /^New code in 2[345] s$/],
      [40_000, 'Send a new code'],
    ])('leaves the countdown of a flow that is %d ms old right', async (age, name) => {
      const flow = { ...sentFlowJson(), issued_at: moment(age) }
      fakeService({ 'GET /self-service/verification/flows': ok(flow) }, lead)
      renderApp('/verify?flow=verification-1')
      expect(await screen.findByRole('button', { name })).toBeTruthy()
    })
  },
)
