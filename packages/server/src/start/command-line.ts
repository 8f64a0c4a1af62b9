import { type ParseArgsConfig, parseArgs } from 'node:util'
import { StartError } from '../http/errors.ts'
import type { Product } from '../product/product.ts'
import { describeSettings } from '../settings/report.ts'

export interface Arguments {
  readonly help: boolean
  readonly dev: boolean
}

export function readArguments(args: readonly string[]): Arguments {
  const unknown = args.find((argument) => !['--help', '-h', '--dev'].includes(argument))
  if (unknown !== undefined) throw new StartError(`${unknown} is not an option. --help lists what there is.`)
  return { help: args.includes('--help') || args.includes('-h'), dev: args.includes('--dev') }
}

export function helpText(product: Product, commands: readonly string[]): string {
  return `Starts ${product.config.name}: the pages, the product API and the identity service on one port.

Options
  --dev             serve the pages through Vite, with reload
  --help            this text

Commands, instead of a start: ${commands.join(', ')}

Settings (environment variables; NAME_FILE=/run/secrets/name reads one from a file)
${describeSettings(product)}
`
}

/** Throws `StartError`: the fault, then the usage. */
export function parseCommandLine<Config extends ParseArgsConfig>(config: Config, usage: string) {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new StartError(`${complaintOf(error)}\n\n${usage}`)
  }
}

/** The first sentence; the rest is about arguments that begin with a dash. */
function complaintOf(error: unknown): string {
  const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split(/(?<=\.)\s|\.$/)
  return sentence.endsWith('.') ? sentence : `${sentence}.`
}

/** "1 account", "2 accounts". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
