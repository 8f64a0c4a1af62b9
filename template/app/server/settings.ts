import { defineSettings } from '@my-app/server'

/** Environment variables of this product. */
export const settings = defineSettings({})
