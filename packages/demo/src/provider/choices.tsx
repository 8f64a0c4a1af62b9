import type { ReactNode } from 'react'

export function Choices({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className="grid">
      <legend className="mb-1 text-14 font-medium">{legend}</legend>
      <div className="divide-y divide-line overflow-hidden rounded-field border border-edge bg-surface">
        {children}
      </div>
    </fieldset>
  )
}

interface ChoiceProps {
  name: string
  value: string
  chosen: string
  onChoose(value: string): void
  label: string
  hint?: string
}

export function Choice({ name, value, chosen, onChoose, label, hint }: ChoiceProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-start gap-3 px-3 py-2.5 transition-colors hover:bg-raised has-checked:bg-tint">
      <input
        type="radio"
        name={name}
        value={value}
        checked={value === chosen}
        onChange={() => onChoose(value)}
        className="mt-0.75"
      />
      <span className="grid min-w-0">
        <span>{label}</span>
        {hint && <span className="text-14 text-muted">{hint}</span>}
      </span>
    </label>
  )
}
