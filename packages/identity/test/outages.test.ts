import assert from 'node:assert/strict'
import { atEnd, newDsn, testOn } from './kit/databases.ts'
import { createTestIdentity } from './kit/kit.ts'
import { until } from './kit/until.ts'
import { startProxy } from './servers/proxy.ts'

testOn(
  'PostgreSQL',
  'FLT-03 returns 503 while the database hangs, and logs when it begins and ends',
  async () => {
    const { identity, proxy } = await behindProxy()
    const ask = () => identity.publicApp.request('/self-service/login/api')
    await until(async () => (await ask()).status === 200)
    proxy.fallSilent()
    for (let turn = 0; turn < 4; turn += 1) {
      const answer = await ask()
      assert.equal(answer.status, 503)
      assert.equal(answer.headers.get('Retry-After'), '1')
    }
    const lines = () => identity.logged.filter((line) => /^(no connection|connected) to the/.test(line))
    await until(async () => (await ask()).status === 503 && lines().length > 0)
    proxy.speakAgain()
    await until(async () => (await ask()).status === 200)
    assert.match(
      lines().join('\n'),
      /^no connection to the database \{"cause":"[^\n]+\nconnected to the database again \{"seconds":\d+\}$/,
    )
  },
)

testOn('PostgreSQL', 'FLT-03 logs the reason for 503 responses once a minute, with one example', async () => {
  const { identity, proxy } = await behindProxy()
  const ask = () => identity.publicApp.request('/self-service/login/api')
  proxy.stop()
  for (let turn = 0; turn < 5; turn += 1) assert.equal((await ask()).status, 503)
  const told = () => identity.logged.filter((line) => line.startsWith('requests are answered with 503'))
  assert.match(
    told().join('\n'),
    /"path":"\/self-service\/login\/api","request_id":"[\w-]{36}","cause":"[^"]+/,
  )
  const before = told().length
  assert.ok(before < 5)
  identity.advance(60_000)
  await ask()
  assert.ok(told().length > before)
})

async function behindProxy() {
  const dsn = new URL(await newDsn({ hasty: true }))
  const proxy = await startProxy(Number(dsn.port))
  atEnd(() => proxy.stop())
  dsn.port = String(proxy.port)
  return { proxy, identity: await createTestIdentity({ dsn: dsn.href }) }
}
