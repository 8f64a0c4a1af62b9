import { Button } from '@ostiary/ui'
import { request } from '@ostiary/ui/internal'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { DEMO } from '../pages/follow-changes.ts'
import { demoTexts, switchTexts } from '../texts.ts'

interface Switch {
  readonly name: string
  /** Set for a switch that the product adds. */
  readonly title?: string
  readonly hint?: string
  readonly value: string
  /** The default first. */
  readonly values: readonly string[]
}

/** The new value of each switch. */
type Changes = Readonly<Record<string, string | undefined>>

const SWITCHES = '/demo/api/switches'
const queryKey = [DEMO, 'switches']

const texts: Readonly<Record<string, { readonly title: string; readonly hint: string }>> = switchTexts.own

/** @param onChanged for a page that shows what the switches concern */
export function useSwitches(onChanged?: () => unknown) {
  const cache = useQueryClient()
  const { data: switches = [] } = useQuery({
    queryKey,
    queryFn: async () => (await request(SWITCHES)).json as readonly Switch[],
    retry: false,
  })
  const { mutate: change, isError } = useMutation({
    mutationFn: async (changes: Changes) =>
      (await request(SWITCHES, { method: 'PATCH', body: JSON.stringify(changes) })).json as readonly Switch[],
    onMutate: (changes) => {
      const after = switches.map((one) => ({ ...one, value: changes[one.name] ?? one.value }))
      cache.setQueryData(queryKey, after)
      return switches
    },
    onError: (_, __, before) => cache.setQueryData(queryKey, before),
    onSuccess(next, changes) {
      cache.setQueryData(queryKey, next)
      // As after a lost connection, so that forms no longer say that they reach nothing.
      if (changes.identity === 'normal') dispatchEvent(new Event('online'))
      void onChanged?.()
    },
  })
  return { switches, change, isError }
}

/** Each switch that is not at its default, such as "Email: off". */
export function useChanged(): readonly string[] {
  return useSwitches().switches.flatMap(({ name, title, value, values }) =>
    value === values[0] ? [] : `${title ?? texts[name]?.title}: ${value}`,
  )
}

export function Changed() {
  const changed = useChanged()
  if (changed.length === 0) return null
  return (
    <ul aria-label={switchTexts.changed} className="demo-changed">
      {changed.map((one) => (
        <li key={one}>{one}</li>
      ))}
    </ul>
  )
}

/** They change the app for everybody who uses this demo. */
export function Switches() {
  const { switches, change, isError } = useSwitches()
  return (
    <>
      <div className="demo-list">
        {switches.map(({ name, title, hint, value, values }) => (
          <fieldset key={name}>
            <legend>{title ?? texts[name]?.title}</legend>
            <p>{hint ?? texts[name]?.hint}</p>
            <div className="demo-actions">
              {values.map((one) => (
                <label key={one} className="demo-choice">
                  <input
                    type="radio"
                    name={`demo-${name}`}
                    checked={one === value}
                    onChange={() => change({ [name]: one })}
                  />
                  <span>{one}</span>
                </label>
              ))}
            </div>
          </fieldset>
        ))}
      </div>
      <div className="demo-note">
        <p role="status">{isError ? demoTexts.failed : switchTexts.next}</p>
        <Button look="neutral" small onClick={() => location.reload()}>
          {switchTexts.reload}
        </Button>
      </div>
    </>
  )
}
