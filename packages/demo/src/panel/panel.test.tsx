import type { Answer } from '@ostiary/react/testing/fake-service'
import { ADA, ok, refused, sessionJson } from '@ostiary/react/testing/flows'
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { call, openPage, openWith, SWITCHES, WIRE } from '../testing/open-panel.tsx'
import { demoTexts } from '../texts.ts'

test('the closed panel is one button and asks for no calls', async () => {
  const service = openPage({ entries: [] })
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Demo'])
  expect(service.calls(WIRE)).toEqual([])
})

test('the closed panel says what is changed', async () => {
  const email = { name: 'email', value: 'off', values: ['normal', 'off'] }
  openWith({ [SWITCHES]: ok([email, { name: 'clock', value: 'now', values: ['now', 'later'] }]) })
  const tab = await screen.findByRole('button', { name: 'Demo. Changed: Email: off' })
  expect(tab.textContent).toBe('Demo1')
})

test('opens with Enter, closes with Escape, and returns the focus without scrolling', async () => {
  const user = userEvent.setup()
  openPage({ entries: [] })
  await user.tab()
  await user.keyboard('{Enter}')
  expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Wire' }))
  expect(location.hash).toBe('#demo=wire')
  const height = screen.getByRole('button', { name: 'Enlarge' })
  await user.click(height)
  expect(document.activeElement).toBe(height)
  await screen.findByText(/No calls yet\./)
  const focus = vi.spyOn(HTMLElement.prototype, 'focus')
  await user.keyboard('{Escape}')
  expect(focus).toHaveBeenLastCalledWith({ preventScroll: true })
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Demo' }))
  expect(location.hash).toBe('')
})

test('names the user, the factors and the time left', async () => {
  history.replaceState(null, '', '#demo=wire')
  const expires_at = '2031-01-01T11:30:00.000Z'
  openPage({ entries: [], session: sessionJson({ expires_at, authenticator_assurance_level: 'aal2' }) })
  await screen.findByText(ADA)
  expect(screen.getByText('two factors, 1 h left')).toBeTruthy()
})

const PEOPLE = 'GET /demo/api/people'
const RESET = 'POST /demo/api/people/chi/reset'
const chi = {
  key: 'chi',
  name: 'Chi',
  email: 'chi@example.com',
  about: 'Two-step login',
  step: 'code',
  made: true,
}

function openPeople(made: Answer = { status: 204 }) {
  history.replaceState(null, '', '#demo=people')
  const people = [{ ...chi, code: '123456', seconds: 12 }]
  return openWith(
    {
      [PEOPLE]: ok({ password: 'three quiet words', people }),
      [RESET]: [made, { status: 204 }],
    },
    { entries: [] },
  )
}

test('the people have a state and a code, and can be recreated', async () => {
  const user = userEvent.setup()
  const service = openPeople()
  await screen.findByText('Two-step login')
  expect(screen.getByRole('button', { name: 'Log in as Chi' })).toBeTruthy()
  expect(screen.getByText('12 s')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Recreate Chi' }))
  await screen.findByText('The account is new')
  expect(service.calls(RESET)).toHaveLength(1)
})

test('says why a person could not be made', async () => {
  const user = userEvent.setup()
  openPeople({ status: 422, body: { error: { message: 'Add examples to the trait harbor.' } } })
  const recreate = await screen.findByRole('button', { name: 'Recreate Chi' })
  await user.click(recreate)
  await screen.findByText('That did not work. Add examples to the trait harbor.')
  await user.click(recreate)
  await screen.findByText('The account is new')
})

test('"Use" types the code into the page, if it asks for one', async () => {
  const user = userEvent.setup()
  openPeople()
  await user.click(await screen.findByRole('button', { name: 'Use' }))
  await screen.findByText('The page asks for no code.')
  const typed: string[] = []
  render(<CodePage onType={(code) => typed.push(code)} />)
  await user.click(screen.getByRole('button', { name: 'Use' }))
  expect(typed).toEqual(['123456'])
})

function CodePage({ onType }: { onType(code: string): void }) {
  return (
    <main>
      <input autoComplete="one-time-code" value="" onChange={({ target }) => onType(target.value)} />
    </main>
  )
}

const mail = (id: string, recipient: string) => ({
  id,
  recipient,
  subject: `Code for ${recipient}`,
  body: 'Your code is 654321',
  template_type: 'login_code_valid',
  created_at: '2031-01-01T10:00:00.000Z',
  html_url: `/demo/mails/${id}`,
  code: '654321',
})

test('the inbox lists emails to this browser first', async () => {
  history.replaceState(null, '', '#demo=inbox')
  const submitted = call({ request: `{"traits":{"email":"${ADA}"}}` })
  const mails = [mail('1', 'other@example.com'), mail('2', ADA)]
  openWith({ 'GET /demo/api/mails': ok({ mails }) }, { entries: [submitted] })
  await screen.findByText(`Code for ${ADA}`)
  await waitFor(() => {
    const headings = screen.getAllByRole('heading').map(({ textContent }) => textContent)
    expect(headings).toEqual([`Code for ${ADA}`, 'Code for other@example.com'])
  })
})

test('an email is shown as HTML and text', async () => {
  history.replaceState(null, '', '#demo=inbox')
  openWith({ 'GET /demo/api/mails': ok({ mails: [mail('1', ADA)] }) }, { entries: [] })
  const link = await screen.findByRole('link', { name: /^HTML/ })
  expect(link.getAttribute('href')).toBe('/demo/mails/1')
  expect(screen.getByText('Your code is 654321')).toBeTruthy()
})

test('a switch explains its values, and the panel names what was changed', async () => {
  const user = userEvent.setup()
  history.replaceState(null, '', '#demo=switches')
  const email = (value: string) => [{ name: 'email', value, values: ['delivered', 'off'] }]
  const service = openWith(
    { [SWITCHES]: ok(email('delivered')), 'PATCH /demo/api/switches': ok(email('off')) },
    { entries: [] },
  )
  const group = await screen.findByRole('group', { name: 'Email' })
  expect(group.textContent).toContain('off: emails wait')
  expect(screen.queryByRole('list', { name: 'Changed' })).toBeNull()
  await user.click(screen.getByRole('radio', { name: 'off' }))
  const changed = await screen.findByRole('list', { name: 'Changed' })
  expect(changed.textContent).toBe('Email: off')
  expect(service.calls('PATCH /demo/api/switches')[0]?.body).toEqual({ email: 'off' })
})

test('a switch moves at once, and back if the demo refuses', async () => {
  const user = userEvent.setup()
  history.replaceState(null, '', '#demo=switches')
  const routes = { [SWITCHES]: ok([{ name: 'email', value: 'delivered', values: ['delivered', 'off'] }]) }
  const service = openWith(
    { ...routes, 'PATCH /demo/api/switches': ['never', refused(500)] },
    { entries: [] },
  )
  const off = () => screen.getByRole('radio', { name: 'off' }) as HTMLInputElement
  await screen.findByRole('group', { name: 'Email' })
  await user.click(off())
  expect(off().checked).toBe(true)
  await user.click(screen.getByRole('radio', { name: 'delivered' }))
  await screen.findByText(demoTexts.failed)
  expect(off().checked).toBe(true)
  expect(service.calls('PATCH /demo/api/switches')).toHaveLength(2)
})

test('follows one stream while it is open and the page is visible', async () => {
  const user = userEvent.setup()
  const { streams } = openPage({ entries: [] }, { entries: [call({ path: '/.ory/sessions/whoami' })] })
  expect(streams.open.size).toBe(0)
  await user.click(screen.getByRole('button', { name: 'Demo' }))
  await screen.findByText(/No calls yet\./)
  await act(async () => streams.announce())
  await screen.findByRole('button', { name: /whoami/ })
  expect(streams.open.size).toBe(1)
  const show = (hidden: boolean) => {
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden)
    document.dispatchEvent(new Event('visibilitychange'))
  }
  show(true)
  expect(streams.open.size).toBe(0)
  show(false)
  expect(streams.open.size).toBe(1)
  await user.click(screen.getByRole('button', { name: 'Close' }))
  expect(streams.open.size).toBe(0)
})

test('survives a restart of the server', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  history.replaceState(null, '', '#demo=wire')
  const service = openPage({ entries: [] })
  await screen.findByText(/No calls yet\./)
  service.on(WIRE, 'no answer')
  await act(async () => service.streams.fail())
  await screen.findByText(/Can’t reach the app\. Retrying/)
  expect(service.streams.open.size).toBe(0)
  service.on(WIRE, ok({ entries: [call()], session: null, now: '2031-01-01T10:00:00.000Z' }))
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(service.streams.open.size).toBe(1)
  await act(async () => service.streams.announce())
  await screen.findByRole('button', { name: /login\/browser/ })
  expect(screen.queryByText(/Can’t reach/)).toBeNull()
})

test('says that the page has no form for a login by one press', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  history.replaceState(null, '', '#demo=people')
  const task = { step: 'password', email: 'ada@example.com', password: 'three quiet words' }
  sessionStorage.setItem('demo-sign-in', JSON.stringify(task))
  openWith({ 'GET /demo/api/people': ok({ people: [] }) }, { entries: [] })
  expect(screen.queryByText(/no form that the panel knows/)).toBeNull()
  await vi.advanceTimersByTimeAsync(6000)
  await screen.findByText(/no form that the panel knows/)
  vi.useRealTimers()
})
