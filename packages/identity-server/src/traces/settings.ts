import { type Log, type Tracing, VERSION } from '@ostiary/identity/serving'
import { z } from 'zod'
import { hasNoCredentials, NO_CREDENTIALS, readVariables } from '../configuration/variables.ts'

const RATIO = 'must be a number from 0 to 1'
const PAIR = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*([\x21-\x7e]*)\s*$/
const HEADER_VALUE = /^[\x20-\x7e]*$/
const TEXT = /^\P{Cc}*$/u

export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, abort: true, error: 'must be an address such as http://localhost:4318' })
    .refine(hasNoCredentials, { error: `${NO_CREDENTIALS}: set OTEL_EXPORTER_OTLP_HEADERS instead` })
    .optional()
    .describe(
      'OpenTelemetry collector for [traces](operations.md#traces), such as `http://localhost:4318`; `/v1/traces` is appended',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: pairs(HEADER_VALUE)
    .optional()
    .describe('headers of exports, percent-encoded: `Authorization=Bearer%20…`'),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .literal('http/json', {
      error: 'must be http/json: name the port of the collector for HTTP, usually 4318',
    })
    .optional()
    .describe('the only supported value. Default: `http/json`'),
  OTEL_SERVICE_NAME: z
    .string()
    .optional()
    .describe('service name in traces. Default: the name of the product'),
  OTEL_RESOURCE_ATTRIBUTES: pairs(TEXT)
    .optional()
    .describe('attributes of all spans, such as `deployment.environment.name=staging`'),
  OTEL_TRACES_SAMPLER: z
    .enum(
      [
        'always_on',
        'always_off',
        'traceidratio',
        'parentbased_always_on',
        'parentbased_always_off',
        'parentbased_traceidratio',
      ],
      { error: 'must be one of OpenTelemetry, such as parentbased_traceidratio' },
    )
    .default('parentbased_always_on')
    .describe(
      'which requests are traced: `parentbased_traceidratio`, `always_on`, `always_off`, `traceidratio`, other `parentbased_…`',
    ),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number({ error: RATIO })
    .min(0, { error: RATIO })
    .max(1, { error: RATIO })
    .optional()
    .describe('share of requests to trace, from 0 to 1. Default: `1`'),
}

/**
 * Undefined while traces are off. Then the others are not checked, because an orchestrator may set
 * them for all programs.
 */
export function tracingSettings(defaultName: string) {
  return z.preprocess(withEndpoint, z.object(tracingVariables)).transform((env) => {
    const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT
    if (endpoint === undefined) return undefined
    return {
      url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
      headers: env.OTEL_EXPORTER_OTLP_HEADERS ?? {},
      resource: {
        'service.name': defaultName,
        ...env.OTEL_RESOURCE_ATTRIBUTES,
        ...(env.OTEL_SERVICE_NAME === undefined ? {} : { 'service.name': env.OTEL_SERVICE_NAME }),
      },
      sampler: env.OTEL_TRACES_SAMPLER,
      ratio: env.OTEL_TRACES_SAMPLER_ARG ?? 1,
    }
  })
}

function withEndpoint(env: unknown): unknown {
  return 'OTEL_EXPORTER_OTLP_ENDPOINT' in Object(env) ? env : {}
}

/** Throws `ConfigError`. */
export function readTracing(environment: NodeJS.ProcessEnv): TracingSettings | undefined {
  return readVariables(tracingSettings('ostiary'), environment)
}

export type TracingSettings = NonNullable<z.infer<ReturnType<typeof tracingSettings>>>

/** Percent-encoded (W3C Baggage). The error quotes no value, which may be a secret. */
function pairs(valuePattern: RegExp) {
  return z.string().transform((text, issues): Readonly<Record<string, string>> => {
    const parsed = text.split(',').map((pair) => parsePair(pair, valuePattern))
    const validPairs = parsed.filter((pair) => pair !== undefined)
    if (validPairs.length === parsed.length) return Object.fromEntries(validPairs)
    issues.addIssue('must be pairs such as name=value,other=value, with special characters as %20')
    return z.NEVER
  })
}

function parsePair(text: string, valuePattern: RegExp): readonly [name: string, value: string] | undefined {
  const [, name, encoded] = PAIR.exec(text) ?? []
  if (name === undefined || encoded === undefined) return undefined
  try {
    const value = decodeURIComponent(encoded)
    return valuePattern.test(value) ? [name, value] : undefined
  } catch {
    return undefined
  }
}

export async function openTracing(
  settings: TracingSettings | undefined,
  log: Log,
): Promise<Tracing | undefined> {
  if (!settings) return undefined
  const { startTracing } = await import('./open-telemetry.ts')
  return startTracing(settings, VERSION, log)
}
