import { defineProduct } from '@ostiary/server'
import * as config from '../app.config.ts'
import { api } from './server/api.ts'
import { welcome } from './server/emails/welcome.ts'
import { createLinks, insertLink, selectLinks } from './server/links/table.ts'
import { settings } from './server/settings.ts'

/** Read by every command, test, build and worker. Starts nothing. */
export default defineProduct({
  config,
  demo: () => import('@ostiary/demo/server'),
  settings,
  api,
  migrations: { '0001-links': createLinks },
  accountData: { export: async (db, id) => ({ links: await selectLinks(db, id).execute() }) },
  emails: [welcome],
  on: {
    registered: {
      async inTransaction({ identity, ...tools }) {
        await insertLink(tools, identity.id, 'https://en.wikipedia.org/wiki/Reading')
      },
    },
    verified: {
      async inTransaction({ identity: { traits }, mail }) {
        const { email, name } = traits
        await mail.send({ to: email, template: welcome, data: { name: name ?? 'reader' } })
      },
    },
  },
})
