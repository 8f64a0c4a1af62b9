import { Button } from '../ui/button.tsx'
import { PasskeyIcon } from '../ui/icons.tsx'
import { LastUsed } from './last-used.tsx'

interface PasskeyWayProps {
  label: string
  /** What the button says while the browser's dialog is open. */
  busy: string | undefined
  /** Why nothing came of the last try, where that is no error. */
  notice: string | undefined
  isLast?: boolean
  onPress(): void
}

/** The button of a passkey, on a form that has other ways too. */
export function PasskeyWay({ label, busy, notice, isLast = false, onPress }: PasskeyWayProps) {
  return (
    <div className="grid gap-2">
      <div className="relative">
        <Button
          look="neutral"
          full
          busy={busy}
          onClick={onPress}
          aria-describedby={isLast ? 'last-used' : undefined}
        >
          <PasskeyIcon />
          {label}
        </Button>
        {isLast && <LastUsed />}
      </div>
      <p role="status" className={notice ? 'text-14 text-muted' : 'sr-only'}>
        {notice}
      </p>
    </div>
  )
}
