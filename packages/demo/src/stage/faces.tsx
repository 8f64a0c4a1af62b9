import { Button } from '@ostiary/ui'
import { useLogin, usePeople } from '../panel/people.tsx'
import { demoTexts, peopleTexts } from '../texts.ts'
import { facesTexts as texts } from './texts.ts'

const words: Readonly<Record<string, string>> = {
  pending: demoTexts.wait,
  error: demoTexts.failed,
}

export function Faces() {
  const { listed, failure, retry } = usePeople()
  return (
    <section aria-labelledby="faces" className="grid gap-3">
      <h2 id="faces" className="text-16">
        {texts.heading}
      </h2>
      {failure !== undefined && (
        <>
          <p className="text-14">{peopleTexts.failed(failure)}</p>
          <Button look="neutral" small onClick={retry}>
            {demoTexts.again}
          </Button>
        </>
      )}
      <ul className="grid min-h-19 grid-cols-4 gap-2 max-[17rem]:min-h-28 max-[17rem]:grid-cols-2 md:min-h-28 md:grid-cols-2">
        {listed?.people.map((person) => {
          const about = texts.about[person.key as keyof typeof texts.about]
          return about && <Face key={person.key} person={person} password={listed.password} about={about} />
        })}
      </ul>
    </section>
  )
}

function Face({ about, ...known }: Parameters<typeof useLogin>[0] & { about: string }) {
  const { person } = known
  const { login, status } = useLogin(known)
  return (
    <li>
      <button
        type="button"
        aria-disabled={status === 'pending'}
        onClick={() => status !== 'pending' && login()}
        className="flex h-full min-h-11 w-full items-start gap-3 md:items-center rounded-field border border-edge bg-surface px-2 py-1.5 text-start transition-colors hover:bg-raised md:px-3"
      >
        <span
          aria-hidden="true"
          className="grid size-7 shrink-0 place-items-center rounded-full bg-tint font-semibold text-accent max-md:hidden"
        >
          {person.name.slice(0, 1)}
        </span>
        <span className="text-14">
          <span className="block font-medium">{person.name}</span>
          <span className="text-muted">{words[status] ?? about}</span>
        </span>
      </button>
    </li>
  )
}
