import type { Demo, DemoOptions } from '@ostiary/server/demo'
import { createChanges } from './changes.ts'
import { previewEmails } from './inbox.ts'
import { answerWorkers, askPrimary } from './provider/across-workers.ts'
import { createDemoHost } from './provider/routes.ts'
import { demoRoutes, sendDemoTime } from './routes.ts'
import { createSwitches, withSwitches } from './switches.ts'
import { createWire, unlessRecorded } from './wire.ts'

export { answerWorkers }

export async function openDemo({ public_url, providers, hasPanel, ...options }: DemoOptions): Promise<Demo> {
  const { switches: added, ask } = options
  const changes = createChanges(options.now, { hasPanel })
  const switches = hasPanel ? createSwitches(options.now, changes, added) : undefined
  const now = switches?.now ?? options.now
  const host = ask
    ? await askPrimary(public_url, ask)
    : createDemoHost(public_url, providers, switches && (() => switches.state().providers))
  return {
    now,
    send: switches?.send,
    clients: host.clients,
    fetch: host.fetch,
    value: (name) => switches?.value(name) ?? added[name]?.values[0] ?? '',
    surround: (gateway) => (switches ? withSwitches(gateway, switches) : gateway),
    respond: (respond) => (hasPanel ? unlessRecorded(respond) : respond),
    mountOn(app, { identity, emails, account }) {
      const panel = hasPanel
        ? {
            wire: createWire({ identity, now, announce: changes.announce }),
            people: { identity, account, now },
            switches,
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
