import { useQuery } from '@tanstack/react-query'
import { Card } from '../../ui/card.tsx'
import { z } from '../../ui/form/schema.ts'
import { call } from '../call.ts'
import { type Account, schema } from '../records.ts'
import { adminAccountTexts } from '../texts.ts'
import { Line, lines } from './details-cards.tsx'

const texts = adminAccountTexts.traits

/** What the account says about its user, in the order of the schema. The email has a card of its own. */
export function TraitsCard({ account: { schema_id, traits } }: { account: Account }) {
  const { data: titles = {} } = useQuery({
    queryKey: ['schema', schema_id],
    queryFn: async () => {
      const { json } = await call('GET', `/schemas/${encodeURIComponent(schema_id)}`)
      return z.parse(schema, json).properties.traits.properties
    },
  })
  const names = Object.keys({ ...titles, ...traits }).filter((name) => name !== 'email' && name in traits)
  if (names.length === 0) return null
  return (
    <Card title={texts.title}>
      <dl className={lines}>
        {names.map((name) => (
          <Line key={name} name={titles[name]?.title ?? name}>
            {shown(traits[name])}
          </Line>
        ))}
      </dl>
    </Card>
  )
}

function shown(value: unknown): string {
  if (typeof value === 'boolean') return texts.answers[value ? 0 : 1]
  return typeof value === 'object' ? JSON.stringify(value) : `${value}`
}
