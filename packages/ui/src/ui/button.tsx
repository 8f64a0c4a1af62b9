import { type ButtonHTMLAttributes, type ReactNode, type Ref, useRef } from 'react'
import { Link, type LinkProps } from 'react-router'
import { useHydrated } from './browser.ts'
import { Spinner } from './icons.tsx'
import { slot } from './slot.tsx'

type Look = 'main' | 'neutral' | 'quiet' | 'danger'

const base =
  'relative inline-flex items-center justify-center gap-2 rounded-field text-center font-medium transition-colors select-none'
const sizes = {
  usual: 'min-h-11 px-4 py-2 text-16',
  // A finger needs more room than a mouse.
  small: 'min-h-9 px-3 py-1.5 text-14 pointer-coarse:min-h-11',
}

const looks: Record<Look, string> = {
  main: 'bg-accent text-on-accent hover:bg-accent-strong forced-highlight',
  neutral: 'border border-edge bg-surface hover:bg-raised',
  danger: 'bg-danger text-on-danger hover:bg-danger-strong forced-highlight',
  quiet: 'text-accent hover:bg-tint aria-disabled:text-muted aria-disabled:hover:bg-transparent',
}

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  look?: Look
  full?: boolean
  small?: boolean
  /** The label if it is busy. A busy button stays focusable but ignores clicks. */
  busy?: string | undefined
  ref?: Ref<HTMLButtonElement>
  children: ReactNode
}

/**
 * A button. A press before the page is hydrated is repeated by `theme.js`.
 *
 * @example <Button type="submit" busy={form.isSubmitting ? 'Saving…' : undefined}>Save</Button>
 */
export const Button = slot('Button', UsualButton)

function UsualButton({ look = 'main', full = false, small = false, busy, children, ...rest }: ButtonProps) {
  const hydrated = useHydrated()
  const isBusy = busy !== undefined
  const wasJustPressed = useRef(false)
  return (
    <button
      type="button"
      // Without scripts, a click would submit the form natively.
      disabled={!hydrated}
      data-waiting={!hydrated || undefined}
      {...rest}
      aria-disabled={isBusy || rest['aria-disabled']}
      onClick={(event) => {
        if (isBusy || wasJustPressed.current) return event.preventDefault()
        // A busy button renders after the next event, which may be another press.
        wasJustPressed.current = true
        setTimeout(() => {
          wasJustPressed.current = false
        })
        // The second click of a double click may hit a button that has just moved there.
        if (rest.type === 'submit' || event.detail < 2) rest.onClick?.(event)
      }}
      className={`${shapeOf(look, small, full)} ${isBusy ? 'cursor-progress opacity-85' : ''}`}
    >
      {isBusy && <Spinner />}
      <span className="contents">{busy ?? children}</span>
    </button>
  )
}

interface ActionButtonProps extends Omit<ButtonProps, 'busy' | 'children'> {
  /** The idle and the busy label. */
  words: readonly [string, string]
  isBusy: boolean
  icon?: ReactNode
}

export function ActionButton({ words, isBusy, icon, ...button }: ActionButtonProps) {
  return (
    <Button {...button} busy={isBusy ? words[1] : undefined}>
      {icon}
      <span>{words[0]}</span>
    </Button>
  )
}

type ButtonLinkProps = Omit<LinkProps, 'className'> & Pick<ButtonProps, 'look' | 'full' | 'small'>

/**
 * A link that looks like a button.
 *
 * @example <ButtonLink to="/reports" look="neutral">All reports</ButtonLink>
 */
export function ButtonLink({ look = 'main', full = false, small = false, ...rest }: ButtonLinkProps) {
  return <Link {...rest} className={shapeOf(look, small, full)} />
}

function shapeOf(look: Look, small: boolean, full: boolean): string {
  return `${base} ${sizes[small ? 'small' : 'usual']} ${looks[look]} ${full ? 'w-full' : ''}`
}
