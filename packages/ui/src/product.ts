/** The facts that these pages know about the product, from its `app.config.ts`. */
export interface Product {
  readonly name: string
  readonly description: string
  readonly password: { readonly minLength: number }
  /** The template of `user_jwt`. */
  readonly tokenTemplate: string
  /** Name of the file with an account's data. */
  readonly exportFile: string
  readonly roles: readonly string[]
  readonly traits: Readonly<Record<string, { readonly title?: string; readonly format?: string }>>
  /** Providers that the demo plays. */
  readonly demoProviders: readonly { readonly id: string; readonly label: string }[]
}

let present: Product | undefined

/** Call before anything is rendered; `defineApp` does. */
export function setProduct(product: Product): void {
  present = product
}

/** The admin page and the demo's pages are not built for one product: the server writes it into their settings. */
export function product(): Product {
  present ??= settingsBlock()?.product as Product | undefined
  if (!present) throw new Error('There is no product yet: call defineApp first.')
  return present
}

/** The settings that the server wrote into the page. Undefined while prerendering, and in a page without it. */
export function settingsBlock(): Record<string, unknown> | undefined {
  if (typeof document === 'undefined') return undefined
  const text = document.getElementById('settings')?.textContent?.trim() ?? ''
  // The server wrote it from checked values. A schema library would add 6 kB to the home page.
  return text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : undefined
}
