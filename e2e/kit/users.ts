import { randomUUID } from 'node:crypto'
import { sampleTraits } from '@ostiary/server/testing/sample-traits'
import { type APIRequestContext, type APIResponse, expect } from '@playwright/test'
import * as product from '../../app.config.ts'
import type { ProductAddresses } from './product.ts'

export interface User {
  readonly email: string
  readonly password: string
}

export function newUser(): User {
  return { email: `user-${randomUUID().slice(0, 13)}@example.com`, password: 'three quiet words' }
}

export async function createAccount(
  { admin_url }: ProductAddresses,
  { email, password }: User,
  { verified = true } = {},
): Promise<void> {
  const address = { value: email, via: 'email', verified, status: verified ? 'completed' : 'pending' }
  const response = await fetch(`${admin_url}/admin/identities`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      schema_id: 'person',
      traits: sampleTraits(product, email),
      credentials: { password: { config: { password } } },
      verifiable_addresses: [address],
    }),
  })
  expect(response.status).toBe(201)
}

export async function signIn(
  request: APIRequestContext,
  product: ProductAddresses,
  { email, password }: User,
): Promise<void> {
  await submit(request, await openFlow(request, product, 'login'), { identifier: email, password })
}

/** Returns the flow that waits for the code. */
export async function register(
  request: APIRequestContext,
  addresses: ProductAddresses,
  { email, password }: User,
): Promise<string> {
  const flow = await openFlow(request, addresses, 'registration')
  const response = await submit(request, flow, { password, traits: sampleTraits(product, email) })
  const { continue_with } = (await response.json()) as {
    continue_with: { action: string; flow?: { id: string } }[]
  }
  const id = continue_with.find(({ action }) => action === 'show_verification_ui')?.flow?.id
  expect(id).toBeTruthy()
  return id ?? ''
}

interface WireFlow {
  readonly id: string
  readonly ui: { action: string; nodes: { attributes: { name?: string; value?: string } }[] }
}

const headers = { Accept: 'application/json' }

export async function openFlow(
  request: APIRequestContext,
  { url }: ProductAddresses,
  kind: string,
): Promise<WireFlow> {
  const response = await request.get(`${url}/.ory/self-service/${kind}/browser`, { headers })
  expect(response.status()).toBe(200)
  return (await response.json()) as WireFlow
}

/** With a password. */
async function submit(request: APIRequestContext, { ui }: WireFlow, values: object): Promise<APIResponse> {
  const token = ui.nodes.find(({ attributes }) => attributes.name === 'csrf_token')?.attributes.value
  const data = { method: 'password', csrf_token: token, ...values }
  const response = await request.post(ui.action, { headers, data })
  expect(response.status(), await response.text()).toBe(200)
  return response
}
