// Preloaded by node-tests.ts.
import { beforeEach } from 'node:test'
import '@ostiary/identity/testing/input/sample'

/** By title, in order. node:test's events name the kit if a kit defines the test. */
export const origins = new Map<string, string[]>()

beforeEach((t) => {
  if (t.fullName !== t.name || !('filePath' in t)) return
  origins.set(t.name, [...(origins.get(t.name) ?? []), String(t.filePath)])
})
