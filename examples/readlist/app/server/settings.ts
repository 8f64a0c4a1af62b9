import { defineSettings } from '@ostiary/server'

/** Environment variables of this product. */
export const settings = defineSettings({})
