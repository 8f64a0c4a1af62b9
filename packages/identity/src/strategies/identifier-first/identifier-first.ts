import type { Strategy } from '../../contract/contract.ts'
import { login } from './login.ts'

export const identifierFirst: Strategy = {
  id: 'identifier_first',
  group: 'identifier_first',
  admin: undefined,
  enabled: ({ selfservice }, flow) =>
    flow === 'login' && selfservice.flows.login.style === 'identifier_first',
  steps: { login },
}
