import * as z from 'zod/mini'

// Compiled checks need `new Function`, which our policy forbids.
z.config({ jitless: true })

export { z }
