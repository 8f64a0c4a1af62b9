import { waitFor } from '@testing-library/react'
import { expect } from 'vitest'

/** An effect moves the focus, which runs after the element can be found. */
export async function waitForFocus(element: Element): Promise<void> {
  await waitFor(() => expect(document.activeElement).toBe(element))
}
