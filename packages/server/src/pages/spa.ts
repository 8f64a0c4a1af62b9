import { type Context, Hono } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'
import { errorResponse, ProductError } from '../http/errors.ts'
import type { HeaderSet, HeaderSets } from '../http/header-sets.ts'
import { withoutEndingSlashes } from '../settings/env-values.ts'
import { mayHaveSession } from './session-hint.ts'
import { pickEncoding, type SpaFile, type SpaFiles } from './spa-files.ts'

export interface Pages {
  readonly app: Hono
  hasPage(path: string): boolean
}

export function createSpa(files: SpaFiles, headerSets: HeaderSets, demo: boolean): Pages {
  const app = new Hono()
  const router = new TrieRouter<string>()
  for (const page of files.pages.keys()) router.add('GET', page, page)
  app.on(['GET', 'HEAD'], '*', (c) => {
    const redirect = redirectAnonymous(c, files.loginPaths.get(pageAt(c.req.path)))
    if (redirect) return redirect
    const foundFile = find(c.req.path)
    if (foundFile) return sendFile(c, foundFile.file, foundFile.headers)
    const path = withoutEndingSlashes(c.req.path)
    if (path !== c.req.path && find(path)) {
      // Still encoded: `/%5Cevil.example` is a page, and `/\\evil.example` is another site.
      const { pathname, search } = new URL(c.req.url)
      return c.redirect(withoutEndingSlashes(pathname) + search, 308)
    }
    return looksLikeFile(c.req.path)
      ? c.text('404 Not Found\n', 404)
      : sendFile(c, files.notFound, headerSets.page, 404)
  })
  app.all('*', () =>
    errorResponse(
      new ProductError('method_not_allowed', 405, 'Pages can only be read', {
        headers: { Allow: 'GET, HEAD' },
      }),
    ),
  )
  return { app, hasPage: (path) => files.pages.has(path) }

  /** `/links/:id` for `/links/42`. Empty without a page. */
  function pageAt(path: string): string {
    return router.match('GET', path)[0][0]?.[0] ?? ''
  }

  function find(path: string): { file: SpaFile; headers: HeaderSet } | undefined {
    const file = files.files.get(path)
    if (file) return { file, headers: path.startsWith('/assets/') ? headerSets.asset : headerSets.file }
    const page = files.pages.get(pageAt(path))
    if (page) return { file: page, headers: headerSets.page }
    const demoPage = demo ? files.demoPages.get(path) : undefined
    return demoPage && { file: demoPage, headers: headerSets.inbox }
  }
}

export function redirectAnonymous(c: Context, loginPath: string | undefined): Response | undefined {
  if (loginPath === undefined || mayHaveSession(c.req.header('cookie'))) return undefined
  c.header('Cache-Control', 'no-store')
  const { pathname, search } = new URL(c.req.url)
  // Not in a fragment: the browser appends the one of the requested page, which the server never sees.
  return c.redirect(`${loginPath}?${new URLSearchParams({ after: pathname + search })}`, 303)
}

export async function sendFile(
  c: Context,
  file: SpaFile,
  headers: HeaderSet,
  status: 200 | 404 = 200,
): Promise<Response> {
  const encoding = pickEncoding(c.req.raw.headers.get('accept-encoding'))
  const etag = `"${file.hash}-${encoding}"`
  const validators = { ETag: etag, Vary: 'Accept-Encoding', 'Cache-Control': headers['Cache-Control'] ?? '' }
  if (status === 200 && matchesEtag(c.req.raw.headers.get('if-none-match'), etag))
    // Browsers apply a 304's headers to the cached page, so the policy must be included.
    return new Response(null, { status: 304, headers: { ...headers, ...validators } })
  // All responses share one buffer: copies would let slow readers fill the memory.
  const body = await file.encoded[encoding]()
  return new Response(body, {
    status,
    headers: {
      ...headers,
      ...validators,
      ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
      'Content-Type': file.contentType,
      'Content-Length': String(body.length),
    },
  })
}

/** RFC 9110 §13.1.2: a list, compared weakly. */
function matchesEtag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  return ifNoneMatch.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
}

/** A page instead of a missing script would hide the error. */
function looksLikeFile(path: string): boolean {
  return path.startsWith('/assets/') || /\.[a-z\d]{1,11}$/i.test(path)
}
