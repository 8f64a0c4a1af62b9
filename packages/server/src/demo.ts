// For `@ostiary/demo`.

export { type AccountSchema, sampleTraits } from '../journeys/sample-traits.ts'
export { errorResponse, ProductError } from './http/errors.ts'
export type { IdentityGateway } from './identity-gateway/identity-gateway.ts'
export { identityPrefix } from './identity-gateway/identity-gateway.ts'
export type { Demo, DemoClient, DemoOptions, DemoSwitches, OfferedProviders } from './product/demo.ts'
