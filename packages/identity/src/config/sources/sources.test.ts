import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kratos } from '@ostiary/kratos'
import type { Config } from '../config.ts'
import type { IdentityConfigInput } from '../schema.ts'
import { revisionOf } from '../version.ts'
import { loadSources } from './sources.ts'

const base64 = (text: string) => `base64://${Buffer.from(text).toString('base64')}`
const body = base64('function(ctx) {}')
const request_config = { url: 'https://mail.test/', body }
const hooks = [{ hook: 'web_hook', config: { url: 'https://hook.test/', method: 'POST', body } }]

/** Configurations in a language of `@ostiary/kratos`, by its key. */
const configurations: Readonly<Record<string, object>> = {
  'session.whoami.tokenizer.templates.app.claims_mapper_url': {
    session: { whoami: { tokenizer: { templates: { app: { claims_mapper_url: base64('{}') } } } } },
  },
  'selfservice.methods.oidc.config.providers[0].mapper_url': {
    selfservice: { methods: { oidc: { config: { providers: [{ mapper_url: base64('{}') }] } } } },
  },
  'selfservice.flows.login.after.hooks[0].config.body': {
    selfservice: { flows: { login: { after: { hooks } } } },
  },
  'courier.http.request_config.body': { courier: { http: { request_config } } },
  'courier.channels[0].request_config.body': { courier: { channels: [{ id: 'sms', request_config }] } },
  'courier.templates.login_code.valid.email.subject': {
    courier: { templates: { login_code: { valid: { email: { subject: base64('{{ .To }}') } } } } },
  },
}

for (const [path, input] of Object.entries(configurations))
  test(`${path} needs @ostiary/kratos`, async () => {
    const load = (tools: object) => loadSources(input as IdentityConfigInput, { fetch, ...tools })
    const { issues } = await load({})
    assert.deepEqual(
      issues.map(({ path }) => path),
      [path],
    )
    assert.match(
      issues[0]!.message,
      /needs @ostiary\/kratos\. Install it, and pass its `kratos` to createIdentity/,
    )
    assert.deepEqual((await load({ kratos })).issues, [])
  })

for (const [path, input] of Object.entries(configurations))
  test(`${path} changes the revision of the configuration`, async () => {
    const changed = JSON.parse(
      JSON.stringify(input).replaceAll(/base64:\/\/[^"]+/g, base64('{ /* {{ .To }} */ }')),
    )
    const revisions = [input, changed].map(async (one) => {
      const { loaded } = await loadSources(one, { fetch, kratos })
      return revisionOf({ ...loaded, secrets: { default: ['a secret'] } } as object as Config)
    })
    const [before, after] = await Promise.all(revisions)
    assert.notEqual(before, after)
  })
