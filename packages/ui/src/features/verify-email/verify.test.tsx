import { fakeService } from '@ostiary/react/testing/fake-service'
import {
  ADA,
  bad,
  chooseFlowJson,
  ok,
  passedFlowJson,
  refused,
  sentFlowJson,
  sessionJson,
  text,
} from '@ostiary/react/testing/flows'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import { homeTexts } from '../../../../../app/texts.ts'
import * as product from '../../../../../app.config.ts'
import { renderApp, waitForFocus } from '../../testing/render-app.tsx'
import { writeSettings } from '../../testing/setup.ts'

const read = 'GET /self-service/verification/flows'
const create = 'GET /self-service/verification/browser'
const submit = 'POST /self-service/verification'
const wrong = text(4070006, 'The code is wrong.')

async function openVerify(routes: Parameters<typeof fakeService>[0] = {}) {
  const service = fakeService({ [read]: ok(sentFlowJson()), ...routes })
  const app = renderApp('/verify?flow=verification-1')
  const field = (await screen.findByLabelText('Code')) as HTMLInputElement
  return { service, app, field }
}

test('without a flow the browser goes to the home page', async () => {
  fakeService()
  const { address } = renderApp('/verify')
  await screen.findByRole('heading', { name: homeTexts.heading })
  expect(address()).toBe('/')
})

test('the screen says where the code went and has one field that phones can fill in', async () => {
  const { field } = await openVerify()
  expect(screen.getByText(ADA)).toBeTruthy()
  expect([field.type, field.inputMode, field.autocomplete]).toEqual(['text', 'numeric', 'one-time-code'])
  expect(screen.getByRole('link', { name: 'Use a different email' }).getAttribute('href')).toBe('/register')
})

test('a signed-in user chooses another email on the profile page', async () => {
  await openVerify({ 'GET /sessions/whoami': ok(sessionJson()) })
  const link = screen.getByRole('link', { name: 'Use a different email' })
  await waitFor(() => expect(link.getAttribute('href')).toBe('/settings'))
})

test('the sixth digit sends the code once, and success shows the way to the login', async () => {
  const { service, field } = await openVerify({ [submit]: ok(passedFlowJson({ id: 'verification-1' })) })
  await userEvent.type(field, '123456')
  await screen.findByRole('heading', { name: 'Email Verified!' })
  expect(screen.getByText(/You can now log in/)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Go to Login' }).getAttribute('href')).toBe('/login')
  expect(service.calls(submit)).toHaveLength(1)
  const [call] = service.calls(submit)
  expect(call?.body).toMatchObject({ method: 'code', code: '123456' })
  expect(call?.url.searchParams.get('flow')).toBe('verification-1')
})

test.each(['Your code is 123 456', '123-456', ' 123456 ', '１２３４５６', 'code: 123\u00a0456!'])(
  'a pasted %j is understood',
  async (pasted) => {
    const { service, field } = await openVerify({ [submit]: ok(passedFlowJson()) })
    field.focus()
    await userEvent.paste(pasted)
    await screen.findByRole('heading', { name: 'Email Verified!' })
    expect(service.calls(submit)[0]?.body).toMatchObject({ code: '123456' })
  },
)

test('reports a wrong code, selects the digits and does not resend them', async () => {
  const { service, field } = await openVerify({ [submit]: ok(sentFlowJson({ messages: [wrong] })) })
  await userEvent.type(field, '111111')
  await screen.findByText(wrong.text)
  expect(field.value).toBe('111111')
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, 6])
  expect(document.title).toBe(`Error: Verify your email · ${product.name}`)
  fireEvent.change(field, { target: { value: '111 111' } })
  expect(service.calls(submit)).toHaveLength(1)
})

test('Enter after a wrong code uses up no other attempt, and without a code asks for one', async () => {
  const { service, field } = await openVerify({ [submit]: ok(sentFlowJson({ messages: [wrong] })) })
  await userEvent.type(field, '123456')
  await screen.findByText(wrong.text)
  await userEvent.keyboard('{Enter}')
  expect(service.calls(submit)).toHaveLength(1)
  expect(screen.getByText(wrong.text)).toBeTruthy()
  await userEvent.clear(field)
  await userEvent.keyboard('{Enter}')
  await screen.findByText('Enter the code from your email.')
  expect(screen.queryByText(wrong.text)).toBeNull()
})

test('submits six other digits after a wrong code', async () => {
  const { service, field } = await openVerify({
    [submit]: [ok(sentFlowJson({ messages: [wrong] })), ok(passedFlowJson())],
  })
  await userEvent.type(field, '111111')
  await screen.findByText(wrong.text)
  await userEvent.clear(field)
  await userEvent.type(field, '123456')
  await screen.findByRole('heading', { name: 'Email Verified!' })
  expect(service.calls(submit)).toHaveLength(2)
})

test('messages that are not errors are not shown as errors', async () => {
  await openVerify()
  expect(screen.queryByText('An email with a code was sent.')).toBeNull()
})

test('a code that a link filled in waits for the button', async () => {
  const { service, field } = await openVerify({
    [read]: ok(sentFlowJson({ code: '123456' })),
    [submit]: ok(passedFlowJson()),
  })
  expect(field.value).toBe('123456')
  expect(service.calls(submit)).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Verify' }))
  await screen.findByRole('heading', { name: 'Email Verified!' })
})

test('an empty code is asked for, not sent', async () => {
  const { service } = await openVerify()
  await userEvent.click(screen.getByRole('button', { name: 'Verify' }))
  expect(screen.getByText('Enter the code from your email.')).toBeTruthy()
  expect(service.calls(submit)).toEqual([])
})

test('after a reload the confirmation still stands', async () => {
  fakeService({ [read]: ok(passedFlowJson()) })
  renderApp('/verify?flow=verification-1')
  await screen.findByRole('heading', { name: 'Email Verified!' })
})

test('any other refusal says that the verification failed', async () => {
  const { field } = await openVerify({ [submit]: refused(403) })
  await userEvent.type(field, '123456')
  await screen.findByText('Verification failed')
})

test('no response: the form says so, keeps the code and can be sent again', async () => {
  const { field } = await openVerify({ [submit]: ['no answer', ok(passedFlowJson())] })
  await userEvent.type(field, '123456')
  await screen.findByText(/Your entries stay here/)
  expect(field.value).toBe('123456')
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByRole('heading', { name: 'Email Verified!' })
})

describe('expired codes', () => {
  const expired = text(4070005, 'The code has expired.')

  test('requests a new code at once when the code has expired', async () => {
    const { service, app, field } = await openVerify({
      [submit]: [
        refused(410, 'self_service_flow_expired', { use_flow_id: 'verification-2' }),
        ok(sentFlowJson({ id: 'verification-2' })),
      ],
      [read]: [ok(sentFlowJson()), ok(chooseFlowJson({ id: 'verification-2', messages: [expired] }))],
    })
    await userEvent.type(field, '123456')
    await screen.findByText('That code has expired. We’ve requested a new one for you.')
    await waitFor(() => expect(app.address()).toBe('/verify?flow=verification-2'))
    expect(service.calls(submit)[1]?.body).toEqual({
      method: 'code',
      email: ADA,
      csrf_token: 'csrf-of-verification-2',
    })
    expect((screen.getByLabelText('Code') as HTMLInputElement).value).toBe('')
  })

  test('a code for a flow that expired meanwhile leads to a new code as well', async () => {
    const { service, app, field } = await openVerify({
      [submit]: [
        ok(chooseFlowJson({ id: 'verification-2', messages: [expired] })),
        ok(sentFlowJson({ id: 'verification-2' })),
      ],
    })
    await userEvent.type(field, '123456')
    await screen.findByText('That code has expired. We’ve requested a new one for you.')
    await waitFor(() => expect(app.address()).toBe('/verify?flow=verification-2'))
    expect(service.calls(submit)[1]?.body).toMatchObject({ email: ADA, csrf_token: 'csrf-of-verification-2' })
  })

  test('too many attempts say why and ask for the address before a new code is sent', async () => {
    const often = text(4000001, 'The code was tried too often.')
    const { service, field } = await openVerify({
      [submit]: [
        refused(410, 'self_service_flow_replaced', { use_flow_id: 'verification-2' }),
        ok(sentFlowJson({ id: 'verification-2' })),
      ],
      [read]: [ok(sentFlowJson()), ok(chooseFlowJson({ id: 'verification-2', messages: [often] }))],
    })
    await userEvent.type(field, '123456')
    await screen.findByText(often.text)
    const email = (await screen.findByLabelText('Email')) as HTMLInputElement
    expect(email.value).toBe(ADA)
    await waitForFocus(email)
    await userEvent.keyboard('{Enter}')
    await screen.findByLabelText('Code')
    expect(service.calls(submit)).toHaveLength(2)
  })
})

describe('a flow that has sent nothing yet', () => {
  test('asks for the address and sends the code there', async () => {
    const service = fakeService({ [read]: ok(chooseFlowJson()), [submit]: ok(sentFlowJson()) })
    renderApp('/verify?flow=verification-1')
    await userEvent.type(await screen.findByLabelText('Email'), 'ada')
    await userEvent.click(screen.getByRole('button', { name: 'Send me a code' }))
    await screen.findByText('Please enter a valid email address.')
    await userEvent.type(screen.getByLabelText('Email'), '@example.com{Enter}')
    await screen.findByLabelText('Code')
    expect(service.calls(submit)[0]?.body).toMatchObject({ method: 'code', email: ADA })
  })

  test.each([403, 404, 410])(
    'stands in for one that is gone (%i): a new flow, and the reason',
    async (status) => {
      const service = fakeService({
        [read]: refused(status),
        [create]: ok(chooseFlowJson({ id: 'verification-2' })),
      })
      const { address } = renderApp('/verify?flow=verification-1')
      await screen.findByText(/had expired or was opened in another browser/)
      expect(screen.getByLabelText('Email')).toBeTruthy()
      await waitFor(() => expect(address()).toBe('/verify?flow=verification-2'))
      expect(service.calls(create)).toHaveLength(1)
    },
  )

  test('shows what the service says about the address', async () => {
    fakeService({
      [read]: ok(chooseFlowJson()),
      [submit]: bad(chooseFlowJson({ fields: { email: [text(4000040, 'That is no address.')] } })),
    })
    renderApp('/verify?flow=verification-1')
    await userEvent.type(await screen.findByLabelText('Email'), `${ADA}{Enter}`)
    await screen.findByText('That is no address.')
  })
})

test('a form whose code a limit kept back says so', async () => {
  await openVerify({ [read]: ok(sentFlowJson({ messages: [text(4290001, 'Too many attempts.')] })) })
  expect(screen.getByText(/We can’t send another code yet/)).toBeTruthy()
  expect(screen.getByLabelText('Code')).toBeTruthy()
})

test('a new code can be requested after the countdown, and the screen says that the old one has expired', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { service } = await openVerify({ [submit]: ok(sentFlowJson()) })
  const button = screen.getByRole('button', { name: /New code in \d+ s/ })
  await userEvent.click(button)
  expect(service.calls(submit)).toEqual([])
  await act(() => vi.advanceTimersByTimeAsync(5000))
  const left = /New code in (\d+) s/.exec(screen.getByRole('button', { name: /New code in/ }).textContent)
  expect(Number(left?.[1])).toBeLessThanOrEqual(25)
  await act(() => vi.advanceTimersByTimeAsync(26_000))
  await userEvent.click(screen.getByRole('button', { name: 'Send a new code' }))
  await screen.findByText(/^New code requested. Use the newest one/)
  expect(service.calls(submit)[0]?.body).toEqual({
    method: 'code',
    email: ADA,
    csrf_token: 'csrf-of-verification-1',
  })
  expect(screen.getByRole('button', { name: /New code in \d+ s/ })).toBeTruthy()
})

test('completing in another tab updates this one', async () => {
  await openVerify({ [read]: [ok(sentFlowJson()), ok(passedFlowJson({ id: 'verification-1' }))] })
  const other = new BroadcastChannel('ostiary')
  other.postMessage({ kind: 'verified', flow_id: 'verification-1' })
  await screen.findByRole('heading', { name: 'Email Verified!' })
  other.close()
})

test('the service being down is a sentence with a way to try again', async () => {
  fakeService({ [read]: ['no answer', ok(sentFlowJson())] })
  renderApp('/verify?flow=verification-1')
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  await screen.findByLabelText('Code')
})

test('only the demo points to its inbox', async () => {
  const { app } = await openVerify()
  expect(screen.queryByText(/^Demo:/)).toBeNull()
  app.unmount()
  writeSettings({ demo: true })
  await openVerify()
  const hint = await screen.findByText(/Demo: emails arrive in/)
  expect(hint.parentElement?.textContent).toBe('Demo: emails arrive in the inbox')
  expect(screen.getByRole('link', { name: 'the inbox' }).getAttribute('href')).toBe('/demo/inbox')
})
