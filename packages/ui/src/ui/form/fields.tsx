import { type InputHTMLAttributes, type ReactNode, type Ref, useId, useState } from 'react'
import { fieldTexts as texts } from '../../texts/fields.ts'
import { useHydrated } from '../browser.ts'
import { AlertIcon } from '../icons.tsx'
import { useErrorInTitle } from '../page.tsx'
import { slot } from '../slot.tsx'

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'className'> {
  label: string
  /** Password managers recognize fields by name and id. */
  id?: string
  /** Empty once it is corrected. */
  error?: string
  /** The id of an element that says why the value is wrong. */
  errorMessageId?: string
  hint?: ReactNode
  /** An error that the hint says already, and that therefore takes its place. */
  ruleInHint?: string
  end?: ReactNode
  /** Beside the label. In the tab order it follows the field. */
  beside?: ReactNode
  /** Like `beside`, but before the field. */
  besideFirst?: ReactNode
  mono?: boolean
  /** More than one line. */
  rows?: number
  ref?: Ref<HTMLInputElement>
}

/**
 * A label, input, hint and error, linked for assistive technology.
 *
 * @example <Field {...form.field('title')} label="Title" />
 */
export const Field = slot('Field', UsualField)

function UsualField(props: FieldProps) {
  const {
    label,
    end,
    beside,
    besideFirst,
    mono = false,
    error,
    errorMessageId,
    hint,
    ruleInHint,
    ...input
  } = props
  const ownId = useId()
  const id = input.id ?? input.name ?? ownId
  // Both take the same props here.
  const Input = (input.rows ? 'textarea' : 'input') as 'input'
  const wrong = error || errorMessageId
  const described = [error && `${id}-error`, hint && !isInHint(props) && `${id}-hint`, errorMessageId]
  return (
    <div className="@container grid justify-self-stretch grid-cols-[1fr_auto] content-start items-baseline gap-x-4 gap-y-1.5">
      <label
        htmlFor={id}
        className={`row-start-1 text-14 font-medium ${beside || besideFirst ? '@max-[17rem]:col-span-2' : 'col-span-2'}`}
      >
        {label}
      </label>
      <Beside>{besideFirst}</Beside>
      <div className={`col-span-2 ${fieldBox(wrong)}`}>
        <Input
          {...input}
          id={id}
          aria-invalid={wrong ? true : undefined}
          aria-describedby={described.filter(Boolean).join(' ') || undefined}
          className={`${inputBase} ${mono ? 'text-center font-mono indent-[0.35em] text-22 tracking-[0.35em] tabular-nums' : 'text-16'}`}
        />
        {end}
      </div>
      <Beside>{beside}</Beside>
      <Below {...props} id={id} />
    </div>
  )
}

function isInHint({ error, hint, ruleInHint }: FieldProps): boolean {
  return Boolean(hint && error) && error === ruleInHint
}

function Below(props: FieldProps & { id: string }) {
  const { id, error, hint, ruleInHint } = props
  return (
    <div className={isInHint(props) ? 'col-span-full grid *:[grid-area:1/1]' : 'contents'}>
      <FieldError id={`${id}-error`} ruleInHint={hint ? ruleInHint : undefined}>
        {error}
      </FieldError>
      {hint && (
        <div
          id={`${id}-hint`}
          className={`col-span-full text-14 text-muted ${isInHint(props) ? 'invisible' : ''}`}
        >
          {hint}
        </div>
      )}
    </div>
  )
}

/** On a separate line with large text on a phone. */
function Beside({ children }: { children: ReactNode }) {
  if (!children) return null
  return (
    <div className="@max-[17rem]:col-span-2 @min-[17rem]:col-start-2 @min-[17rem]:row-start-1">
      {children}
    </div>
  )
}

interface FieldErrorProps {
  id: string
  children: string | undefined
  ruleInHint?: string | undefined
}

export function FieldError({ id, children, ruleInHint }: FieldErrorProps) {
  useErrorInTitle(Boolean(children))
  const [last, setLast] = useState(children)
  if (children && children !== last) setLast(children)
  const isCorrected = children === '' && Boolean(last) && last !== ruleInHint
  return (
    <p
      id={id}
      aria-live="polite"
      className={children ? errorText : isCorrected ? `${errorText} invisible order-last` : 'sr-only'}
    >
      {(children || isCorrected) && <AlertIcon />}
      {/* A corrected one keeps its space, after the hint. Not as text, which would still be read. */}
      <span data-space={isCorrected ? last : undefined} className={errorWords}>
        {children}
      </span>
    </p>
  )
}

export function fieldBox(error: string | undefined): string {
  return `${box} ${error ? 'border-danger' : 'border-edge hover:border-ink'}`
}

const box =
  'flex min-h-11 items-stretch overflow-hidden rounded-field border bg-surface transition-colors focus-within:border-accent focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-accent'
// WebKit mixes the placeholder of a date from text and background; on a transparent one it looks filled in.
const inputBase = 'min-h-10.5 w-full min-w-0 bg-surface px-3 py-2 outline-none'
const errorWords = 'whitespace-pre-line data-space:before:content-[attr(data-space)]'
const errorText = 'col-span-full flex items-start gap-1.5 text-14 text-danger in-data-busy:invisible'

/** Phones must not capitalize or correct it. */
export function EmailField(props: Omit<FieldProps, 'label' | 'type'> & { label?: string }) {
  return (
    <Field
      autoComplete="email"
      label={texts.email}
      {...props}
      type="email"
      autoCapitalize="none"
      spellCheck={false}
    />
  )
}

/** For a code of digits. */
export function CodeField(props: Omit<FieldProps, 'label' | 'type'>) {
  return (
    <Field
      {...props}
      label={texts.code}
      type="text"
      inputMode="numeric"
      pattern="[0-9]*"
      autoComplete="one-time-code"
      autoCorrect="off"
      spellCheck={false}
      mono
    />
  )
}

interface PasswordFieldProps extends FieldProps {
  shown: boolean
  onToggle(): void
}

/**
 * A field whose value can be shown.
 *
 * @example <PasswordField {...form.password('title')} label="Passphrase" />
 */
export function PasswordField({ shown, onToggle, ...field }: PasswordFieldProps) {
  const hydrated = useHydrated()
  return (
    <Field
      {...field}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      end={
        <>
          <button
            type="button"
            onClick={onToggle}
            className={`${hydrated ? '' : 'invisible'} relative m-1 min-w-16 shrink-0 rounded-small px-3 text-14 font-medium text-accent after:absolute after:-inset-1 hover:bg-tint`}
          >
            <span>{shown ? texts.hide : texts.show}</span> <span className="sr-only">{texts.revealed}</span>
          </button>
          <span role="status" className="sr-only">
            {shown ? texts.isShown : ''}
          </span>
        </>
      }
    />
  )
}
