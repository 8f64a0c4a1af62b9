import type { FormMessage } from '@ostiary/react'
import { useRestored } from '@ostiary/react/internal'
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { ruleTexts } from '../../texts/fields.ts'
import { listen } from '../browser.ts'

/** Of any library that follows https://standardschema.dev. */
interface Schema<Values> {
  readonly '~standard': { readonly validate: (texts: unknown) => Checked<Values> | Promise<Checked<Values>> }
}

type Checked<Values> = { readonly value: Values; readonly issues?: undefined } | { readonly issues: Issues }
type Issues = readonly { readonly message: string; readonly path?: readonly PathPart[] | undefined }[]
type PathPart = PropertyKey | { readonly key: PropertyKey }

type Texts<Name extends PropertyKey = string> = Readonly<Record<Name, string>>
type Errors = Readonly<Record<string, string | undefined>>
type FormRef = RefObject<HTMLFormElement | null>

export interface Failure {
  readonly message: FormMessage
  readonly canRetry: boolean
}

/** Resolved by a submission that leads to another screen. The button stays busy meanwhile. */
export const LEAVING = 'leaving'

export type FormState<Values extends object> = ReturnType<typeof useForm<Values>>

/**
 * A form of named text fields. Values stay in the DOM, which keeps text typed or autofilled before hydration.
 * The schema applies on submission, and then to a wrong field while it is corrected. It must not be asynchronous.
 *
 * @example const form = useForm(z.object({ title: z.string().check(z.minLength(1, 'Enter a title.')) }))
 */
export function useForm<Values extends object>(
  schema: Schema<Values>,
  initial?: Partial<Texts<keyof Values>>,
) {
  const ref = useRef<HTMLFormElement>(null)
  const [texts, setTexts] = useTexts(ref, initial)
  const [isSubmitting, setSubmitting] = useState(false)
  const [shown, setShown] = useState(false)
  useRestored(() => setSubmitting(false))
  const { wrong, correct, expire, settle, ...errors } = useErrors(ref)

  async function submit(send: (values: Values) => Promise<unknown>): Promise<void> {
    if (isSubmitting) return
    expire()
    const checked = check(schema, ref.current)
    if ('errors' in checked) return errors.refuse(checked.errors)
    setSubmitting(true)
    setShown(false)
    let result: unknown
    try {
      result = await send(checked.values)
    } finally {
      if (result !== LEAVING) {
        settle()
        setSubmitting(false)
      }
    }
  }

  function onChange({ target }: FormEvent): void {
    if (!isControl(target)) return
    setTexts(target.name, read(ref.current)[target.name] ?? '')
    if (!wrong.includes(target.name)) return
    const checked = check(schema, ref.current)
    correct(target.name, 'errors' in checked ? checked.errors[target.name] : undefined)
  }

  const field = (name: keyof Values & string) => ({
    name,
    error: errors.errors[name],
    ...(initial?.[name] ? { defaultValue: initial[name] } : {}),
  })

  return {
    ...errors,
    texts,
    isSubmitting,
    /** Current values, including fields that the schema does not name. */
    read: () => read(ref.current),
    focus: (name: string) => inputOf(ref.current, name)?.focus(),
    write(name: keyof Values & string, text: string): void {
      const input = inputOf(ref.current, name)
      if (input) input.value = text
      setTexts(name, text)
    },
    /** The props of an input. Without a default it keeps its DOM value. */
    field,
    /** The props of a password field, which is hidden by default and after sending. */
    password: (name: keyof Values & string) => ({ ...field(name), shown, onToggle: () => setShown(!shown) }),
    props: (send: (values: Values) => Promise<unknown>) => ({
      ref,
      noValidate: true,
      'data-busy': isSubmitting || undefined,
      method: 'post' as const,
      onChange,
      onSubmit(event: { preventDefault(): void }): void {
        event.preventDefault()
        void submit(send)
      },
    }),
  }
}

interface Rejection {
  readonly message: string
  readonly fields?: Errors | undefined
}

/**
 * Shows a failed call of the API: at the wrong fields of the form, or else above them.
 *
 * @example await callApi('POST', '/account/deletion').catch((error) => rejectForm(form, error))
 */
export function rejectForm(
  form: Pick<FormState<Texts>, 'has' | 'refuse' | 'fail'>,
  { message, fields = {} }: Rejection,
): void {
  const ownFields = Object.entries(fields).filter(([name]) => form.has(name))
  if (ownFields.length > 0) form.refuse(Object.fromEntries(ownFields))
  else form.fail(message)
}

function useTexts<Name extends PropertyKey>(form: FormRef, initial: Partial<Texts<Name>> = {}) {
  const [texts, setTexts] = useState(initial)
  useEffect(() => setTexts((known) => ({ ...known, ...read(form.current) })), [form])
  const setText = (name: string, text: string) => setTexts((known) => ({ ...known, [name]: text }))
  return [texts, setText] as const
}

function useErrors(form: FormRef) {
  const [errors, setErrors] = useState<Errors>({})
  const [failure, setFailure] = useState<Failure>()
  const [summed, setSummed] = useState<readonly string[]>([])
  const [wasSubmitted, setSubmitted] = useState(false)
  const isExpired = useRef(false)
  const { summary, pointOut } = usePointer(form)
  const wrong = namesOf(errors)
  // The service may be reachable again.
  useEffect(() => {
    if (!failure?.canRetry) return undefined
    return listen(['online'], () => setFailure(undefined))
  }, [failure])

  function clearExpired(): void {
    if (!isExpired.current) return
    isExpired.current = false
    setErrors({})
    setSummed([])
    setFailure(undefined)
  }

  function settle(): void {
    clearExpired()
    setSubmitted(true)
  }

  return {
    errors,
    wrong,
    failure,
    wasSubmitted,
    /** The fields that the last submission found wrong, if several. */
    summed,
    summary,
    has: (name: string): boolean => Boolean(inputOf(form.current, name)),
    /** As the browser would send it. */
    data: (): FormData => dataOf(form.current),
    refuse(refused: Errors): void {
      const names = namesOf(refused)
      settle()
      setErrors(refused)
      setSummed(names.length > 1 ? names : [])
      pointOut(names)
    },
    fail(message: FormMessage, canRetry = false): void {
      clearExpired()
      setFailure({ message, canRetry })
    },
    /** Empty once corrected: the error keeps its space, because the form must not move while the user types. */
    correct: (name: string, error = ''): void => setErrors((known) => ({ ...known, [name]: error })),
    /** Errors keep their space until the next result, because the form must not move between two clicks. */
    expire(): void {
      isExpired.current = true
    },
    settle,
  }
}

/** Focuses the summary of several wrong fields, or else the first on the screen. */
function usePointer(form: FormRef) {
  const summary = useRef<HTMLDivElement>(null)
  const [names, pointOut] = useState<readonly string[]>([])
  useEffect(() => {
    const target = summary.current ?? inputOf(form.current, ...names)
    target?.focus()
  }, [names, form])
  return { summary, pointOut }
}

function check<Values>(
  schema: Schema<Values>,
  form: HTMLFormElement | null,
): { values: Values } | { errors: Errors } {
  const checked = schema['~standard'].validate(read(form))
  if (checked instanceof Promise) throw new TypeError('The schema of a form must not be asynchronous.')
  if (!checked.issues) return { values: checked.value }
  const errors: Record<string, string> = {}
  for (const { path = [], message } of checked.issues)
    errors[path.map((part) => (typeof part === 'object' ? part.key : part)).join('.')] ??= message
  // The service would name them only after these.
  for (const control of form ?? [])
    if (isControl(control) && control.required && control.value === '')
      errors[control.name] ??= ruleTexts.required
  return { errors }
}

function read(form: HTMLFormElement | null): Texts {
  return Object.fromEntries(dataOf(form)) as Texts
}

function dataOf(form: HTMLFormElement | null): FormData {
  return new FormData(form ?? undefined)
}

function namesOf(errors: Errors): string[] {
  return Object.keys(errors).filter((name) => errors[name])
}

/** The first on the screen with one of these names. */
function inputOf(form: HTMLFormElement | null, ...names: readonly string[]): Control | undefined {
  return [...(form ?? [])].filter(isControl).find(({ name }) => names.includes(name))
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

function isControl(element: unknown): element is Control {
  return element instanceof Element && 'value' in element
}
