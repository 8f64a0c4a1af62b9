import { ChevronIcon } from '@ostiary/ui'
import type { Arrangement, Order } from './list-repositories.ts'
import { repositoryTexts as texts } from './texts.ts'

interface ListControlsProps {
  filter: string
  order: Order
  onChange(part: Partial<Arrangement>): void
}

export function ListControls({ filter, order, onChange }: ListControlsProps) {
  return (
    <div className="flex min-w-0 grow flex-wrap gap-2 sm:max-w-100">
      <label className="min-w-0 grow basis-28 text-14 font-medium">
        <span>{texts.filter}</span>
        <span className={box}>
          <input
            type="search"
            name="filter"
            value={filter}
            onChange={({ target }) => onChange({ filter: target.value })}
            autoComplete="off"
            spellCheck={false}
            // iPhones zoom into smaller text.
            className="w-full min-w-0 px-3 text-16 outline-none sm:text-14"
          />
        </span>
      </label>
      <label className="min-w-0 text-14 font-medium">
        <span>{texts.sort}</span>
        <span className={`${box} relative`}>
          <select
            name="sort"
            value={order}
            onChange={({ target }) => onChange({ order: target.value as Order })}
            className="appearance-none truncate bg-surface ps-3 pe-8 text-16 outline-none sm:text-14"
          >
            {Object.entries(texts.orders).map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
          <ChevronIcon />
        </span>
      </label>
    </div>
  )
}

const box =
  'mt-1.5 flex min-h-11 overflow-hidden rounded-field border border-edge bg-surface font-normal transition-colors focus-within:border-accent focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-accent hover:border-ink'
