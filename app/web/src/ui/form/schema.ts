import * as z from 'zod/mini'

// Compiled checks need `new Function`, which the policy of our pages forbids and reports.
z.config({ jitless: true })

export { z }
