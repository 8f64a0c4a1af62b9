import type { EmailTemplate, RenderedMail } from '../courier/templates/email.ts'
import type { MessagePreview } from '../courier/templates/render.ts'
import type { Letters } from '../courier/templates/templates.ts'
import type { Migrations } from '../storage/migrations/migrate.ts'
import type { ProductDb } from '../storage/product-db.ts'
import type { AdminIdentity, JsonObject } from '../wire/identity.ts'
import type { Session } from '../wire/session.ts'

/** The parts that a product adds to the service. */
export interface Extension {
  /** Migrations of the product's tables. */
  readonly migrations: Migrations
  readonly on: Hooks
  readonly accountData: AccountData
  readonly letters: Letters
}

/** Data that the product stores about an account. */
export interface AccountData {
  /** Joins the data that users export. */
  export(db: ProductDb, identity_id: string): Promise<object>
  /** Runs in the transaction that deletes the account, before it. Rows with `on delete cascade` need none. */
  delete?(db: ProductDb, identity_id: string): Promise<void>
}

/** `Traits`: of the accounts. */
export interface Hooks<Traits = JsonObject> {
  /**
   * A user created an account. Operators' accounts and imported ones don't count. Not called for a
   * taken address, so a refusal reveals that the address is free.
   */
  readonly registered?: Hook<About<Traits>>
  /** A user verified an address for the first time, by any method. */
  readonly verified?: Hook<About<Traits>>
  /** A user signed in, re-authenticated or added a second factor. */
  readonly signedIn?: Hook<About<Traits> & { readonly session: Session }>
  /** `previous` has the old addresses. */
  readonly emailChanged?: Hook<About<Traits> & { readonly previous: IdentityWith<Traits> }>
  /** For any reason. `accountData.delete` is the part inside the transaction. */
  readonly deleted?: Pick<Hook<About<Traits>>, 'afterCommit'>
}

export interface Hook<Event> {
  /**
   * Joins the transaction. A throw undoes it: `refusal(…)` shows a message on the form, any other
   * error is a bug. May run again after a conflict and delays other writers, so only use `db`,
   * `mail` and `now`.
   */
  inTransaction?(event: Event & ProductTools): Promise<void>
  /**
   * Runs in the background. Retried three times within a minute, so it may run more than once.
   * Lost if the process ends first or 500 others wait. Work that must not be lost, such as an email,
   * belongs in `inTransaction`.
   */
  afterCommit?(event: Event & ProductTools): Promise<void>
}

type IdentityWith<Traits> = Omit<AdminIdentity, 'traits'> & { readonly traits: Traits }

interface About<Traits> {
  readonly identity: IdentityWith<Traits>
}

export interface ProductTools {
  readonly db: ProductDb
  readonly mail: Mailer
  now(): Date
}

export interface Mailer {
  /** Queues an email, which is sent at least once. It expires after a day without a working mail server. */
  send<Data extends object>(email: {
    readonly to: string
    readonly template: EmailTemplate<Data>
    readonly data: NoInfer<Data>
    /** A transaction that the email joins. */
    readonly db?: ProductDb
  }): Promise<void>
  /** Renders the template with its sample data. */
  preview(template: EmailTemplate<object>): RenderedMail
  /** Renders each of the service's own emails with sample data. */
  previewOwn(): MessagePreview[]
}
