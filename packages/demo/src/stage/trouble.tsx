import { useWorld } from '../panel/world.tsx'

const TROUBLES = [
  { name: 'email', value: 'off', title: 'Email is down', seen: 'Codes wait until it is back.' },
  {
    name: 'providers',
    value: 'slow',
    title: 'GitHub is slow',
    seen: 'After a wait, an error says so. Other ways work.',
  },
  {
    name: 'identity',
    value: 'status 503',
    title: 'Logins answer 503',
    seen: 'What you typed stays. Try again.',
  },
  { name: 'clock', value: '+25 h', title: '25 hours later', seen: 'Sessions have ended.' },
]

export function Trouble() {
  const { world, change, isError } = useWorld()
  return (
    <section aria-labelledby="trouble" className="grid gap-3">
      <h2 id="trouble" className="text-16">
        Break something
      </h2>
      <ul className="grid gap-2">
        {TROUBLES.map(({ name, value, title, seen }) => {
          const known = world.find((one) => one.name === name)
          const isOn = known?.value === value
          return (
            <li key={name}>
              <label className="flex min-h-11 items-center gap-3 rounded-field border border-edge bg-surface px-3 py-1.5 has-checked:border-amber has-checked:bg-amber-tint">
                <input
                  type="checkbox"
                  className="size-5 shrink-0 accent-amber"
                  checked={isOn}
                  disabled={!known}
                  onChange={() => change({ [name]: isOn ? known?.values[0] : value })}
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
        {isError && 'That did not work. Try again.'}
      </p>
    </section>
  )
}
