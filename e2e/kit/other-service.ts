import {
  documentedSchema,
  otherName,
  startOtherService as startServer,
} from '@ostiary/server/testing/other-service'
import { expect } from '@playwright/test'
import { name as productName } from '../../app.config.ts'

export interface OtherService {
  readonly url: string
  /** Its base URL, which cannot be reached. */
  readonly name: string
  /** Once at least `count` have arrived. */
  code(email: string, count?: number): Promise<string>
  stop(): Promise<void>
}

export interface AddedTraits {
  readonly properties: Readonly<Record<string, object>>
  readonly required: readonly string[]
}

/** As documented for Ory Kratos. */
export async function startOtherService(public_url: string, added?: AddedTraits): Promise<OtherService> {
  const schema = withTraits(documentedSchema(), added)
  const service = await startServer(public_url, offered(public_url), schema)
  return {
    url: service.url,
    name: otherName,
    code: (email, count) => mailedCode(service.admin_url, email, count),
    stop: async () => await service[Symbol.asyncDispose](),
  }
}

function withTraits(text: string, { properties, required }: AddedTraits = { properties: {}, required: [] }) {
  const schema = JSON.parse(text)
  const { traits } = schema.properties
  traits.properties.email['ory.sh/kratos'].credentials.passkey = { display_name: true }
  Object.assign(traits.properties, properties)
  traits.required.push(...required)
  return JSON.stringify(schema)
}

function offered(origin: string) {
  const rp = { id: 'localhost', display_name: productName, origins: [origin] }
  return {
    serve: { public: { base_url: `https://${otherName}/` } },
    cookies: { path: '/identity' },
    selfservice: {
      methods: { passkey: { enabled: true, config: { rp } } },
      flows: { registration: { after: { passkey: { hooks: [{ hook: 'show_verification_ui' }] } } } },
    },
  }
}

async function mailedCode(admin_url: string, email: string, count = 1): Promise<string> {
  let bodies: string[] = []
  const arrive = async () => {
    const response = await fetch(`${admin_url}/admin/courier/messages?recipient=${encodeURIComponent(email)}`)
    bodies = ((await response.json()) as { body: string }[]).map(({ body }) => body)
    return bodies.length
  }
  await expect.poll(arrive, { message: `emails for ${email}` }).toBeGreaterThanOrEqual(count)
  const code = /\b\d{6}\b/.exec(bodies[0] ?? '')?.[0]
  expect(code).toBeTruthy()
  return code ?? ''
}
