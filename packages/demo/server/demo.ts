import type { Demo, DemoOptions } from '@ostiary/server/demo'
import { createChanges } from './changes.ts'
import { previewEmails } from './inbox.ts'
import { answerWorkers, askPrimary } from './provider/across-workers.ts'
import { createDemoHost } from './provider/routes.ts'
import { demoRoutes, sendDemoTime } from './routes.ts'
import { createWire, unlessRecorded } from './wire.ts'
import { createWorld, inWorld } from './world.ts'

export { answerWorkers }

export async function openDemo({ public_url, providers, hasPanel, ...options }: DemoOptions): Promise<Demo> {
  const { switches, ask } = options
  const changes = createChanges(options.now, { hasPanel })
  const world = hasPanel ? createWorld(options.now, changes, switches) : undefined
  const now = world?.now ?? options.now
  const host = ask
    ? await askPrimary(public_url, ask)
    : createDemoHost(public_url, providers, world && (() => world.state().providers))
  return {
    now,
    send: world?.send,
    clients: host.clients,
    fetch: host.fetch,
    value: (name) => world?.value(name) ?? switches[name]?.values[0] ?? '',
    surround: (gateway) => (world ? inWorld(gateway, world) : gateway),
    respond: (respond) => (hasPanel ? unlessRecorded(respond) : respond),
    mountOn(app, { identity, emails, account }) {
      const panel = hasPanel
        ? {
            wire: createWire({ identity, now, announce: changes.announce }),
            people: { identity, account, now },
            world,
          }
        : {}
      const listPreviews = () => previewEmails(identity, emails)
      const parts = { listMails: identity.listMails, listPreviews, providers: host, changes, ...panel }
      app.use(sendDemoTime(now))
      if (panel.wire) app.use(panel.wire.record)
      app.route('/demo', demoRoutes(parts, new URL(public_url)))
    },
    stop: changes.stop,
  }
}
