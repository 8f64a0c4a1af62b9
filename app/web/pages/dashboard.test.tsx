import { fakeService } from '@ostiary/react/testing/fake-service'
import { ok, refused, sessionJson } from '@ostiary/react/testing/flows'
import { takeErrors } from '@ostiary/react/testing/setup'
import { renderApp } from '@ostiary/ui/testing/render-app'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { homeTexts } from '../../texts.ts'

const whoami = 'GET /sessions/whoami'

function openDashboard(routes: Parameters<typeof fakeService>[0] = {}) {
  fakeService({ [whoami]: ok(sessionJson()), ...routes })
  return renderApp('/dashboard')
}

describe('the guard', () => {
  test('says that it loads until it is known who is signed in', async () => {
    openDashboard({ [whoami]: 'never' })
    expect(await screen.findByText('Loading authentication...')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Login' }).classList).toContain('hinted:hidden')
    expect(screen.queryByRole('button', { name: 'Logout' })).toBeNull()
  })

  test('sends an anonymous visitor to the home page', async () => {
    const { address } = openDashboard({ [whoami]: refused(401) })
    await screen.findByRole('heading', { name: homeTexts.heading })
    await waitFor(() => expect(address()).toBe('/'))
    expect(screen.getByText(homeTexts.forDashboard)).toBeTruthy()
  })

  test('keeps a user whose session cannot be fetched', async () => {
    const { address } = openDashboard({ [whoami]: refused(500) })
    await screen.findByText(/You’re still logged in\./)
    expect(address()).toBe('/dashboard')
    expect(takeErrors()).toHaveLength(1)
  })
})

test('the signed-in see the page and its line', async () => {
  openDashboard()
  await screen.findByRole('heading', { name: 'Dashboard Page' })
  expect(screen.getByText('Welcome to your dashboard! This is a protected route.')).toBeTruthy()
})

describe('logging out', () => {
  test('leads to the home page', async () => {
    const { address } = openDashboard({
      'GET /self-service/logout/browser': ok({ logout_token: 'logout-1', logout_url: 'x' }),
      'GET /self-service/logout': { status: 204 },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Logout' }))
    await screen.findAllByRole('link', { name: 'Login' })
    await waitFor(() => expect(address()).toBe('/'))
    expect(screen.getByText(homeTexts.loggedOut).parentElement?.className).not.toContain('hidden')
    await userEvent.click(screen.getByRole('link', { name: 'Dashboard' }))
    await screen.findByText(homeTexts.forDashboard)
    expect(screen.queryByText(homeTexts.loggedOut)).toBeNull()
    expect(address()).toBe('/')
  })

  test('that fails is logged and leaves everything as it was', async () => {
    const { address } = openDashboard({ 'GET /self-service/logout/browser': 'no answer' })
    await userEvent.click(await screen.findByRole('button', { name: 'Logout' }))
    await waitFor(() => expect(console.error).toHaveBeenCalled())
    expect(takeErrors()[0]?.[0]).toMatchObject({ message: 'could not be logged out' })
    expect(screen.getByRole('button', { name: 'Logout' })).toBeTruthy()
    expect(address()).toBe('/dashboard')
  })
})
