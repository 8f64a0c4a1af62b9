import { useId } from 'react'
import { ChevronIcon } from '../../ui/icons.tsx'
import type { Order } from './list-repositories.ts'
import { repositoryTexts as texts } from './texts.ts'

interface ListControlsProps {
  filter: string
  order: Order
  onFilter(filter: string): void
  onOrder(order: Order): void
}

export function ListControls({ filter, order, onFilter, onOrder }: ListControlsProps) {
  const id = useId()
  return (
    <div className="flex min-w-0 grow gap-2 sm:max-w-100">
      <label className={`${box} min-w-0 grow`}>
        <span className="sr-only">{texts.filter}</span>
        <input
          type="search"
          value={filter}
          onChange={({ target }) => onFilter(target.value)}
          placeholder={texts.filter}
          autoComplete="off"
          spellCheck={false}
          className="w-full min-w-0 bg-transparent px-3 outline-none placeholder:text-muted"
        />
      </label>
      <div className={`${box} relative max-w-3/5 shrink-0 items-center`}>
        <label htmlFor={id} className="sr-only">
          {texts.sort}
        </label>
        <select
          id={id}
          value={order}
          onChange={({ target }) => onOrder(target.value as Order)}
          className="min-h-11 min-w-0 appearance-none truncate bg-surface ps-3 pe-8 outline-none"
        >
          {(Object.keys(texts.orders) as Order[]).map((name) => (
            <option key={name} value={name}>
              {texts.orders[name]}
            </option>
          ))}
        </select>
        <ChevronIcon />
      </div>
    </div>
  )
}

const box =
  'flex min-h-11 overflow-hidden rounded-field border border-edge bg-surface text-14 transition-colors focus-within:border-accent focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-accent hover:border-ink'
