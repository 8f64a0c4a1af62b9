import { ADA } from '@ostiary/react/testing/flows'
import { takeErrors } from '@ostiary/react/testing/setup'
import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { routes } from '../../../app/web/routes.tsx'
import { all, open, settle, states } from './testing/screen-states.ts'
import { messagePageTexts } from './texts/message-pages.ts'
import * as files from './ui/save-file.ts'

/** As the translation of Chrome does, which also translates texts that appear later. */
function translate(): () => void {
  const wrapTexts = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts: Node[] = []
    while (walker.nextNode()) texts.push(walker.currentNode)
    for (const node of texts) {
      if (node.parentElement?.closest('font')) continue
      const font = document.createElement('font')
      node.parentNode?.replaceChild(font, node)
      font.textContent = node.nodeValue
    }
  }
  wrapTexts(document.body)
  const observer = new MutationObserver((changes) => {
    for (const { target } of changes) if (document.contains(target)) wrapTexts(target)
  })
  observer.observe(document.body, { childList: true, subtree: true })
  return () => observer.disconnect()
}

const buttons = () => [
  ...document.querySelectorAll<HTMLElement>('#main button, #main summary, header button'),
]

function fillIn(): void {
  for (const field of document.querySelectorAll('input')) {
    if (field.readOnly || !['text', 'email', 'password'].includes(field.type)) continue
    const value = field.type === 'email' ? ADA : field.name.includes('code') ? '123456' : 'secret words'
    fireEvent.change(field, { target: { value } })
  }
}

async function press(button: HTMLElement): Promise<void> {
  fillIn()
  fireEvent.click(button)
  await settle()
  expect(document.querySelectorAll('h1'), button.textContent).toHaveLength(1)
  expect(screen.queryByText(messagePageTexts.failure.heading), button.textContent).toBeNull()
}

test('every screen is here', () => {
  expect(Object.keys(states)).toEqual(routes.map(({ path }) => path))
})

/** As Chromium submits `ada@exämple.com`. */
const SUBMITTED = 'ada@xn--exmple-cua.com'

function spellAddresses(): () => void {
  const read = Response.prototype.json
  const spy = vi.spyOn(Response.prototype, 'json').mockImplementation(async function (this: Response) {
    return JSON.parse(JSON.stringify(await read.call(this)).replaceAll(ADA, SUBMITTED)) as unknown
  })
  return () => spy.mockRestore()
}

function shownTexts(): string[] {
  return [...document.querySelectorAll('body, [aria-label], [title]')].flatMap((element) => [
    element.textContent,
    element.getAttribute('aria-label') ?? '',
    element.getAttribute('title') ?? '',
  ])
}

test.each(all)(
  '$address has readable addresses, and, translated, survives each button ($index)',
  async (state) => {
    vi.spyOn(window, 'print').mockImplementation(() => {})
    vi.spyOn(files, 'saveFile').mockImplementation(() => {})
    const stopSpelling = spellAddresses()
    const count = await open(state).then((app) => {
      const { length } = buttons()
      expect(shownTexts().filter((text) => text.includes('xn--'))).toEqual([])
      app.unmount()
      stopSpelling()
      return length
    })
    for (let index = 0; index < count; index++) {
      const app = await open(state)
      const stop = translate()
      const first = buttons()
      await press(first[index]!)
      // The part that has opened: a form, a question or a dialog.
      for (const opened of buttons().filter((one) => !first.includes(one)))
        if (opened.isConnected) await press(opened)
      app.unmount()
      stop()
    }
    // Refusals of the service are logged.
    expect(
      takeErrors()
        .flat()
        .filter((error) => error instanceof DOMException),
    ).toEqual([])
  },
)
