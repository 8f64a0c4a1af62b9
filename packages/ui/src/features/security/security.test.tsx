import { fakeService } from '@ostiary/react/testing/fake-service'
import { ADA, ok, sessionJson, settingsFlowJson } from '@ostiary/react/testing/flows'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import * as product from '../../../../../app.config.ts'
import { renderApp, waitForFocus } from '../../testing/render-app.tsx'

const node = (group: string, name: string) => ({
  type: 'input',
  group,
  attributes: { name, type: 'submit', value: 'true', disabled: false, node_type: 'input' },
  messages: [],
  meta: {},
})
const APP_OFF = node('totp', 'totp_code')
const APP_ON = node('totp', 'totp_unlink')
const CODES_OFF = node('lookup_secret', 'lookup_secret_regenerate')
const CODES_ON = node('lookup_secret', 'lookup_secret_disable')

const submit = 'POST /self-service/settings'

const DAY = 24 * 3_600_000
const changed_at = new Date(Date.now() - 100 * DAY).toISOString()

function openSecurity(nodes: object[], then: object[][] = [], known = {}) {
  return {
    service: fakeService({
      'GET /sessions/whoami': ok(sessionJson()),
      'GET /self-service/settings/browser': ok(settingsFlowJson({ providers: nodes as never[] })),
      'GET /api/v1/account/credentials': ok({ passkeys: [], connections: [], ...known }),
      'GET /api/v1/account/deletion': ok({ due_at: null }),
      [submit]: then.map((left) => ok(settingsFlowJson({ state: 'success', providers: left as never[] }))),
    }),
    app: renderApp('/settings/security'),
  }
}

test('the password card says when the password was changed', async () => {
  openSecurity([node('password', 'password')], [], { password: { changed_at } })
  const card = await screen.findByRole('region', { name: 'Password' })
  await waitFor(() => expect(card.textContent).toContain('Changed 3 months ago'))
  expect(screen.getByRole('button', { name: 'Change password' })).toBeTruthy()
})

test('the password card dates no password that was never changed', async () => {
  const created_at = '2026-01-05T10:00:00.000Z'
  const session = { ...sessionJson(), identity: { ...sessionJson().identity, created_at } }
  fakeService({
    'GET /sessions/whoami': ok(session),
    'GET /self-service/settings/browser': ok(
      settingsFlowJson({ providers: [node('password', 'password')] as never[] }),
    ),
    'GET /api/v1/account/credentials': ok({
      passkeys: [],
      connections: [],
      password: { changed_at: created_at },
    }),
    'GET /api/v1/account/deletion': ok({ due_at: null }),
  })
  renderApp('/settings/security')
  const card = await screen.findByRole('region', { name: 'Password' })
  await waitFor(() => expect(card.textContent).toContain('Set when you signed up'))
})

test('a password that was just changed says so', async () => {
  openSecurity([node('password', 'password')], [], { password: { changed_at: new Date().toISOString() } })
  const card = await screen.findByRole('region', { name: 'Password' })
  await waitFor(() => expect(card.textContent).toContain('Changed just now'))
})

test('without passkeys, a password needs an app, and an emailed code is not counted', async () => {
  const { app } = openSecurity([APP_OFF], [], { password: { changed_at } })
  expect(await screen.findByText('Set up an authenticator app next.')).toBeTruthy()
  app.unmount()
  openSecurity([APP_OFF])
  await screen.findByRole('region', { name: 'Authenticator app' })
  expect(screen.queryByText('You’re well protected.')).toBeNull()
  expect(screen.queryByText(/to log in, with/)).toBeNull()
})

const at = '2026-01-05T10:00:00.000Z'
const passkey = { id: 'a1', created_at: at }
const github = { provider: 'github', subject: '1', connected_at: at }

test.each([
  [{ password: { changed_at: at } }, /^One way to log in, without a second step\. Add a passkey/],
  [{ passkeys: [passkey] }, /^One way to log in, without a second step\. Add another, in case/],
  [
    { password: { changed_at: at }, passkeys: [passkey] },
    /^2 ways .* without .* Set up an authenticator app/,
  ],
  [
    { passkeys: [passkey], totp: { created_at: at }, connections: [github] },
    /^2 ways .* with .* Make backup codes/,
  ],
  [{ passkeys: [passkey], connections: [github] }, /^2 ways .* You’re well protected\.$/],
  [{ connections: [github] }, /^One way .* without a second step\. Add a passkey/],
])('the page opens with the state of the account and what to do next: %o', async (known, sentence) => {
  openSecurity([node('passkey', 'passkey_register'), APP_OFF], [], known)
  const state = await screen.findByText(/to log in, with/)
  expect(state.parentElement?.textContent).toMatch(sentence)
})

test('passkeys without a name say where they were added, and differ', async () => {
  const ids = ['a1', 'b2', 'c3', 'd4']
  const added_in = 'Chrome on Linux'
  const added = (id: string, more: object) => ({ id, created_at: at, ...more })
  openSecurity(
    ids.map((id) => {
      const { attributes, ...passkey } = node('passkey', 'passkey_remove')
      return { ...passkey, attributes: { ...attributes, value: id } }
    }),
    [],
    {
      passkeys: [
        added('a1', { added_in }),
        added('b2', { added_in }),
        added('c3', { added_in, kept_by: '1Password' }),
        added('d4', {}),
      ],
    },
  )
  const names = async () =>
    (await screen.findAllByRole('button', { name: /^Remove / })).map(({ textContent }) => textContent)
  await waitFor(async () =>
    expect(await names()).toEqual([
      'Remove Passkey in Chrome on Linux',
      'Remove Passkey in Chrome on Linux (2)',
      'Remove 1Password',
      'Remove Passkey',
    ]),
  )
})

test('Escape closes the form of a card and returns the focus to the button that opened it', async () => {
  openSecurity([node('password', 'password')], [], { password: { changed_at } })
  await userEvent.click(await screen.findByRole('button', { name: 'Change password' }))
  await userEvent.type(await screen.findByLabelText('New password'), 'words{Escape}')
  await waitForFocus(await screen.findByRole('button', { name: 'Change password' }))
  expect(screen.queryByLabelText('New password')).toBeNull()
})

test('a user without a password can set one', async () => {
  openSecurity([node('password', 'password')])
  await screen.findByRole('button', { name: 'Set a password' })
})

test('without an authenticator app no backup codes are offered: they alone would lock the user out', async () => {
  openSecurity([APP_OFF, CODES_OFF])
  await screen.findByText(/Set up an authenticator app first/)
  expect(screen.queryByRole('button', { name: 'Make codes' })).toBeNull()
})

test('with an authenticator app backup codes are offered', async () => {
  openSecurity([APP_ON, CODES_OFF])
  await screen.findByRole('button', { name: 'Make codes' })
})

test('a user who has only backup codes is warned, and can turn them off', async () => {
  const { service } = openSecurity([APP_OFF, CODES_ON], [[APP_OFF, CODES_OFF]])
  await screen.findByText(/Once they are gone you can’t log in/)
  expect(screen.queryByRole('button', { name: 'Make new codes' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Turn off backup codes' }))
  await screen.findByText('Logging in will no longer ask for a second step.')
  await userEvent.click(screen.getByRole('button', { name: 'Turn off' }))
  await screen.findByText('Backup codes are turned off.')
  expect(service.calls(submit)[0]?.body).toMatchObject({ lookup_secret_disable: true })
})

test('removing the authenticator app removes the backup codes before it', async () => {
  const { service } = openSecurity(
    [APP_ON, CODES_ON],
    [
      [APP_ON, CODES_OFF],
      [APP_OFF, CODES_OFF],
    ],
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Remove the authenticator app' }))
  await screen.findByText(/Your backup codes are removed too/)
  await userEvent.click(screen.getByRole('button', { name: 'Remove app' }))
  await screen.findByText('Your authenticator app and your backup codes are removed.')
  await waitFor(() => expect(service.calls(submit)).toHaveLength(2))
  const [first, second] = service.calls(submit).map(({ body }) => body)
  expect(first).toMatchObject({ lookup_secret_disable: true })
  expect(second).toMatchObject({ totp_unlink: true })
})

test('new backup codes take the focus', async () => {
  openSecurity([APP_ON, CODES_OFF], [[APP_ON, ...freshCodes()]])
  await userEvent.click(await screen.findByRole('button', { name: 'Make codes' }))
  const code = await screen.findByText('d2se8')
  const card = code.closest('section')
  await waitForFocus(within(card ?? document.body).getByRole('heading'))
})

function freshCodes() {
  const secrets = { secrets: [{ text: 'd2se8kp2gd' }] }
  const text = { id: 1050015, text: 'd2se8kp2gd', type: 'info', context: secrets }
  const codes = { ...CODES_OFF, type: 'text', attributes: { id: 'codes', text, node_type: 'text' } }
  return [node('lookup_secret', 'lookup_secret_confirm'), codes]
}

test('the sheet to print has title, account and date, and each code in groups of five; copies have them too', async () => {
  const user = userEvent.setup()
  openSecurity([APP_ON, ...freshCodes()])
  const card = await screen.findByRole('region', { name: 'Backup codes' })
  const code = await within(card).findByRole('listitem')
  expect([...code.children].map(({ textContent }) => textContent)).toEqual(['d2se8', 'kp2gd'])
  const sheet = code.closest('.print-sheet')?.firstElementChild
  const day = new Date().toLocaleDateString('en', { dateStyle: 'medium' })
  const head = [`Backup codes for ${product.name} (${location.host})`, ADA, day, 'Each one works once.']
  expect([...(sheet?.children ?? [])].map(({ textContent }) => textContent)).toEqual(head)
  await user.click(within(card).getByRole('button', { name: 'Copy' }))
  expect(await navigator.clipboard.readText()).toBe([...head, '', 'd2se8kp2gd', ''].join('\n'))
})

test('Escape closes what is open in a row, and returns the focus to the button that opened it', async () => {
  const remove = node('passkey', 'passkey_remove')
  const passkeys = [{ id: 'AQID', name: 'Laptop', created_at: changed_at }]
  const nodes = [
    node('password', 'password'),
    { ...remove, attributes: { ...remove.attributes, value: 'AQID' } },
  ]
  openSecurity([...nodes, APP_ON, CODES_ON], [], { passkeys })
  for (const name of [/^Rename /, /^Turn off .*codes/, 'Make new codes']) {
    await userEvent.click(await screen.findByRole('button', { name }))
    await screen.findByRole('button', { name: 'Cancel' })
    await userEvent.keyboard('{Escape}')
    await waitForFocus(await screen.findByRole('button', { name }))
  }
})

test('what is done is said until the next press', async () => {
  openSecurity([APP_ON, CODES_ON], [[APP_ON, CODES_OFF], [APP_OFF]])
  const done = () => document.querySelectorAll('main [data-tone=done]:not(:empty)')
  for (const [opener, button] of [
    ['Turn off backup codes', 'Turn off'],
    ['Remove the authenticator app', 'Remove app'],
  ] as const) {
    await userEvent.click(await screen.findByRole('button', { name: opener }))
    expect(done()).toHaveLength(0)
    await userEvent.click(await screen.findByRole('button', { name: button }))
    await waitFor(() => expect(done()).toHaveLength(1))
  }
})
