import { join } from 'node:path'
import { buildAll } from './builds.mjs'
import { root, runChild } from './child.mjs'

await buildAll(process.execPath)
const { code } = await runChild(process.execPath, [join(root, 'packages/ui/vite/size.ts')])
process.exitCode = code
