import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { freePort } from '@ostiary/identity/testing/servers/free-port'
import { provide } from '@ostiary/identity/testing/servers/provide'
import { expect, test } from '@playwright/test'

/** The commands of WebDriver that a journey needs. Playwright drives neither browser as Debian ships it. */
export interface Driver extends AsyncDisposable {
  open(url: string): Promise<void>
  /** In the page. @returns JSON */
  evaluate(expression: string): Promise<string | null | undefined>
  perform(actions: readonly object[]): Promise<void>
  resize(width: number, height: number): Promise<void>
  /** PNG in base64. */
  picture(): Promise<string>
}

type Scheme = 'light' | 'dark'

/** For a test that may install its browser. */
export const patience = 600_000

export const otherBrowsers = { Firefox: startFirefox, WebKitGTK: startWebKit } as const

export function skipWithout(name: string): void {
  const reason = `${name} is missing and could not be installed`
  // The reporter prints no reasons.
  console.log(reason)
  test.skip(true, reason)
}

/** WebDriver BiDi, which Firefox speaks without a driver. @returns undefined if it cannot be installed */
async function startFirefox(scheme: Scheme): Promise<Driver | undefined> {
  const binary = provide(() => globSync('/usr/bin/firefox-esr')[0], 'firefox-esr')
  if (binary === undefined) return undefined
  const profile = await mkdtemp(join(tmpdir(), 'my-app-firefox-'))
  const override = scheme === 'dark' ? 0 : 1
  const settings = `user_pref('layout.css.prefers-color-scheme.content-override', ${override});`
  await writeFile(join(profile, 'user.js'), settings)
  const args = ['--headless', '--remote-debugging-port', '0', '--profile', profile]
  const firefox = launch(binary, args)
  const send = await connect(`${await lineWith(/ws:\S+/, firefox.stderr)}/session`)
  await send('session.new', { capabilities: {} })
  const { contexts } = await send<{ contexts: [{ context: string }] }>('browsingContext.getTree', {})
  const [{ context }] = contexts
  return {
    open: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    async evaluate(expression) {
      const script = { expression, target: { context }, awaitPromise: false }
      const { result, exceptionDetails } = await send<Evaluated>('script.evaluate', script)
      if (!result) throw new Error(exceptionDetails?.text)
      return result.value
    },
    perform: (actions) => send('input.performActions', { context, actions }),
    resize: (width, height) => send('browsingContext.setViewport', { context, viewport: { width, height } }),
    async picture() {
      const whole = { context, origin: 'document' }
      return (await send<{ data: string }>('browsingContext.captureScreenshot', whole)).data
    },
    async [Symbol.asyncDispose]() {
      await end(firefox)
      await rm(profile, { recursive: true, force: true })
    },
  }
}

interface Evaluated {
  readonly result?: { readonly value?: string }
  readonly exceptionDetails?: { readonly text: string }
}

type Send = <Result = void>(method: string, params: object) => Promise<Result>

async function connect(url: string): Promise<Send> {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  const pendingReplies = new Map<number, PromiseWithResolvers<unknown>>()
  socket.addEventListener('message', ({ data }) => {
    const { id, type, result, message } = JSON.parse(String(data))
    if (type === 'error') pendingReplies.get(id)?.reject(new Error(message))
    else pendingReplies.get(id)?.resolve(result)
  })
  let lastId = 0
  return <Result>(method: string, params: object) => {
    const answer = Promise.withResolvers<unknown>()
    lastId += 1
    pendingReplies.set(lastId, answer)
    socket.send(JSON.stringify({ id: lastId, method, params }))
    return answer.promise as Promise<Result>
  }
}

/** W3C WebDriver on a virtual display. @returns undefined if it cannot be installed */
async function startWebKit(scheme: Scheme): Promise<Driver | undefined> {
  const xvfb = provide(() => globSync('/usr/bin/Xvfb')[0], 'xvfb')
  const binary = provide(() => globSync('/usr/bin/WebKitWebDriver')[0], 'webkit2gtk-driver')
  if (xvfb === undefined || binary === undefined) return undefined
  const config = await mkdtemp(join(tmpdir(), 'my-app-webkit-'))
  await mkdir(join(config, 'gtk-3.0'))
  // The toolbar would be wider than a phone.
  await writeFile(join(config, 'gtk-3.0/gtk.css'), 'button, entry { min-width: 0; padding: 0 }')
  const screen = ['-screen', '0', '1280x6000x24', '-nolisten', 'tcp', '-displayfd', '1']
  const display = launch(xvfb, screen)
  const DISPLAY = `:${await lineWith(/\d+/, display.stdout)}`
  const GTK_THEME = scheme === 'dark' ? 'Adwaita:dark' : 'Adwaita'
  const port = await freePort()
  const webKit = launch(binary, [`--port=${port}`], { DISPLAY, GTK_THEME, XDG_CONFIG_HOME: config })
  const session = await openSession(`http://127.0.0.1:${port}/session`)
  const evaluate = (expression: string) =>
    post<string | null>(`${session}/execute/sync`, { script: `return ${expression}`, args: [] })
  const resize = (width: number, height: number) => post(`${session}/window/rect`, { width, height })
  return {
    open: (url) => post(`${session}/url`, { url }),
    evaluate,
    perform: (actions) => post(`${session}/actions`, { actions }),
    resize,
    async picture() {
      const { width, height } = JSON.parse((await evaluate(WHOLE_PAGE)) ?? '')
      await resize(width, height)
      await evaluate(PAINTED)
      return await call(`${session}/screenshot`)
    },
    async [Symbol.asyncDispose]() {
      await call(session, { method: 'DELETE' })
      await end(webKit)
      await end(display)
      await rm(config, { recursive: true, force: true })
    },
  }
}

const WHOLE_PAGE = `JSON.stringify({
  width: innerWidth,
  height: document.documentElement.scrollHeight + outerHeight - innerHeight,
})`

const PAINTED = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))'

async function openSession(url: string): Promise<string> {
  const browser = { 'webkitgtk:browserOptions': { binary: miniBrowser(), args: ['--automation'] } }
  const capabilities = { alwaysMatch: browser }
  let session: { sessionId: string } | undefined
  await expect(async () => {
    session = await post<{ sessionId: string }>(url, { capabilities })
  }, 'the driver listens').toPass()
  return `${url}/${session?.sessionId}`
}

const miniBrowser = () => globSync('/usr/lib/*/webkit2gtk-*/MiniBrowser')[0]

const post = <Value = void>(url: string, body: object) =>
  call<Value>(url, { method: 'POST', body: JSON.stringify(body) })

async function call<Value>(url: string, init: RequestInit = {}): Promise<Value> {
  const response = await fetch(url, init)
  const { value } = (await response.json()) as { value: Value }
  if (!response.ok) throw new Error(JSON.stringify(value))
  return value
}

function launch(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr]) stream.resume()
  process.once('exit', () => child.kill())
  return child
}

async function lineWith(pattern: RegExp, stream: Readable): Promise<string> {
  for await (const line of createInterface({ input: stream })) {
    const found = pattern.exec(line)?.[0]
    if (found !== undefined) {
      stream.resume()
      return found
    }
  }
  throw new Error(`ended before it printed ${pattern}`)
}

async function end(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill()
  await exit
}
