// A process of the pool: it imports one file of tests after the other, so that what they share is loaded once.
import { join } from 'node:path'
import { describe } from 'node:test'
import '@my-app/identity/testing/sample'
import { root } from '../child.mjs'

process.on('message', (file: string) => {
  // A suite for each file: its top-level hooks begin and end with it.
  void describe(file, () => import(join(root, file)))
})

// Nobody asks for more, or whoever asked is gone: nothing that a test left open keeps us.
process.on('disconnect', () => process.exit())
