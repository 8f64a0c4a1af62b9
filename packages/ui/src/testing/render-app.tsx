import { render, waitFor } from '@testing-library/react'
import { createPath, type Location, MemoryRouter, parsePath, useLocation } from 'react-router'
import { expect } from 'vitest'
import { app } from '../../../../app/web/app.tsx'
import { createQueryClient } from '../api/query-client.ts'
import { App } from '../app.tsx'

export function renderApp(address: string, state?: unknown) {
  const entry = { ...parsePath(address), state }
  let current: Location | undefined
  function Address() {
    current = useLocation()
    return null
  }
  const view = render(
    <MemoryRouter initialEntries={[entry]}>
      <App app={app} cache={createQueryClient()} />
      <Address />
    </MemoryRouter>,
  )
  return { ...view, address: () => createPath(current ?? entry), state: () => current?.state as unknown }
}

/** An effect moves the focus after the element appears. */
export async function waitForFocus(element: Element): Promise<void> {
  await waitFor(() => expect(document.activeElement).toBe(element))
}
