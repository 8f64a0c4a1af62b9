import { layoutTexts } from '../texts/layout.ts'
import { AlertIcon } from './icons.tsx'
import { type FormMessage, WithClock } from './wait.tsx'

/** How to try again: by sending the form once more, by a call, or not at all. */
export type Retry = 'submit' | (() => void) | undefined

interface FormErrorProps {
  id?: string
  children?: FormMessage | undefined
  retry?: Retry
}

/**
 * The form's error: always in the page, so that screen readers announce its text; empty it takes no space. Invisible
 * while the form is busy, so that the same error is announced again.
 */
export function FormError({ id, children, retry }: FormErrorProps) {
  return (
    <div id={id} role="alert" className={children ? shown : 'sr-only'}>
      {children && (
        <>
          <AlertIcon />
          <div className="grid justify-items-start">
            <p className="whitespace-pre-line">
              <WithClock message={children} />
            </p>
            {retry && <TryAgain retry={retry} />}
          </div>
        </>
      )}
    </div>
  )
}

function TryAgain({ retry }: { retry: NonNullable<Retry> }) {
  const action =
    retry === 'submit' ? { type: 'submit' as const } : { type: 'button' as const, onClick: retry }
  return (
    <button {...action} className="visible link min-h-11">
      {layoutTexts.again}
    </button>
  )
}

const shown =
  'flex items-start gap-2 rounded-field bg-danger-tint px-3 py-2.5 text-14 text-danger in-data-busy:invisible forced-colors:border'
