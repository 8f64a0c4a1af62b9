import { messageOf } from '../../errors/errors.ts'
import { isObject } from '../../input/json.ts'
import { ConfigError } from '../checks/config-error.ts'
import type { Named } from './sources.ts'
import { importMapper, readSource } from './sources.ts'

type Fetch = typeof fetch

export async function loadCourier(courier: unknown, fetch: Fetch): Promise<object> {
  if (!isObject(courier)) return {}
  const { templates, http, channels } = courier
  const loaded: Named = {}
  if (isObject(templates)) loaded.templates = await withTexts('courier.templates', templates, fetch)
  if (isObject(http)) loaded.http = await withRequest('courier.http', http)
  if (Array.isArray(channels)) {
    const load = (channel: unknown, index: number) => withRequest(`courier.channels[${index}]`, channel)
    loaded.channels = await Promise.all(channels.map(load))
  }
  return loaded
}

async function withTexts(path: string, node: unknown, fetch: Fetch): Promise<unknown> {
  if (typeof node === 'string') return { text: await textOf(path, node, fetch) }
  if (!isObject(node) || typeof node.text === 'string') return node
  const members = Object.entries(node).map(async ([name, member]) => [
    name,
    await withTexts(`${path}.${name}`, member, fetch),
  ])
  return Object.fromEntries(await Promise.all(members))
}

async function textOf(path: string, source: string, fetch: Fetch): Promise<string> {
  return /^https?:\/\//.test(source) ? await download(path, source, fetch) : await readSource(path, source)
}

const PATIENCE_MS = 10_000
const LONGEST = 256 * 1024

async function download(path: string, url: string, fetch: Fetch): Promise<string> {
  let text: string
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'error' })
    if (!answer.ok) throw new Error(`the response was ${answer.status}`)
    text = await answer.text()
  } catch (error) {
    throw new ConfigError([{ path, message: `cannot be loaded: ${messageOf(error)}` }])
  }
  if (text.length > LONGEST) throw new ConfigError([{ path, message: 'longer than 256KB' }])
  return text
}

async function withRequest(path: string, holder: unknown): Promise<unknown> {
  if (!isObject(holder) || !isObject(holder.request_config)) return holder
  const { request_config } = holder
  if (typeof request_config.body !== 'string') return holder
  const body = await importMapper(`${path}.request_config.body`, request_config.body, 'body')
  return { ...holder, request_config: { ...request_config, body } }
}
