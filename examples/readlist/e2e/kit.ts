import { defineKit } from '@ostiary/server/journeys'
import { requiredTraits, traits } from '../app.config.ts'

export const { test, expect, logIn, register, createAccount, post, codeFor, expectAccessible } = defineKit({
  traits,
  requiredTraits,
})
