import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { useSettings } from '../forms/forms.ts'
import { fakeService } from '../testing/fake-service.ts'
import { ok, refused, sessionJson, settingsFlowJson } from '../testing/flows.ts'
import { renderForm } from '../testing/render-form.tsx'
import { AuthProvider } from './auth-provider.tsx'
import { useAuth } from './use-auth.ts'

const whoami = 'GET /sessions/whoami'
const openSettings = 'GET /self-service/settings/browser'
const readSettings = 'GET /self-service/settings/flows'
const postSettings = 'POST /self-service/settings'
const ben = { ...sessionJson().identity, id: 'identity-2', traits: { email: 'ben@example.com' } }
const formOfBen = { ...(settingsFlowJson() as object), id: 'settings-2', identity: ben }

const renewed = refused(410, 'self_service_flow_expired', { use_flow_id: 'settings-2' })

test.each([
  ['has expired', renewed],
  ['is gone', refused(404)],
  ['belongs to the former account', refused(403, 'security_identity_mismatch')],
])(
  'SEC-140: a password is not set for the account that replaced the one of a form that %s',
  async (_, answer) => {
    const network = fakeService({
      [openSettings]: [ok(settingsFlowJson()), ok(formOfBen)],
      [readSettings]: ok(formOfBen),
      [postSettings]: [answer, ok({ ...formOfBen, state: 'success' })],
    })
    const { next, form } = renderForm(useSettings, 'password')
    await screen.findByText('ready')
    await act(async () => void (await form().submit({ method: 'password' }, { password: 'quiet words' })))
    expect(network.calls(postSettings)).toHaveLength(1)
    expect(next).toEqual([{ kind: 'sign-in' }])
  },
)

function Page() {
  const { session, refetch } = useAuth()
  const [typed, setTyped] = useState('')
  const id = session?.identity?.id
  const { data } = useQuery({ queryKey: ['links'], queryFn: async () => id, enabled: id !== undefined })
  return (
    <>
      <input aria-label="Name" value={typed} onChange={({ target }) => setTyped(target.value)} />
      <p>{session && `links of ${data}`}</p>
      <button type="button" onClick={() => void refetch()}>
        Check
      </button>
    </>
  )
}

async function renderPage(...sessions: ReturnType<typeof ok>[]) {
  fakeService({ [whoami]: [ok(sessionJson()), ...sessions] })
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  render(
    <QueryClientProvider client={client}>
      <AuthProvider service={{ url: '/.ory' }}>
        <Page />
      </AuthProvider>
    </QueryClientProvider>,
  )
  await screen.findByText('links of identity-1')
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Ada' } })
  for (const _ of sessions) await act(async () => fireEvent.click(screen.getByRole('button')))
}

const typedName = () => (screen.getByLabelText('Name') as HTMLInputElement).value

test('another account finds no typed text and no data of the former one', async () => {
  await renderPage(ok(sessionJson({ id: 'session-2', identity: ben })))
  await screen.findByText('links of identity-2')
  expect(typedName()).toBe('')
})

test('another account that logs in after a session has ended finds no data of the former one', async () => {
  await renderPage(refused(401), ok(sessionJson({ id: 'session-2', identity: ben })))
  await screen.findByText('links of identity-2')
})

test('a new session of the same account keeps what was typed', async () => {
  await renderPage(ok(sessionJson({ id: 'session-2' })))
  await screen.findByText('links of identity-1')
  expect(typedName()).toBe('Ada')
})
