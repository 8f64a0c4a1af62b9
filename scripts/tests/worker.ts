// A process of the pool: it runs one test file after the other, so that what they share is loaded once.
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import '@my-app/identity/testing/sample'
import { root } from '../child.mjs'
import { runFile } from './runner.ts'

const runner = import.meta.resolve('./runner.ts')
registerHooks({
  resolve: (name, context, next) => next(name === 'node:test' ? runner : name, context),
})

process.on('message', async (file: string) => {
  const began = performance.now()
  await runFile(
    file,
    () => import(join(root, file)),
    (verdict) => process.send?.(verdict),
  )
  // What the tests have printed arrives first.
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise((resolve) => stream.write('', resolve))
  }
  process.send?.({ milliseconds: performance.now() - began })
})

// There are no more files, or the parent is gone: what a test left open does not keep the process.
process.on('disconnect', () => process.exit())
