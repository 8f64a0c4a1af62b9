import { AuthProvider } from '@ostiary/react'
import { fakeService } from '@ostiary/react/testing/fake-service'
import { loginFlowJson, ok, sessionJson } from '@ostiary/react/testing/flows'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { createQueryClient } from '../../api/query-client.ts'
import { serviceOfPage } from '../../api/service.ts'
import { ConfirmProvider, useConfirm } from './confirm.tsx'

test('two cards that ask for a recent login at once get the answer of one dialog', async () => {
  fakeService({
    'GET /sessions/whoami': ok(sessionJson()),
    'GET /self-service/login/browser': ok({ ...loginFlowJson(), refresh: true }),
  })
  const answers: boolean[] = []
  function Card() {
    const confirm = useConfirm()
    const ask = async () => void answers.push(await confirm())
    return (
      <button type="button" onClick={() => void Promise.all([ask(), ask()])}>
        <span>Save both</span>
      </button>
    )
  }
  render(
    <QueryClientProvider client={createQueryClient()}>
      <AuthProvider service={serviceOfPage()}>
        <ConfirmProvider>
          <Card />
        </ConfirmProvider>
      </AuthProvider>
    </QueryClientProvider>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Save both' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(answers).toEqual([false, false]))
})
