import { takeErrors } from '@ostiary/react/testing/setup'
import { render, screen } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { expect, test, vi } from 'vitest'
import * as product from '../../../../app.config.ts'
import { leaveFor } from './browser.ts'
import { FieldError } from './form/fields.tsx'
import { FormError } from './form/form-error.tsx'
import { PageHeading, TitleSection, usePageTitle, usePathParameters } from './page.tsx'

function Link() {
  const { id } = usePathParameters('/links/:id')
  return <p>{id}</p>
}

function open(address: string, path: string) {
  render(
    <MemoryRouter initialEntries={[address]}>
      <Routes>
        <Route path={path} element={<Link />} />
      </Routes>
    </MemoryRouter>,
  )
}

test('a screen has the decoded parameters of its path', () => {
  open('/links/a%20b', '/links/:id')
  expect(screen.getByText('a b')).toBeTruthy()
})

test('a screen at another path is an error', () => {
  expect(() => open('/pages/42', '/pages/:id')).toThrow('The screen is not shown at /links/:id')
  takeErrors()
})

test('the heading has the focus after a return, not on a page rendered while this one is left', () => {
  leaveFor('/login')
  const { unmount } = render(<PageHeading>Home</PageHeading>)
  expect(document.activeElement).toBe(document.body)
  unmount()
  vi.spyOn(performance, 'timeOrigin', 'get').mockReturnValue(performance.timeOrigin + 1)
  render(<PageHeading>Login</PageHeading>)
  expect(document.activeElement).toBe(screen.getByText('Login'))
})

test('the title names the page, its section and the product, and says while an error is shown', () => {
  function Reports({ errors }: { errors: readonly string[] }) {
    usePageTitle('Reports')
    return (
      <>
        <FormError>{errors[0]}</FormError>
        <FieldError id="one">{errors[1]}</FieldError>
      </>
    )
  }
  const page = (...errors: string[]) => (
    <TitleSection value="Admin">
      <Reports errors={errors} />
    </TitleSection>
  )
  const title = `Reports · Admin · ${product.name}`
  const { rerender, unmount } = render(page())
  expect(document.title).toBe(title)
  for (const errors of [['Wrong', 'Empty'], ['', 'Empty'], ['Wrong']]) {
    rerender(page(...errors))
    expect(document.title).toBe(`Error: ${title}`)
  }
  // Corrected.
  rerender(page('', ''))
  expect(document.title).toBe(title)
  rerender(page('Wrong'))
  unmount()
  render(page())
  expect(document.title).toBe(title)
})
