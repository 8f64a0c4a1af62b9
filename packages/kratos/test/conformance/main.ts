import { conformance } from '@ostiary/conformance'
import { startEmbedded } from './embedded.ts'

await conformance(process.argv.slice(2), () => startEmbedded(process.env.DSN ?? 'memory'))
