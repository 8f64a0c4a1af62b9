import { formatNumber } from '@ostiary/ui'
import { Link, useSearchParams } from 'react-router'

type Options = Readonly<Record<string, string>>

interface FilterProps {
  label: string
  /** The name of the search parameter. */
  name: string
  /** By value. The empty value shows all. */
  options: Options
  counts?: Readonly<Record<string, number>> | undefined
}

/** Links that filter a list and keep the other search parameters. */
export function Filter({ label, name, options, counts }: FilterProps) {
  const [search] = useSearchParams()
  const selected = useFilter(name, options)
  return (
    <nav aria-label={label} className="flex flex-wrap gap-2">
      {Object.entries(options).map(([value, text]) => {
        const query = new URLSearchParams(search)
        if (value) query.set(name, value)
        else query.delete(name)
        return (
          <Link
            key={value}
            to={`?${query}`}
            aria-current={value === selected ? 'true' : undefined}
            className={chip}
          >
            <span>{text}</span>{' '}
            {counts && <span className="tabular-nums">{formatNumber(counts[value] ?? 0)}</span>}
          </Link>
        )
      })}
    </nav>
  )
}

/** Empty for an unknown value. */
export function useFilter(name: string, options: Options): string {
  const [search] = useSearchParams()
  const value = search.get(name) ?? ''
  return Object.hasOwn(options, value) ? value : ''
}

const chip =
  'inline-flex min-h-9 items-center gap-2 rounded-round border border-line bg-surface px-3.5 text-14 text-muted transition-colors hover:border-edge hover:text-ink aria-[current]:border-accent aria-[current]:bg-tint aria-[current]:font-medium aria-[current]:text-ink aria-[current]:forced-highlight pointer-coarse:min-h-11'
