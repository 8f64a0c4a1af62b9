import type { Delivery, EmailTemplate, Identity } from '@ostiary/identity'
import type { Primary } from '@ostiary/identity-server/process'
import type { Hono } from 'hono'
import type { AccountSchema } from '../../journeys/sample-traits.ts'
import type { IdentityGateway } from '../identity-gateway/identity-gateway.ts'

/** The exports of `@ostiary/demo/server`. */
export interface DemoModule {
  openDemo(options: DemoOptions): Promise<Demo>
  /** Answers the demos of the workers, in their primary process. */
  answerWorkers(public_url: string, offered: OfferedProviders): Primary['ask']
}

export interface DemoOptions {
  readonly public_url: string
  readonly providers: OfferedProviders
  readonly switches: DemoSwitches
  /** The panel's records are in memory, so it needs the only worker. */
  readonly hasPanel: boolean
  readonly now: () => Date
  /** Of one of several workers. */
  readonly ask: Primary['ask'] | undefined
}

/** Surrounds the product, and shows visitors what happens. */
export interface Demo {
  /** The time, which visitors change. */
  readonly now: () => Date
  /** Answers for the mail server. */
  readonly send: (() => Promise<Delivery>) | undefined
  /** Clients at the providers that it plays. */
  readonly clients: readonly DemoClient[]
  /** Also reaches these providers. */
  readonly fetch: typeof fetch
  /** The value of one of the product's switches. */
  value(name: string): string
  surround(gateway: IdentityGateway): IdentityGateway
  respond(respond: Identity['respond']): Identity['respond']
  /** Middleware for the product's calls, and the routes below `/demo`. */
  mountOn(app: Hono, sources: DemoSources): void
  stop(): void
}

interface DemoSources {
  readonly identity: Identity
  readonly emails: readonly EmailTemplate<object>[]
  /** The traits of `app.config.ts`. */
  readonly account: AccountSchema
}

export interface DemoClient {
  readonly id: string
  readonly label: string
  readonly issuer: string
  readonly client_id: string
  readonly client_secret: string
}

/** The list in `app.config.ts`. */
export type OfferedProviders = readonly Pick<DemoClient, 'id' | 'label'>[]

/** By name. */
export type DemoSwitches = Readonly<Record<string, DemoSwitch>>

export interface DemoSwitch {
  readonly title: string
  readonly hint: string
  /** The default first. */
  readonly values: readonly string[]
}
