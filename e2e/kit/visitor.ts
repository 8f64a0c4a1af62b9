import { expect } from '@playwright/test'
import type { Driver } from './other-browsers.ts'

/** The actions and views of a user in a browser without Playwright. Each step waits up to ten seconds. */
export interface Visitor {
  open(path: string): Promise<void>
  /** @param within a CSS selector */
  press(name: string, within?: string): Promise<void>
  /** Replaces what the field holds. */
  type(label: string, text: string): Promise<void>
  seesHeading(text: string): Promise<void>
  sees(text: string): Promise<void>
  isAt(path: string): Promise<void>
  hasCookie(name: string): Promise<void>
}

const patience = { timeout: 10_000 }

export function visitorOf(driver: Driver, origin: string): Visitor {
  async function run<Given extends readonly unknown[], Value>(
    inPage: (...given: Given) => Value,
    ...given: Given
  ): Promise<Value> {
    const text = await driver.evaluate(`JSON.stringify((${inPage})(...${JSON.stringify(given)}))`)
    return JSON.parse(text ?? 'null') as Value
  }

  const until = <Value>(inPage: () => Value, check: (value: Value) => void) =>
    expect(async () => check(await run(inPage))).toPass(patience)

  async function press(name: string, within = 'body'): Promise<void> {
    let point: Point | null = null
    await expect(async () => {
      const before = point
      point = await run(findPoint, name, within)
      expect(point, `"${name}" can be pressed`).not.toBeNull()
      // An opening menu still moves.
      expect(point, `"${name}" stays in its place`).toEqual(before)
    }).toPass(patience)
    await driver.perform(click(point!))
  }

  return {
    open: (path) => driver.open(origin + path),
    press,
    async type(label, text) {
      await press(label)
      await run(() => (document.activeElement as HTMLInputElement).select())
      await driver.perform(keys(text))
    },
    seesHeading: (text) =>
      until(
        () => document.querySelector('h1')?.innerText,
        (heading) => expect(heading).toBe(text),
      ),
    sees: (text) =>
      until(
        () => document.body.innerText,
        (all) => expect(all).toContain(text),
      ),
    isAt: (path) =>
      until(
        () => location.pathname,
        (current) => expect(current).toBe(path),
      ),
    hasCookie: (name) =>
      until(
        () => document.cookie,
        (cookies) => expect(cookies).toContain(`${name}=`),
      ),
  }
}

interface Point {
  readonly x: number
  readonly y: number
}

/** Runs in the page. Null while nothing with that name is visible, or something covers it. */
function findPoint(name: string, within: string): Point | null {
  const namesOf = (element: HTMLElement) => [
    element.ariaLabel ?? element.innerText,
    ...[...((element as HTMLInputElement).labels ?? [])].map((label) => label.innerText),
  ]
  const controls = [...document.querySelectorAll<HTMLElement>(`${within} :is(a, button, input)`)]
  const found = controls.find(
    (control) =>
      control.checkVisibility() &&
      namesOf(control).some((text) => text.trim().replaceAll(/\s+/g, ' ') === name),
  )
  if (found === undefined) return null
  found.scrollIntoView({ block: 'center', behavior: 'instant' })
  const { x, y, width, height } = found.getBoundingClientRect()
  const point = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) }
  return found.contains(document.elementFromPoint(point.x, point.y)) ? point : null
}

function click(point: Point) {
  const actions = [
    { type: 'pointerMove', ...point },
    { type: 'pointerDown', button: 0 },
    { type: 'pointerUp', button: 0 },
  ]
  return [{ type: 'pointer', id: 'mouse', actions }]
}

function keys(text: string) {
  const actions = [...text].flatMap((value) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ])
  return [{ type: 'key', id: 'keyboard', actions }]
}
