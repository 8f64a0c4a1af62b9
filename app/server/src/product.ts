import type { EmailTemplate, Extension } from '@my-app/identity'

/** This product's additions to the accounts. Its pages are in `app/web`, its API in `api.ts`. */
export interface Product extends Partial<Extension> {
  readonly emails?: readonly EmailTemplate<object>[]
}

export const product: Product = {}
