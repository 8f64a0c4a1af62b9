import { Card } from '@ostiary/ui'
import { product } from '@ostiary/ui/internal'
import type { Account } from '../records.ts'
import { adminAccountTexts } from '../texts.ts'
import { Line, lines } from './details-cards.tsx'

const texts = adminAccountTexts.traits

/** The account's traits in schema order, except the email. */
export function TraitsCard({ account: { traits } }: { account: Account }) {
  const known = product().traits
  const names = Object.keys({ ...known, ...traits }).filter((name) => name !== 'email' && name in traits)
  if (names.length === 0) return null
  return (
    <Card title={texts.title}>
      <dl className={lines}>
        {names.map((name) => (
          <Line key={name} name={known[name]?.title ?? name}>
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
