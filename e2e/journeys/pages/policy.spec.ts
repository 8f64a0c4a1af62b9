import { watch } from '@ostiary/server/testing/watch'
import { expect, test } from '../../kit/fixtures.ts'

// Every journey fails on a violation. This tests the listener.
test('HDR-04: forbidden actions are blocked and reported', async ({ browser, product }) => {
  const context = await browser.newContext()
  const found = await watch(context)
  const page = await context.newPage()
  await page.goto(product.url)
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  expect(found).toEqual([])

  await page.evaluate(() => {
    const style = document.createElement('style')
    style.textContent = 'body { color: red }'
    document.head.append(style)
    const image = new Image()
    image.src = 'http://127.0.0.1:1/picture.png'
    document.body.append(image)
    const frame = document.createElement('iframe')
    frame.src = 'http://127.0.0.1:1/'
    document.body.append(frame)
    fetch('http://127.0.0.1:1/').catch(() => {})
    try {
      document.body.insertAdjacentHTML('beforeend', '<b>text</b>')
    } catch {
      // Trusted Types also throw.
    }
  })
  for (const directive of [
    'style-src-elem',
    'img-src',
    'frame-src',
    'connect-src',
    'require-trusted-types-for',
  ]) {
    await expect
      .poll(() => found.filter((text) => text.includes(`: ${directive} stopped`)), { message: directive })
      .toHaveLength(1)
  }
  await context.close()
})

test('HDR-04: console errors and exceptions are detected', async ({ browser, product }) => {
  const context = await browser.newContext()
  const found = await watch(context)
  const page = await context.newPage()
  await page.goto(product.url)
  await page.route('**/call', (route) => route.abort())
  await page.evaluate(async () => {
    await fetch('/call').catch(() => {})
    console.error('said on purpose')
    setTimeout(() => {
      throw new Error('thrown on purpose')
    })
  })
  await expect.poll(() => found.length).toBe(3)
  expect(found[0]).toBe(`Failed to load resource: net::ERR_FAILED (${product.url}/call)`)
  expect(found[1]).toBe('said on purpose')
  expect(found[2]).toContain('thrown on purpose')
  await context.close()
})
