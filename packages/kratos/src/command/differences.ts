import type { IdentityConfigInput } from '@ostiary/identity'
import type { Inspection, ParsedConfig } from '@ostiary/identity/serving'
import { inspectSettings, isLocal, isObject, lineOf, valueAt } from '@ostiary/identity/serving'
import { kratos } from '../kratos.ts'

/** A row of docs/differences-from-ory-kratos.md that a key switches on. */
interface Difference {
  readonly id: `D${number}`
  readonly cost: 'none' | 'tests' | 'screens' | 'step' | 'error' | 'data' | 'admin'
  readonly path: string
  readonly effect: string
}

interface Row extends Difference {
  /** By default, if the key is true. */
  readonly applies?: (config: ParsedConfig, input: IdentityConfigInput) => boolean | Promise<boolean>
}

async function differencesOf(config: ParsedConfig, input: IdentityConfigInput) {
  const rows = ROWS.map(
    async ({ applies = () => valueAt(config, difference.path) === true, ...difference }) =>
      (await applies(config, input)) ? [difference] : [],
  )
  return (await Promise.all(rows)).flat()
}

const ROWS: readonly Row[] = [
  {
    id: 'D68',
    cost: 'step',
    path: 'selfservice.flows.verification.enabled',
    effect: 'a code entered in a browser that did not register the account leads to its login form',
  },
  {
    id: 'D120',
    cost: 'screens',
    path: 'selfservice.flows.verification.use',
    effect: 'the form after a registration shows that a link was sent',
    applies: ({ selfservice: { flows } }) => flows.verification.enabled && flows.verification.use === 'link',
  },
  {
    id: 'D65',
    cost: 'data',
    path: 'selfservice.methods.oidc.config.providers',
    effect: "a mapper's verified_addresses count with the provider generic only",
    applies: async ({ selfservice: { methods } }) => {
      const { providers } = methods.oidc.config
      return methods.oidc.enabled && (await Promise.all(providers.map(mayLoseVerification))).includes(true)
    },
  },
  {
    id: 'D112',
    cost: 'data',
    path: 'identity.schemas',
    effect: 'phone numbers are stored in E.164',
    applies: ({ identity }) => /"via":"sms"/.test(JSON.stringify(identity.schemas)),
  },
  {
    id: 'D127',
    cost: 'screens',
    path: 'identity.schemas',
    effect: 'a trait with disableFormField has a disabled field',
    applies: ({ identity }) => /"disableFormField":true/.test(JSON.stringify(identity.schemas)),
  },
  {
    id: 'D16',
    cost: 'tests',
    path: 'security.account_enumeration.mitigate',
    effect: 'registering a taken address is answered like a new one, and its owner gets an email',
  },
  {
    id: 'D17',
    cost: 'tests',
    path: 'selfservice.methods.code.config.lifespan',
    effect: 'an emailed code is valid for 10 minutes by default, and for 15 at most',
    applies: ({ selfservice }) => selfservice.methods.code.enabled,
  },
  {
    id: 'D38',
    cost: 'error',
    path: 'selfservice.methods.totp.enabled',
    effect: 'a code logs in once',
  },
  {
    id: 'D40',
    cost: 'tests',
    path: 'selfservice.methods.lookup_secret.enabled',
    effect: 'backup codes are shown once',
  },
  {
    id: 'D57',
    cost: 'error',
    path: 'selfservice.methods.oidc.enabled',
    effect: 'a provider login needs a POST with a CSRF token',
  },
  {
    id: 'D145',
    cost: 'tests',
    path: 'oauth2_provider.url',
    effect: 'a required second factor comes before an OAuth 2.0 login, even if Hydra remembers the user',
    applies: ({ oauth2_provider, session }) =>
      oauth2_provider.url !== undefined && session.whoami.required_aal !== 'aal1',
  },
  {
    id: 'D58',
    cost: 'none',
    path: 'ciphers.algorithm',
    effect: 'the tokens of providers are not stored',
    applies: ({ ciphers, selfservice }) => selfservice.methods.oidc.enabled && ciphers.algorithm === 'noop',
  },
  {
    id: 'D19',
    cost: 'admin',
    path: 'serve.admin.host',
    effect: 'the admin port listens on this machine only, unless a host and SERVE_ADMIN_TOKEN are set',
    applies: (_, { serve }) => serve?.admin?.host === undefined,
  },
  {
    id: 'D117',
    cost: 'admin',
    path: 'serve.admin.token',
    effect: 'calls to the admin port need the token',
    applies: ({ serve }) => !isLocal(serve.admin.host),
  },
  {
    id: 'D101',
    cost: 'none',
    path: 'serve.public.trusted_proxies',
    effect: 'the addresses of clients behind a proxy are unknown until this names the proxies',
    applies: ({ serve }) => serve.public.trusted_proxies === undefined,
  },
  {
    id: 'D45',
    cost: 'error',
    path: 'serve.public.cors.allowed_origins',
    effect: '* alone allows no origin',
    applies: ({ serve: { public: open } }) => open.cors.enabled && open.cors.allowed_origins.includes('*'),
  },
  {
    id: 'D49',
    cost: 'none',
    path: 'selfservice.flows',
    effect: 'web hooks follow no redirects',
    applies: ({ selfservice }) => /"hook":"web_hook"/.test(JSON.stringify(selfservice.flows)),
  },
]

type Provider = ParsedConfig['selfservice']['methods']['oidc']['config']['providers'][number]

/** Whether the mapper claims verified addresses that only `generic` accepts from it. */
async function mayLoseVerification({ provider, mapper }: Provider): Promise<boolean> {
  if (provider === 'generic' || provider === 'fedcm-test') return false
  const email = 'ada@example.com'
  const claims = { iss: 'https://example.com', sub: '1', name: 'Ada', email, email_verified: true }
  try {
    const output = await mapper?.({ claims, identity: { traits: {} } })
    return /"verified_addresses":\[\{/.test(JSON.stringify(output))
  } catch {
    // It needs other claims.
    return true
  }
}

/**
 * Prints what changes for the clients of an Ory Kratos with this configuration. Returns the exit code: 1 if a
 * client would notice a change, 2 if the service would not start.
 */
export async function check(input: IdentityConfigInput): Promise<0 | 1 | 2> {
  const comparison = await compareWithKratos(input)
  process.stdout.write(reportOf(comparison, input))
  if (comparison.issues.length > 0) return 2
  return isNoticed(comparison) ? 1 : 0
}

interface Comparison extends Pick<Inspection, 'issues' | 'ignored'> {
  readonly differences: readonly Difference[]
}

/** Reads an Ory Kratos configuration without starting the service. */
export async function compareWithKratos(input: IdentityConfigInput): Promise<Comparison> {
  const { loaded, parsed, issues, ignored } = await inspectSettings(input, kratos)
  return { issues, ignored, differences: parsed ? await differencesOf(parsed, loaded) : [] }
}

function reportOf(comparison: Comparison, input: object): string {
  const { issues, ignored, differences } = comparison
  const changed = [...issues, ...ignored, ...differences].map(({ path }) => path)
  const unchanged = pathsOf(input).filter((path) => !changed.some((other) => path.startsWith(other)))
  const sections: [title: string, lines: string[]][] = [
    ['Invalid, so the service does not start', issues.map(lineOf)],
    ['Unsupported, and clients notice', warningsOf(ignored, true)],
    ['Unsupported, and only operators notice', warningsOf(ignored, false)],
    [
      'Different, with the cost for clients (docs/differences-from-ory-kratos.md)',
      differences.map(({ id, cost, path, effect }) => `${id} (${cost}) ${path}: ${effect}`),
    ],
  ]
  return [
    ...sections
      .filter(([, lines]) => lines.length > 0)
      .map(([title, lines]) => `${title}:\n${lines.map((line) => `  ${line}\n`).join('')}\n`),
    `Supported: the other ${unchanged.length} settings.\n`,
    isNoticed(comparison) ? 'Clients would notice a change.\n' : 'No client would notice a change.\n',
  ].join('')
}

function warningsOf(ignored: Comparison['ignored'], noticed: boolean): string[] {
  return ignored
    .filter(({ isNoticedByClients }) => isNoticedByClients === noticed)
    .map(({ warning }) => warning)
}

/** Other costs are a step for users, or a request that clients seldom send. */
const NOTICED = ['screens', 'data', 'admin']

function isNoticed({ ignored, differences }: Comparison): boolean {
  return (
    ignored.some(({ isNoticedByClients }) => isNoticedByClients) ||
    differences.some(({ cost }) => NOTICED.includes(cost))
  )
}

/** Lists count as one setting. */
function pathsOf(node: object, above = ''): string[] {
  return Object.entries(node).flatMap(([name, member]) =>
    isObject(member) ? pathsOf(member, `${above}${name}.`) : [above + name],
  )
}
