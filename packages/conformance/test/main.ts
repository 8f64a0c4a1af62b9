#!/usr/bin/env node
import { conformance } from './conformance.ts'

await conformance(process.argv.slice(2), () => {
  throw new Error('Usage: conformance URL [--admin URL] [--only AREA]')
})
