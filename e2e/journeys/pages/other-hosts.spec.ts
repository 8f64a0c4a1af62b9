import { watch } from '@ostiary/server/testing/watch'
import { expect, test } from '../../kit/fixtures.ts'
import { startProduct } from '../../kit/product.ts'

/** As scripts of maps or payments do. */
const loader = `
  const policy = trustedTypes.createPolicy('maps#loader', { createScriptURL: (url) => url })
  const script = document.createElement('script')
  script.src = policy.createScriptURL('https://js.maps.example/second.js')
  document.head.append(script)
`

test('HDR-04: a script of a listed host loads a second one, and no other script does', async ({
  browser,
}) => {
  const product = await startProduct({}, ['packages/server/test/product-with-maps.ts'])
  const context = await browser.newContext()
  const found = await watch(context)
  const page = await context.newPage()
  const scripts: Record<string, string> = {
    '/loader.js': loader,
    '/second.js': 'document.documentElement.dataset.maps = "ready"',
  }
  await page.route('https://js.maps.example/**', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: scripts[new URL(route.request().url()).pathname] ?? '',
    }),
  )
  await page.goto(product.url)
  await expect(page.locator('html[data-maps="ready"]')).toBeAttached()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  expect(found).toEqual([])

  const refusal = await page.evaluate(() => {
    try {
      document.createElement('script').src = 'https://js.maps.example/third.js'
      return 'none'
    } catch (error) {
      return String(error)
    }
  })
  expect(refusal).toContain('TrustedScriptURL')
  await context.close()
  await product.stop()
})
