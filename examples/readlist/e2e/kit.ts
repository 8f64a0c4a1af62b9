import { defineKit } from '@ostiary/server/journeys'
import * as config from '../app.config.ts'

export const {
  test,
  expect,
  logIn,
  logOut,
  register,
  verify,
  createAccount,
  post,
  codeFor,
  expectAccessible,
} = defineKit(config)
