import { type ApiTools, describeRoute, ProductError, validator } from '@ostiary/server'
import { Hono } from 'hono'
import { z } from 'zod'
import { newLink } from '../../schemas.ts'
import { insertLink, selectLinks } from './table.ts'

const link = z.object({ id: z.string(), url: z.string(), added_at: z.string() })

export function linkRoutes({ session, ...tools }: ApiTools) {
  return new Hono()
    .get(
      '/',
      describeRoute({ summary: 'Lists the links of the user', answer: z.array(link) }),
      session.require(),
      async (c) => c.json(await selectLinks(tools.db, c.var.session.identity.id).limit(100).execute()),
    )
    .get(
      '/newest',
      describeRoute({ summary: 'Lists the links of all users', answer: z.array(link) }),
      session.require('editor'),
      async (c) => c.json(await selectLinks(tools.db).limit(100).execute()),
    )
    .get(
      '/:id',
      describeRoute({ summary: 'Returns a link of the user', answer: link, errors: [404] }),
      session.require(),
      async (c) => {
        const ownLinks = selectLinks(tools.db, c.var.session.identity.id)
        const foundLink = await ownLinks.where('id', '=', c.req.param('id')).executeTakeFirst()
        if (!foundLink) throw new ProductError('not_found', 404, 'You have no such link.')
        return c.json(foundLink)
      },
    )
    .post(
      '/',
      describeRoute({ summary: 'Adds a link', answer: link, status: 201 }),
      session.require(),
      validator('json', newLink),
      async (c) => c.json(await insertLink(tools, c.var.session.identity.id, c.req.valid('json').url), 201),
    )
}
