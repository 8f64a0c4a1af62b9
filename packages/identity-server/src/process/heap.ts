import { flushCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'

/**
 * Some 17 MB of the heap stay in use; on a machine with much memory V8 would let it grow to 90 before it collects. To be
 * called once the modules are loaded: as an argument of Node the flag costs a quarter of the start, because V8 then
 * collects while it loads them. What is compiled is stored first, because V8 rejects it under other flags.
 */
export function keepHeapSmall(): void {
  flushCompileCache()
  setFlagsFromString('--heap-growing-percent=50')
}
