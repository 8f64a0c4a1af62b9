// A process of the pool: it imports one test file after the other, so that what they share is loaded once.
import { join } from 'node:path'
import { describe } from 'node:test'
import '@my-app/identity/testing/sample'
import { root } from '../child.mjs'

process.on('message', (file: string) => {
  // A suite for each file: its top-level hooks begin and end with it.
  void describe(file, () => import(join(root, file)))
})

// There are no more files, or the parent is gone: what a test left open does not keep the process.
process.on('disconnect', () => process.exit())
