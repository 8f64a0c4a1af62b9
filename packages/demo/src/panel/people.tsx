import { Address, Button } from '@ostiary/ui'
import { CopyButton, request } from '@ostiary/ui/internal'
import * as paths from '@ostiary/ui/paths'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { ListedPeople } from '../../server/people.ts'
import { DEMO } from '../pages/follow-changes.ts'
import { demoTexts, peopleTexts as texts } from '../texts.ts'
import { isStage, STAGE } from './hash.ts'
import { beginSignIn, typeCode } from './page-forms.ts'

type Person = ListedPeople['people'][number]

const PEOPLE = '/demo/api/people'

/** Accounts with a ready-made past. */
export function People() {
  const listed = usePeople()
  if (!listed) return null
  const { people, password } = listed
  return (
    <ul className="demo-list">
      <li>
        <p>{texts.lead}</p>
      </li>
      <li>
        <Named name={texts.visitor.name} about={texts.visitor.about} />
        <div className="demo-actions">
          <Button
            look="neutral"
            small
            onClick={() =>
              void beginSignIn({ step: 'password', email: newEmail(), password }, { address: paths.register })
            }
          >
            {texts.visitor.signUp}
          </Button>
        </div>
      </li>
      {people.map((person) => (
        <PersonRow key={person.key} person={person} password={password} />
      ))}
    </ul>
  )
}

function newEmail(): string {
  return `visitor-${crypto.randomUUID().slice(0, 8)}@example.com`
}

export function usePeople() {
  const { data } = useQuery({
    queryKey: [DEMO, 'people'],
    queryFn: async () => (await request(PEOPLE)).json as ListedPeople,
  })
  return data
}

const makeAgain = (key: string) => request(`${PEOPLE}/${key}/reset`, { method: 'POST' })

/** Logs in by the form of the page. */
export function useLogin(password: string) {
  return useMutation({
    mutationFn: async ({ key, email, step, made }: Person) => {
      if (!made) await makeAgain(key)
      const task =
        step === 'github'
          ? ({ step: 'provider', user: `demo-${key}` } as const)
          : ({ step: 'password', email, password } as const)
      await beginSignIn(task, isStage() && step !== 'code' ? { address: STAGE, tab: 'wire' } : {})
    },
  })
}

function PersonRow({ person, password }: { person: Person; password: string }) {
  const { key, name, email, about, made, code, seconds } = person
  const reset = useMutation({ mutationFn: () => makeAgain(key) })
  const login = useLogin(password)
  const preparing = made ? texts.loggingIn : texts.makingOne
  const failure = reset.error ?? login.error
  return (
    <li>
      <Named name={name} about={about} email={email} />
      {code !== undefined && <Code code={code} note={<Seconds left={seconds ?? 0} />} />}
      <div className="demo-actions">
        <Button
          look="neutral"
          small
          aria-label={texts.logInAs(name)}
          busy={login.isPending ? preparing : undefined}
          onClick={() => login.mutate(person)}
        >
          {texts.logIn}
        </Button>
        <Button
          look="neutral"
          small
          aria-label={texts.recreateOne(name)}
          busy={reset.isPending ? texts.recreate[1] : undefined}
          onClick={() => reset.mutate()}
        >
          {texts.recreate[0]}
        </Button>
        <span role="status">
          {failure ? texts.failed(failure.message) : reset.isSuccess && texts.recreated}
        </span>
      </div>
    </li>
  )
}

function Named({ name, about, email }: { name: string; about: string; email?: string }) {
  return (
    <div>
      <h2>
        <bdi>{name}</bdi>
      </h2>
      <p>{about}</p>
      {email && (
        <p>
          <Address plain>{email}</Address>
        </p>
      )}
    </div>
  )
}

/** Until the next code, which the server announces. */
function Seconds({ left }: { left: number }) {
  const [passed, setPassed] = useState(0)
  useEffect(() => {
    setPassed(0)
    const timer = setInterval(() => setPassed((seconds) => Math.min(left, seconds + 1)), 1000)
    return () => clearInterval(timer)
  }, [left])
  return <span className="demo-seconds">{`${left - passed} s`}</span>
}

/** A code in large letters. "Use" types it into the page, else opens the link. */
export function Code({
  code,
  note,
  useUrl,
}: {
  code: string
  note?: ReactNode
  useUrl?: string | undefined
}) {
  const [isMissing, setMissing] = useState(false)
  function use() {
    if (typeCode(code)) return setMissing(false)
    if (useUrl) location.assign(useUrl)
    else setMissing(true)
  }
  return (
    <div className="demo-actions">
      <strong translate="no">{code}</strong>
      {note}
      <Button look="neutral" small onClick={use}>
        {texts.use}
      </Button>
      <CopyButton text={code}>{demoTexts.copy}</CopyButton>
      <span role="status">{isMissing && texts.noCodeAsked}</span>
    </div>
  )
}
