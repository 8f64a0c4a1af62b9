import { useAuth } from '@ostiary/react'
import { useSwitches } from '../panel/switches.tsx'
import { demoTexts } from '../texts.ts'
import { troubleTexts as texts } from './texts.ts'

const TROUBLES = [
  { name: 'email', value: 'off' },
  { name: 'providers', value: 'slow' },
  { name: 'identity', value: 'status 503' },
  { name: 'clock', value: '+25 h' },
] as const

export function Trouble() {
  const { refetch } = useAuth()
  const { switches, change, isError } = useSwitches(refetch)
  return (
    <section aria-labelledby="trouble" className="grid gap-3">
      <h2 id="trouble" className="text-16">
        {texts.heading}
      </h2>
      <ul className="grid gap-2">
        {TROUBLES.map(({ name, value }) => {
          const { title, seen } = texts[name]
          const troubleSwitch = switches.find((one) => one.name === name)
          const isOn = troubleSwitch?.value === value
          return (
            <li key={name}>
              <label className="flex min-h-11 items-center gap-3 rounded-field border border-edge bg-surface px-3 py-1.5 has-checked:border-amber has-checked:bg-amber-tint">
                <input
                  type="checkbox"
                  className="size-5 shrink-0 accent-amber"
                  checked={isOn}
                  disabled={!troubleSwitch}
                  onChange={() => change({ [name]: isOn ? troubleSwitch?.values[0] : value })}
                />
                <span className="text-14">
                  <span className="block font-medium">{title}</span>
                  <span className="text-muted">{seen}</span>
                </span>
              </label>
            </li>
          )
        })}
      </ul>
      <p role="status" className="text-14">
        {isError && demoTexts.failed}
      </p>
    </section>
  )
}
