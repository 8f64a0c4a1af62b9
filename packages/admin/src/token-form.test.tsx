import { fakeService } from '@ostiary/react/testing/fake-service'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { test } from 'vitest'
import { TokenForm } from './token-form.tsx'

for (const [status, message] of [
  [401, 'That is not the token of this server.'],
  [403, 'The server did not answer.'],
  [503, 'The server did not answer.'],
] as const)
  test(`an operator whose token is answered with ${status} reads why it was not taken`, async () => {
    fakeService({ 'GET /admin/version': { status, body: {} } })
    render(<TokenForm />)
    await userEvent.type(screen.getByLabelText('Admin token'), 'a-token')
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
    await screen.findByText(message)
  })
