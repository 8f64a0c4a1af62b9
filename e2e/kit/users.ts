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
  { url }: ProductAddresses,
  { email, password }: User,
): Promise<void> {
  const flow = await openFlow(request, url, 'login')
  const data = { method: 'password', csrf_token: flow.csrf_token, identifier: email, password }
  const response = await submit(request, flow, data)
  expect(response.status(), await response.text()).toBe(200)
}

export async function register(
  request: APIRequestContext,
  { url }: ProductAddresses,
  { email, password }: User,
): Promise<string> {
  const flow = await openFlow(request, url, 'registration')
  const data = {
    method: 'password',
    csrf_token: flow.csrf_token,
    password,
    traits: sampleTraits(product, email),
  }
  const response = await submit(request, flow, data)
  expect(response.status(), await response.text()).toBe(200)
  const { continue_with } = (await response.json()) as {
    continue_with: { action: string; flow?: { id: string } }[]
  }
  const id = continue_with.find(({ action }) => action === 'show_verification_ui')?.flow?.id
  expect(id).toBeTruthy()
  return id ?? ''
}

export async function openVerification(
  request: APIRequestContext,
  { url }: ProductAddresses,
): Promise<string> {
  return (await openFlow(request, url, 'verification')).id
}

interface OpenFlow {
  readonly id: string
  readonly action: string
  readonly csrf_token: string
}

interface WireFlow {
  readonly id: string
  readonly ui: { action: string; nodes: { attributes: { name?: string; value?: string } }[] }
}

const headers = { Accept: 'application/json' }

async function openFlow(request: APIRequestContext, url: string, kind: string): Promise<OpenFlow> {
  const response = await request.get(`${url}/.ory/self-service/${kind}/browser`, { headers })
  expect(response.status()).toBe(200)
  const { id, ui } = (await response.json()) as WireFlow
  const token = ui.nodes.find(({ attributes }) => attributes.name === 'csrf_token')?.attributes.value ?? ''
  return { id, action: ui.action, csrf_token: token }
}

async function submit(
  request: APIRequestContext,
  flow: OpenFlow,
  data: Record<string, unknown>,
): Promise<APIResponse> {
  return await request.post(flow.action, { headers, data })
}
