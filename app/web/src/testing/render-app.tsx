import { render } from '@testing-library/react'
import { MemoryRouter, useLocation } from 'react-router'
import { App } from '../app.tsx'
import { createQueryClient } from '../query-client.ts'

/** The whole app at one address, and where it has gone to. */
export function renderApp(address: string, state?: unknown) {
  const [pathname = '', search = ''] = address.split('?')
  const entry = { pathname, search: search && `?${search}`, state }
  let current = address
  function Address() {
    const { pathname, search } = useLocation()
    current = pathname + search
    return null
  }
  const view = render(
    <MemoryRouter initialEntries={[entry]}>
      <App cache={createQueryClient()} />
      <Address />
    </MemoryRouter>,
  )
  return { ...view, address: () => current }
}
