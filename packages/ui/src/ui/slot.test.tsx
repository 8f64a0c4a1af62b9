import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { assertRecipe } from '../../../server/test/recipe.ts'
import { open } from '../testing/screen-states.ts'
import { type Components, setComponents } from './slot.tsx'

const components: Components = {
  Card: (Usual) => (props) => (
    <div className="shadow">
      <Usual {...props} />
    </div>
  ),
}

afterEach(() => setComponents({}))

test('a product frames every card', async () => {
  assertRecipe('Change a button, card or field', import.meta.filename)
  setComponents(components)
  await open({ address: '/settings/data', isSignedIn: true })
  const cards = document.querySelectorAll('section')
  expect(cards.length).toBeGreaterThan(1)
  for (const card of cards) expect(card.parentElement?.className).toBe('shadow')
})

test('a product writes its own field, and what is typed stays', async () => {
  setComponents({
    Field: () => (field) => (
      <div>
        <label htmlFor={field.name}>{`${field.label}!`}</label>
        <input id={field.name} name={field.name} type={field.type} aria-invalid={Boolean(field.error)} />
        <p>{field.error}</p>
      </div>
    ),
    Button: (Usual) => (button) => <Usual {...button} look="danger" />,
  })
  await open({ address: '/login' })
  const form = within(screen.getByRole('main'))
  const email = form.getByLabelText<HTMLInputElement>('Email!')
  await userEvent.type(email, 'ada')
  await userEvent.click(form.getByRole('button', { name: 'Login' }))
  await form.findAllByText('Please enter a valid email address.')
  expect(email.isConnected && email.value).toBe('ada')
})
