import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { EmailRow } from './email-row.tsx'

test.each([
  ['verification_code_valid', undefined, 'Verification code'],
  ['stub', 'account_deletion_requested', 'Deletion requested'],
  ['stub', 'weekly_summary', 'Weekly summary'],
  ['stub', 'security_notice', 'Passkey added'],
])('names an email of %s %s', (template_type, own_template_type, name) => {
  const email = {
    id: '1',
    recipient: 'ada@example.com',
    subject: 'Passkey added',
    created_at: '2026-01-02T03:04:05Z',
  }
  render(<EmailRow email={{ ...email, status: 'sent', template_type, own_template_type }} isOfOne />)
  expect(screen.getByRole('button').textContent).toMatch(new RegExp(`^${name}`))
})
