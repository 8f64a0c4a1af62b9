import { fakeService } from '@ostiary/react/testing/fake-service'
import { ok, refused, sessionJson } from '@ostiary/react/testing/flows'
import { takeErrors } from '@ostiary/react/testing/setup'
import { renderApp, waitForFocus } from '@ostiary/ui/testing/render-app'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import * as product from '../../../app.config.ts'
import { aboutTexts, homeTexts } from '../../texts.ts'

test.each([
  ['/', homeTexts.heading, product.name],
  ['/about', aboutTexts.heading, `${aboutTexts.title} · ${product.name}`],
  ['/no/such/page', '404 Not Found', `Not found · ${product.name}`],
  ['/error?id=', 'Something went wrong', `Something went wrong · ${product.name}`],
])('%s shows "%s" inside the layout', async (address, heading, title) => {
  fakeService()
  renderApp(address)
  await screen.findByRole('heading', { level: 1, name: heading })
  for (const name of [product.name, 'Home', 'Dashboard', 'About'])
    expect(screen.getByRole('link', { name })).toBeTruthy()
  expect(within(screen.getByRole('banner')).getByRole('link', { name: 'Login' })).toBeTruthy()
  expect(screen.getByText(product.footer)).toBeTruthy()
  expect(document.title).toBe(title)
})

test('the home page has its line', async () => {
  fakeService()
  renderApp('/')
  expect(await screen.findByText(homeTexts.lead)).toBeTruthy()
})

test('the signed-in find a Logout button instead of the Login link', async () => {
  fakeService({ 'GET /sessions/whoami': ok(sessionJson()) })
  renderApp('/')
  await screen.findByRole('button', { name: 'Logout' })
  expect(within(screen.getByRole('banner')).queryByRole('link', { name: 'Login' })).toBeNull()
  expect(document.documentElement.dataset).toHaveProperty('session')
})

test('going to another screen puts the focus on its heading', async () => {
  fakeService()
  renderApp('/')
  await userEvent.click(screen.getByRole('link', { name: 'About' }))
  await waitForFocus(await screen.findByRole('heading', { level: 1, name: aboutTexts.heading }))
})

test('when the service does not answer, the page stays and says so, with a way to try again', async () => {
  fakeService({ 'GET /sessions/whoami': ['no answer', ok(sessionJson())] })
  renderApp('/')
  await screen.findByText(/Can’t reach the login service/)
  expect(screen.getByRole('heading', { name: homeTexts.heading })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByRole('button', { name: 'Logout' })
  takeErrors()
})

test("the error screen shows the service's sentence and a way on", async () => {
  const error = { code: 403, message: 'no', reason: 'The sign-in was cancelled.' }
  const service = fakeService({ 'GET /self-service/errors': ok({ id: 'error-1', error }) })
  renderApp('/error?id=error-1')
  await screen.findByText('The sign-in was cancelled.')
  expect(service.calls('GET /self-service/errors')[0]?.url.searchParams.get('id')).toBe('error-1')
  expect(screen.getByRole('link', { name: 'Try again' }).getAttribute('href')).toBe('/login')
})

test('a signed-in user gets a link from an error to the settings', async () => {
  const error = { code: 403, message: 'no', reason: 'This was used already.' }
  fakeService({
    'GET /sessions/whoami': ok(sessionJson()),
    'GET /self-service/errors': ok({ id: 'error-1', error }),
  })
  renderApp('/error?id=error-1')
  const on = await screen.findByRole('link', { name: 'Go to your profile' })
  expect(on.getAttribute('href')).toBe('/settings')
  expect(screen.queryByRole('link', { name: 'Try again' })).toBeNull()
})

test('an unknown error is still a sentence', async () => {
  fakeService({ 'GET /self-service/errors': refused(404) })
  renderApp('/error?id=unknown')
  await screen.findByText('Please try again.')
})
