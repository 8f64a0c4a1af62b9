import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kratos } from '@ostiary/kratos'
import { PROVIDER_KINDS } from '../../../config/providers.ts'
import type { IdentityConfigInput } from '../../../config/schema.ts'
import { loadSources } from '../../../config/sources/sources.ts'
import { kindOf } from './all.ts'
import type { ProviderConfig } from './provider.ts'

for (const provider of PROVIDER_KINDS)
  test(`${provider} is built in, or needs @ostiary/kratos`, async () => {
    const config = { providers: [{ provider }] }
    const input = { selfservice: { methods: { oidc: { config } } } } as object as IdentityConfigInput
    const { loaded, issues } = await loadSources(input, { fetch, kratos })
    const [one] = loaded.selfservice.methods?.oidc?.config?.providers ?? []
    assert.deepEqual(issues, [])
    assert.ok(kindOf(one as ProviderConfig))
    const { issues: refused } = await loadSources(input, { fetch })
    assert.equal(refused.length, one?.kind ? 1 : 0)
    if (refused[0]) assert.match(`${refused[0].path}: ${refused[0].message}`, REFUSAL)
  })

const REFUSAL =
  /^selfservice\.methods\.oidc\.config\.providers\[0\]\.provider: the provider [a-z]+ needs @ostiary\/kratos\. /
