import assert from 'node:assert/strict'
import { type Browser, openBrowser } from '../callers.ts'
import { csrfToken, fieldMessageIds, messageIds } from '../forms.ts'
import { newEmail, PASSWORD, scenario } from '../target.ts'
import { isSignedOut, newUser, signedIn } from '../users.ts'

// HTML forms and redirects, with a script that renders the form.

export const pages = [
  scenario('a browser signs in by an HTML form', async (target) => {
    const email = await newUser(target)
    const browser = openBrowser(target)
    const { screen, form } = await begin(browser)
    const refused = await browser.post(form.ui.action, fields(form, email, 'not this one'))
    assert.equal(refused.status, 303)
    assert.equal(new URL(refused.location).pathname, screen.pathname, 'it is sent back to the form')
    assert.deepEqual(messageIds(await browser.api.getLoginFlow({ id: form.id })), [4000006])
    const done = await browser.post(form.ui.action, fields(form, email, PASSWORD))
    assert.equal(done.status, 303)
    assert.equal((await browser.api.toSession()).identity?.traits.email, email)
  }),

  scenario('scripts cannot read the cookie of a session, and other sites cannot send it', async (target) => {
    const email = await newUser(target)
    const browser = openBrowser(target)
    const { form } = await begin(browser)
    const { setCookies } = await browser.post(form.ui.action, fields(form, email, PASSWORD))
    const session = setCookies.filter((line) => /^[^=]*session[^=]*=/.test(line))
    assert.ok(session.length > 0)
    for (const line of session) {
      assert.match(line, /httponly/i)
      assert.match(line, /samesite=(lax|strict)/i)
    }
  }),

  scenario('a browser registers by an HTML form', async (target) => {
    const browser = openBrowser(target)
    const { location } = await browser.navigate('/self-service/registration/browser')
    const form = await browser.api.getRegistrationFlow({ id: flowIn(location) })
    const email = newEmail()
    const sent = { csrf_token: csrfToken(form), method: 'password', 'traits.email': email }
    const short = await browser.post(form.ui.action, { ...sent, password: 'a' })
    assert.ok([302, 303].includes(short.status))
    const again = await browser.api.getRegistrationFlow({ id: flowIn(short.location) })
    assert.deepEqual(fieldMessageIds(again, 'password'), [4000032])
    const done = await browser.post(form.ui.action, { ...sent, password: PASSWORD })
    assert.equal(done.status, 303)
    assert.equal((await browser.api.toSession()).identity?.traits.email, email)
  }),

  scenario('a form without its CSRF token ends at the page of errors', async (target) => {
    const email = await newUser(target)
    const browser = openBrowser(target)
    const { form } = await begin(browser)
    const sent = { ...fields(form, email, PASSWORD), csrf_token: '' }
    assert.equal(await errorAt(browser, await browser.post(form.ui.action, sent)), 'security_csrf_violation')
    assert.ok(await isSignedOut(browser.api))
  }),

  scenario('a foreign return_to ends at the page of errors', async (target) => {
    const browser = openBrowser(target)
    const address = '/self-service/login/browser?return_to=https%3A%2F%2Fevil.example%2F'
    assert.equal(
      await errorAt(browser, await browser.navigate(address)),
      'self_service_flow_return_to_forbidden',
    )
  }),

  scenario('a signed-in user is redirected and not asked again', async (target) => {
    const { browser } = await signedIn(target)
    const { status, location } = await browser.navigate('/self-service/login/browser')
    assert.equal(status, 303)
    assert.equal(new URL(location).searchParams.get('flow'), null)
  }),

  scenario('the settings send a browser without a session to the sign-in', async (target) => {
    const { status, location } = await openBrowser(target).navigate('/self-service/settings/browser')
    assert.equal(status, 303)
    assert.match(location, /\/self-service\/login\/browser/)
  }),

  scenario('a link signs a browser out', async (target) => {
    const { browser } = await signedIn(target)
    const { logout_url } = await browser.api.createBrowserLogoutFlow()
    assert.equal((await browser.navigate(logout_url)).status, 303)
    assert.ok(await isSignedOut(browser.api))
  }),
]

async function begin(browser: Browser) {
  const { status, location } = await browser.navigate('/self-service/login/browser')
  assert.equal(status, 303)
  return { screen: new URL(location), form: await browser.api.getLoginFlow({ id: flowIn(location) }) }
}

function fields(form: Parameters<typeof csrfToken>[0], identifier: string, password: string) {
  return { csrf_token: csrfToken(form), method: 'password', identifier, password }
}

function flowIn(location: string): string {
  return new URL(location).searchParams.get('flow') ?? ''
}

async function errorAt(
  { api }: Browser,
  { status, location }: { status: number; location: string },
): Promise<unknown> {
  assert.equal(status, 303)
  const { error } = await api.getFlowError({ id: new URL(location).searchParams.get('id') ?? '' })
  return (error as { id?: string }).id
}
