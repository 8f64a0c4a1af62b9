import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { continueSignIn, findField } from './page-forms.ts'

test('fills in a login form of own markup, which has the names of the protocol', async () => {
  const submissions: Record<string, unknown>[] = []
  render(
    <main>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submissions.push(Object.fromEntries(new FormData(event.currentTarget)))
        }}
      >
        <input name="identifier" aria-label="Email" />
        <input name="password" aria-label="Password" />
        <button type="submit">Login</button>
      </form>
    </main>,
  )
  const task = { step: 'password', email: 'ada@example.com', password: 'three quiet words' }
  sessionStorage.setItem('demo-sign-in', JSON.stringify(task))
  await continueSignIn()
  expect(submissions).toEqual([{ identifier: 'ada@example.com', password: 'three quiet words' }])
  const node = { name: 'identifier', type: 'text' } as Parameters<typeof findField>[0]
  expect(findField(node)).toBe(screen.getByLabelText('Email'))
})
