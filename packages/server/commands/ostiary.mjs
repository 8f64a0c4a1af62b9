#!/usr/bin/env node
// For products that a workspace or another package manager installs.
import { runCommand } from './run.mjs'

await runCommand(process.argv.slice(2), {})
