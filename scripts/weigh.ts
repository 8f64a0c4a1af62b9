import { join } from 'node:path'
import { buildAll, runChild } from '@ostiary/server/commands'
import { root } from './root.ts'

await buildAll(process.execPath)
const { code } = await runChild(process.execPath, [join(root, 'packages/ui/vite/size.ts')])
process.exitCode = code
