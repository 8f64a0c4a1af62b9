import { join } from 'node:path'
import { root, runChild } from './child.mjs'
import { buildWeb } from './web-build.mjs'

// The weights are those of a build, so there must be one, and of the present sources.
await buildWeb(process.execPath)
const { code } = await runChild(process.execPath, [join(root, 'web/build/size.ts')])
process.exitCode = code
