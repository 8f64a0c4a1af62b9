import type { ProductConfig } from '@ostiary/server'

type Known =
  | 'name'
  | 'password'
  | 'tokenTemplate'
  | 'exportFile'
  | 'roles'
  | 'demoProviders'
  | 'afterLogin'
  | 'requiredTraits'

/** The facts that these pages know about the product, from its `app.config.ts`. */
export interface ProductFacts extends Pick<ProductConfig, Known> {
  readonly description: string
  readonly traits: Readonly<Record<string, TraitSchema>>
  /** Only where the server writes these facts into the page. */
  readonly public_url?: string
}

interface TraitSchema {
  readonly type?: string
  readonly title?: string
  readonly format?: string
  readonly enum?: readonly (string | number)[]
}

let present: ProductFacts | undefined

/** Call before anything is rendered; `defineApp` does. */
export function setProduct(product: ProductFacts): void {
  present = product
}

/** The admin page and the demo's pages are not built for one product: the server writes it into their settings. */
export function product(): ProductFacts {
  present ??= settingsBlock()?.product as ProductFacts | undefined
  if (!present) throw new Error('There is no product yet: call defineApp first.')
  return present
}

export function pageAfterLogin(
  { afterLogin = '/dashboard' }: Pick<ProductFacts, 'afterLogin'> = product(),
): string {
  return afterLogin
}

/** The settings that the server wrote into the page. Undefined while prerendering, and in a page without it. */
export function settingsBlock(): Record<string, unknown> | undefined {
  if (typeof document === 'undefined') return undefined
  const text = document.getElementById('settings')?.textContent?.trim() ?? ''
  // The server wrote it from checked values. A schema library would add 6 kB to the home page.
  return text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : undefined
}
