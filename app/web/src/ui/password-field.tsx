import { useState } from 'react'
import { fieldTexts as texts } from '../texts/fields.ts'
import { Field, type FieldProps } from './field.tsx'

interface PasswordFieldProps extends FieldProps {
  shown: boolean
  onToggle(): void
}

/** A password input with a word inside it that shows or hides what is typed. */
export function PasswordField({ shown, onToggle, ...field }: PasswordFieldProps) {
  return (
    <Field
      {...field}
      // An error replaces the advice.
      hint={field.error ? undefined : field.hint}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      end={
        <>
          <button
            type="button"
            onClick={onToggle}
            className="relative m-1 min-w-16 shrink-0 rounded-small px-3 text-14 font-medium text-accent after:absolute after:-inset-1 hover:bg-tint"
          >
            {shown ? texts.hide : texts.show} <span className="sr-only">{texts.revealed}</span>
          </button>
          <span role="status" className="sr-only">
            {shown ? texts.isShown : ''}
          </span>
        </>
      }
    />
  )
}

/** Hidden by default, and hidden again when the form is sent. */
export function useReveal() {
  const [shown, setShown] = useState(false)
  return { shown, onToggle: () => setShown(!shown), hide: () => setShown(false) }
}
