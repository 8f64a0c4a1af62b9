import { fakeService } from '@ostiary/react/testing/fake-service'
import {
  bad,
  input,
  loginFlowJson,
  ok,
  sentFlowJson,
  sessionJson,
  settingsFlowJson,
  text,
} from '@ostiary/react/testing/flows'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import * as product from '../../../../../app.config.ts'
import { renderApp } from '../../testing/render-app.tsx'

const wrong = text(4000008, 'The code is wrong.')
const totp = { ...input('totp_code', 'text'), group: 'totp' }
const login = loginFlowJson({ choices: [totp, input('lookup_secret', 'text')] })
const secondFactor = { ...login, requested_aal: 'aal2' }
const settings = settingsFlowJson({ providers: [totp] })
const signedIn = { 'GET /sessions/whoami': ok(sessionJson()) }

const screens = {
  'an emailed code': {
    address: '/verify?flow=verification-1',
    title: 'Verify your email',
    routes: {
      'GET /self-service/verification/flows': ok(sentFlowJson()),
      'POST /self-service/verification': bad(sentFlowJson({ fields: { code: [wrong] } })),
    },
  },
  'a second step': {
    address: '/login?aal=aal2',
    title: 'Two-step login',
    routes: {
      'GET /self-service/login/browser': ok(secondFactor),
      'POST /self-service/login': bad({
        ...secondFactor,
        ui: { ...(login.ui as object), messages: [wrong] },
      }),
    },
  },
  'a backup code': {
    address: '/login?aal=aal2',
    title: 'Two-step login',
    press: 'Use a backup code',
    routes: {
      'GET /self-service/login/browser': ok(secondFactor),
      'POST /self-service/login': bad({
        ...secondFactor,
        ui: { ...(login.ui as object), messages: [wrong] },
      }),
    },
  },
  'a new authenticator app': {
    address: '/settings/security',
    title: 'Security',
    press: /^Set up/,
    routes: {
      ...signedIn,
      'GET /self-service/settings/browser': ok(settings),
      'POST /self-service/settings': bad(
        settingsFlowJson({ providers: [totp], fields: { totp_code: [wrong] } }),
      ),
      'GET /api/v1/account/credentials': ok({ passkeys: [], connections: [] }),
      'GET /api/v1/account/deletion': ok({ due_at: null }),
    },
  },
}

test.each(Object.entries(screens))(
  '%s that is wrong looks like any other',
  async (_, { routes, ...shown }) => {
    const service = fakeService(routes)
    renderApp(shown.address)
    if ('press' in shown) await userEvent.click(await screen.findByRole('button', { name: shown.press }))
    const field = await screen.findByLabelText<HTMLInputElement>(/^(Code|Backup code)$/)
    await waitFor(() => expect(document.activeElement).toBe(field))
    await userEvent.type(field, 'press' in shown ? '111111{Enter}' : '111111')
    const alert = await screen.findByText(wrong.text)
    expect(alert.closest('[role=alert]')?.id).toBe(field.getAttribute('aria-describedby')?.split(' ').at(-1))
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(document.title).toBe(`Error: ${shown.title} · ${product.name}`)
    // Typing replaces it, and it is not sent again as it is.
    await waitFor(() => expect([field.selectionStart, field.selectionEnd]).toEqual([0, 6]))
    const posts = () =>
      Object.keys(routes).flatMap((route) => (/^POST/.test(route) ? service.calls(route) : []))
    const { length } = posts()
    await userEvent.keyboard('{Enter}')
    expect(posts()).toHaveLength(length)
  },
)
