import type { Config } from '../config.ts'

/** The settings that apply after a flow with one method. */
export function afterMethod(
  { config }: { readonly config: Config },
  kind: 'login' | 'registration' | 'settings',
  method: string,
) {
  // Methods that have no such settings give undefined.
  return config.selfservice.flows[kind].after[method as 'password']
}
