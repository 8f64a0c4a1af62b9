import { useLogin, usePeople } from '../panel/people.tsx'
import { demoTexts, peopleTexts } from '../texts.ts'
import { facesTexts as texts } from './texts.ts'

type About = keyof typeof texts.about

export function Faces() {
  const listed = usePeople()
  const { mutate, isPending, variables, error } = useLogin(listed?.password ?? '')
  return (
    <section aria-labelledby="faces" className="grid gap-3">
      <h2 id="faces" className="text-16">
        {texts.heading}
      </h2>
      <ul className="grid min-h-19 grid-cols-[repeat(auto-fit,minmax(5rem,1fr))] max-[22rem]:grid-cols-2 max-[11rem]:grid-cols-1 gap-2 md:min-h-28 md:grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))]">
        {listed?.people
          .filter(({ key }) => key in texts.about)
          .map((person) => (
            <Face
              key={person.key}
              name={person.name}
              about={
                isPending && variables.key === person.key ? demoTexts.wait : texts.about[person.key as About]
              }
              onClick={() => !isPending && mutate(person)}
            />
          ))}
      </ul>
      <p role="alert" className={error ? 'text-14' : 'sr-only'}>
        {error && peopleTexts.failed(error.message)}
      </p>
    </section>
  )
}

interface FaceProps {
  name: string
  about: string
  onClick(): void
}

function Face({ name, about, onClick }: FaceProps) {
  return (
    <li>
      <button
        type="button"
        onClick={onClick}
        className="flex h-full min-h-11 w-full items-start gap-3 md:items-center rounded-field border border-edge bg-surface px-2 py-1.5 text-start transition-colors hover:bg-raised md:px-3"
      >
        <span
          aria-hidden="true"
          className="grid size-7 shrink-0 place-items-center rounded-full bg-tint font-semibold text-accent max-md:hidden"
        >
          {name.slice(0, 1)}
        </span>
        <span className="text-14">
          <span className="block font-medium">{name}</span>
          <span className="text-muted">{about}</span>
        </span>
      </button>
    </li>
  )
}
