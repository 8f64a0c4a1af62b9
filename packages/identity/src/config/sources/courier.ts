import { isObject, merge } from '../../input/json.ts'
import type { Named, Sources } from './sources.ts'

export async function loadCourier(sources: Sources, courier: unknown): Promise<object> {
  if (!isObject(courier)) return {}
  const { templates = {}, template_override_path: folder, http, channels } = courier
  const loaded: Named = {}
  if (isObject(templates)) {
    const below = typeof folder === 'string' ? await sources.templates(folder) : {}
    loaded.templates = merge(below ?? {}, await withTexts(sources, 'courier.templates', templates))
  }
  if (isObject(http)) loaded.http = await withRequest(sources, 'courier.http', http)
  if (Array.isArray(channels)) {
    const load = (channel: unknown, index: number) =>
      withRequest(sources, `courier.channels[${index}]`, channel)
    loaded.channels = await Promise.all(channels.map(load))
  }
  return loaded
}

async function withTexts(sources: Sources, path: string, node: object): Promise<object> {
  const members = Object.entries(node).map(async ([name, member]) => {
    const here = `${path}.${name}`
    if (isObject(member)) {
      return [name, typeof member.text === 'string' ? member : await withTexts(sources, here, member)]
    }
    if (typeof member !== 'string') return [name, member]
    const text = await sources.text(here, member)
    return [name, text === undefined ? undefined : { text, path: here }]
  })
  return Object.fromEntries(await Promise.all(members))
}

async function withRequest(sources: Sources, path: string, holder: unknown): Promise<unknown> {
  if (!isObject(holder) || !isObject(holder.request_config)) return holder
  const { request_config } = holder
  if (typeof request_config.body !== 'string') return holder
  const body = await sources.mapper(`${path}.request_config.body`, request_config.body, 'body')
  return { ...holder, request_config: { ...request_config, body } }
}
