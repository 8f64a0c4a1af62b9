import assert from 'node:assert/strict'
import { test } from '../../kit/databases.ts'
import { createTestIdentity } from '../../kit/kit.ts'

test('SEC-102 return_to names no path that submits to a flow', async () => {
  const base_url = 'http://app.test/.ory/'
  const identity = await createTestIdentity({
    serve: { public: { base_url } },
    selfservice: { allowed_return_urls: ['http://app.test/', 'https://app.test/'] },
  })
  const flows = ['login', 'registration', 'settings', 'recovery', 'verification']
  const paths = [
    ...flows.flatMap((kind) => [
      `/${kind}`,
      `/${kind}/api`,
      `/${kind}/flows`,
      `/${kind}/`,
      `/${kind}/browser/`,
    ]),
    ...['', '/', '/logout', '/errors', '/methods/oidc/callback', '/methods/oidc/callback/acme', '/x/y'],
  ].filter((path) => path !== '/settings')
  const refused = [
    ...paths.map((path) => `http://app.test/.ory/self-service${path}`),
    '/.ory/self-service/recovery?flow=1',
    'http://app.test/.ory/%73elf-service/verification',
    'http://app.test/%2eory/self-service/verification',
    'http://app.test/.ory//self-service/verification',
    'http://app.test/.ory/self-service%2fverification',
    'http://app.test/.ORY/Self-Service/verification',
    'https://app.test/.ory/self-service/verification',
    'https://app.test/.ory/self-service/settings',
    'http://ada@app.test/.ory/self-service/settings',
  ]
  const allowed = [
    ...flows.map((kind) => `http://app.test/.ory/self-service/${kind}/browser?return_to=%2Fwelcome`),
    'http://app.test/.ory/self-service/settings?flow=1',
    'http://app.test/.ory/other',
  ]
  for (const [list, status] of [
    [refused, 400],
    [allowed, 200],
  ] as const) {
    for (const return_to of list) {
      for (const kind of ['login', 'registration', 'recovery', 'verification'] as const) {
        const answer = await identity.app().open(kind, `?${new URLSearchParams({ return_to })}`)
        assert.equal(answer.status, status, `${kind} ${return_to}`)
      }
    }
  }
})
