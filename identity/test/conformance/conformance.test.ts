import { atEnd, newDsn, test } from '../databases.ts'
import { startEmbedded } from './embedded.ts'
import { runScenarios } from './run-scenarios.ts'

test('the embedded service is what a client of Ory Kratos expects', async (t) => {
  const service = await startEmbedded(await newDsn())
  atEnd(() => service.stop())
  await runScenarios(t, service, { absent: 'fails', together: true })
})
