import { expect, test, vi } from 'vitest'
import { app } from '../../../app/web/app.tsx'
import * as product from '../../../app.config.ts'
import { page } from './pages.tsx'
import { checkPaths, linksIn, prerender } from './prerender.tsx'

const pages = await prerender(app)

test('every address of the app has a page, and so has any other', () => {
  const paths = [
    '/',
    '/about',
    '/login',
    '/register',
    '/verify',
    '/recovery',
    '/settings',
    '/settings/security',
    '/settings/connections',
    '/settings/devices',
    '/settings/activity',
    '/settings/data',
    '/dashboard',
    '/error',
    '*',
  ]
  expect(pages.map(({ path }) => path)).toEqual(expect.arrayContaining(paths))
})

test('the build names a page that could not be opened', () => {
  const check = (path: string, to = path) =>
    checkPaths([path], [{ path: to, from: 'navigation in app.config.ts' }])
  check('/links')
  check('/links/:id/edit')
  for (const path of ['/links/*', '/links/:id?', '/links/:id.json', 'links'])
    expect(() => check(path)).toThrow(`${path} in app/web/routes.tsx cannot be served.`)
  expect(() => check('/links', 'links')).toThrow('navigation in app.config.ts names links.')
})

test('the build names two pages with one address, and warns of a page that it cannot render', async () => {
  expect(() => checkPaths(['/links', '/about', '/links'], [])).toThrow('two pages /links.')
  const Broken = () => <p>{window.name.repeat(-1)}</p>
  const broken = page('/broken', async () => ({ default: Broken }))
  await broken.preload()
  await prerender({ ...app, routes: [...app.routes, broken] })
  expect(vi.mocked(console.warn).mock.calls).toEqual([
    [expect.stringMatching(/^\/broken is empty until its scripts have loaded, .*: RangeError: /)],
  ])
})

test('the build names a link or a screen whose page does not exist', async () => {
  const buildWith = (source: string) => prerender(app, { '/pages/boat.tsx': source })
  for (const source of [
    '<Link to="/boats/1">',
    '<ButtonLink\n  look="neutral"\n  to="/boats/1?sort=name"\n>',
    "usePathParameters('/boats/:boat')",
  ])
    await expect(buildWith(source)).rejects.toThrow('app/web/pages/boat.tsx names /boats/')
  expect(linksIn({ '/a.tsx': '<Link to={address}> <Field to="/x"> <a href="/y">' })).toEqual([])
  checkPaths(['/boats/:id'], linksIn({ '/a.tsx': `<Link to="/boats/1"> usePathParameters('/boats/:boat')` }))
  const config = { ...product, legal: [{ to: 'https://a.example' }, { to: '/terms.pdf' }, { to: '/terms' }] }
  await expect(prerender({ ...app, config })).rejects.toThrow('legal in app.config.ts names /terms.')
})

test.each(['/login', '/verify', '/recovery', '/error', '/dashboard'])(
  'the build names %s if a user would be sent there and find no page',
  async (path) => {
    const routes = app.routes.filter((one) => one.path !== path)
    await expect(prerender({ ...app, routes })).rejects.toThrow(` names ${path}. `)
  },
)

test('a product has another page after a login', async () => {
  const routes = app.routes.filter(({ path }) => path !== '/dashboard')
  const navigation = product.navigation.filter(({ to }) => to !== '/dashboard')
  const config = { ...product, navigation, afterLogin: '/about' }
  expect((await prerender({ ...app, config, routes })).length).toBe(pages.length - 1)
})

test.each(pages)('$path shows Login before the session is known, unless there may be one', ({ html }) => {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const controls = [...page.querySelectorAll('header :is(a, button)')]
  const labels = controls.map(({ textContent }) => textContent)
  expect(labels).toEqual([product.name, ...product.navigation.map(({ label }) => label), 'Login'])
  expect(controls.at(-1)?.classList).toContain('hinted:hidden')
  expect(page.querySelector('footer')?.textContent).toBe(product.footer)
})

test.each(pages)('HDR-04: $path has nothing inline that the policy would stop', ({ html }) => {
  const page = new DOMParser().parseFromString(html, 'text/html')
  expect(page.querySelectorAll('script, style, [style], [src^="data:"]')).toHaveLength(0)
})

test('the forms cannot be sent before the scripts run, and would not put a password into an address', () => {
  const html = pages.find(({ path }) => path === '/login')?.html ?? ''
  const form = new DOMParser().parseFromString(html, 'text/html').querySelector('form')
  expect(form?.method).toBe('post')
  expect(form?.querySelector<HTMLButtonElement>('button[type=submit]')?.disabled).toBe(true)
})
