import { takeErrors } from '@ostiary/react/testing/setup'
import { render, screen } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { expect, test, vi } from 'vitest'
import { leaveFor } from './browser.ts'
import { PageHeading, usePathParameters } from './page.tsx'

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
