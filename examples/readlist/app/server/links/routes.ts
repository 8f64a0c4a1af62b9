import { type ApiTools, describe, ProductError, validated } from '@ostiary/server'
import { Hono } from 'hono'
import { z } from 'zod'
import { insertLink, selectLinks } from './table.ts'

const input = z.object({
  url: z
    .url({ protocol: /^https?$/, error: 'Please enter a link, such as https://example.com/' })
    .max(2000, 'Please enter a shorter link'),
})
const link = z.object({ id: z.string(), url: z.string(), added_at: z.string() })
const errors = [401, 403]

export function linkRoutes({ session, ...tools }: ApiTools) {
  return new Hono()
    .get(
      '/',
      describe({ summary: 'Lists the links of the user', answer: z.array(link), errors }),
      async (c) => {
        const { identity } = await session.assertLiveSession(c.req.raw.headers)
        return c.json(await selectLinks(tools.db, identity.id).limit(100).execute())
      },
    )
    .get(
      '/newest',
      describe({ summary: 'Lists the links of all users', answer: z.array(link), errors }),
      async (c) => {
        await session.assertRole(c.req.raw.headers, 'editor')
        return c.json(await selectLinks(tools.db).limit(100).execute())
      },
    )
    .get(
      '/:id',
      describe({ summary: 'Returns a link of the user', answer: link, errors: [...errors, 404] }),
      async (c) => {
        const { identity } = await session.assertLiveSession(c.req.raw.headers)
        const own = selectLinks(tools.db, identity.id)
        const found = await own.where('id', '=', c.req.param('id')).executeTakeFirst()
        if (!found) throw new ProductError('not_found', 404, 'You have no such link.')
        return c.json(found)
      },
    )
    .post(
      '/',
      describe({ summary: 'Adds a link', answer: link, status: 201, errors }),
      validated('json', input),
      async (c) => {
        const { identity } = await session.assertLiveSession(c.req.raw.headers)
        return c.json(await insertLink(tools, identity.id, c.req.valid('json').url), 201)
      },
    )
}
