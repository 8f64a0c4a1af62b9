import { runScenarios } from '@ostiary/conformance'
import { atEnd, newDsn, test } from '@ostiary/identity/testing/kit/databases'
import { startEmbedded } from './embedded.ts'

test('the embedded service works for a client of Ory Kratos', async (t) => {
  const service = await startEmbedded(await newDsn())
  atEnd(() => service.stop())
  await runScenarios(t, service, { only: '', absent: 'fails', together: true })
})
