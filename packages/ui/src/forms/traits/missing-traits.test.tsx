import { fakeService } from '@ostiary/react/testing/fake-service'
import { ok, registrationFlowJson, traitNode } from '@ostiary/react/testing/flows'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderApp } from '../../testing/render-app.tsx'

test('a form names empty required fields together with wrong ones', async () => {
  const traits = [
    traitNode('name', 'Name', { required: true }),
    traitNode('plan', 'Plan', { required: true, options: [{ value: 'free' }, { value: 'team' }] }),
  ]
  const service = fakeService({
    'GET /self-service/registration/browser': ok(registrationFlowJson({ traits })),
  })
  renderApp('/register')
  const name = await screen.findByLabelText('Name')
  await userEvent.type(screen.getByLabelText('Email'), 'ada@example.com')
  await userEvent.type(screen.getByLabelText('Password'), 'x')
  await userEvent.click(screen.getByRole('button', { name: 'Sign up' }))
  const summary = await screen.findByRole('region', { name: '3 fields to correct:' })
  const labels = within(summary)
    .getAllByRole('button')
    .map(({ textContent }) => textContent)
  expect(labels.sort()).toEqual(['Name', 'Password', 'Plan'])
  expect(name.getAttribute('aria-invalid')).toBe('true')
  await userEvent.selectOptions(screen.getByLabelText('Plan'), 'free')
  expect(screen.getAllByText('Please fill in this field.')).toHaveLength(1)
  expect(service.calls('POST /self-service/registration')).toEqual([])
})
