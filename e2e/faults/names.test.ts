import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runs } from '@ostiary/identity/testing/input/sample'
import { assertStatuses, atMost, fault, figuresOf, need } from './fault.ts'
import { needMounts, withMounts } from './linux.ts'
import { type Account, ask, beginLoad, register, repeat, signIn } from './load.ts'
import { createUsers, newPlace, processFigures, signedIn } from './product.ts'

const SIGN_INS = runs(10, 60)
/** Privileged. */
const SILENT = { port: 53, address: '127.53.53.53' }

fault('FLT-11 a silent name server delays no sign-in', async (report) => {
  needMounts()
  const names = createSocket('udp4').bind(SILENT)
  const opened = await once(names, 'listening').catch(() => undefined)
  need(opened, 'the port of a name server cannot be used here')
  let questions = 0
  names.on('message', () => {
    questions += 1
  })
  await using place = await newPlace({
    SMTP_URL: 'smtp://mail.example.test',
    CODE_HOST_URL: 'http://code-host.example.test',
    GITHUB_CLIENT_ID: 'faults',
    GITHUB_CLIENT_SECRET: 'faults',
  })
  const settings = join(place.folder, 'resolv.conf')
  writeFileSync(settings, `nameserver ${SILENT.address}\noptions timeout:5 attempts:2\n`)
  const replica = await place.start({}, { through: withMounts(`mount --bind ${settings} /etc/resolv.conf`) })
  const [user] = (await createUsers(replica, 1)) as [Account]
  const before = await repeat(SIGN_INS, () => signIn(replica.port, user))
  const headers = { 'X-Session-Token': await signedIn(replica) }
  // A name on the thread pool that also hashes.
  const dashboard = beginLoad(12, async (turn, from) => {
    return (await ask(replica.port, `/api/v1/code-host/users/user-${turn}/repos`, headers, from)).status
  })
  for (let n = 0; n < 5; n += 1) assert.equal(await register(replica.port, `user-${n}@example.com`), 200)
  const during = await repeat(SIGN_INS, () => signIn(replica.port, user))
  report({ ...figuresOf(during), ...(await processFigures(replica)) })
  names.close()
  // Look-ups are still in progress.
  await replica.kill()
  await dashboard.stop()
  assert.ok(questions > 2, 'no name was asked for')
  assertStatuses(during, 200)
  const ratio = (figuresOf(during).p50 ?? 0) / (figuresOf(before).p50 ?? 1)
  assert.ok(ratio < atMost(4), `a sign-in takes ${ratio} times as long`)
})
