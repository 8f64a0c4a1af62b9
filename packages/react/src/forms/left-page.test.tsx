import { act, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { type Answer, fakeService } from '../testing/fake-service.ts'
import { loginFlowJson, ok, recoveryFlowJson, refused, sessionJson } from '../testing/flows.ts'
import { renderForm } from '../testing/render-form.tsx'
import { useLogin, useRecovery } from './forms.ts'

const onLeave = vi.fn()
const onFlowId = vi.fn()

/** Leaves the page while its form is being sent. Resolves after the reply. */
async function replyAfterLeaving(hook: unknown, method: string, reply: Answer) {
  const isSent = Promise.withResolvers<void>()
  const late = Promise.withResolvers<Answer>()
  const answerLate = () => {
    isSent.resolve()
    return late.promise
  }
  const network = fakeService({
    'GET /self-service/login/browser': ok(loginFlowJson()),
    'POST /self-service/login': answerLate,
    'GET /self-service/recovery/browser': ok(recoveryFlowJson('choose_method')),
    'POST /self-service/recovery': answerLate,
    'GET /sessions/whoami': refused(401),
  })
  const { next, form, unmount } = renderForm(hook, method, { onLeave, onFlowId, namesNewFlows: false })
  await screen.findByText('ready')
  const sent = form().submit({ method })
  await isSent.promise
  network.on('GET /sessions/whoami', ok(sessionJson()))
  unmount()
  late.resolve(reply)
  await act(async () => void (await sent))
  return { next, network }
}

test('a login that succeeds after its page was left is known, and leads nowhere', async () => {
  const { next, network } = await replyAfterLeaving(useLogin, 'password', ok({ session: {} }))
  await vi.waitFor(() => expect(network.calls('GET /sessions/whoami').length).toBeGreaterThan(1))
  expect(next).toEqual([])
})

test('a provider does not open once the page was left', async () => {
  const body = { redirect_browser_to: 'https://github.example/authorize' }
  await replyAfterLeaving(useLogin, 'oidc', { status: 422, body })
  expect(onLeave).not.toHaveBeenCalled()
})

test('a code that was sent after the page was left does not change the address', async () => {
  await replyAfterLeaving(useRecovery, 'code', ok(recoveryFlowJson('sent_email')))
  expect(onFlowId).not.toHaveBeenCalled()
})
