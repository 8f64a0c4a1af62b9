import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'

const maxEntries = 1_000

export function createAdapter(): AdapterFactory {
  const entries = new Map<string, AdapterPayload>()
  return (model) => storeOf(model, entries)
}

function storeOf(model: string, entries: Map<string, AdapterPayload>): Adapter {
  const key = (id: string) => `${model}:${id}`
  const findBy = (matches: (payload: AdapterPayload) => boolean) =>
    [...entries].find(([name, payload]) => name.startsWith(`${model}:`) && matches(payload))?.[1]
  return {
    async upsert(id, payload) {
      const [oldest] = entries.keys()
      if (entries.size >= maxEntries && oldest !== undefined) entries.delete(oldest)
      entries.delete(key(id))
      entries.set(key(id), payload)
    },
    find: async (id) => entries.get(key(id)),
    findByUid: async (uid) => findBy((payload) => payload.uid === uid),
    findByUserCode: async (userCode) => findBy((payload) => payload.userCode === userCode),
    async consume(id) {
      const payload = entries.get(key(id))
      // The provider checks only that a number is set.
      if (payload) payload.consumed = 1
    },
    async destroy(id) {
      entries.delete(key(id))
    },
    async revokeByGrantId(grantId) {
      for (const [name, payload] of entries) if (payload.grantId === grantId) entries.delete(name)
    },
  }
}
