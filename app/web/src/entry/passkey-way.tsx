import { Button } from '../ui/button.tsx'
import { PasskeyIcon } from '../ui/icons.tsx'
import { LastUsed } from './last-used.tsx'

interface PasskeyWayProps {
  label: string
  /** What the button says while the browser's dialog is open. */
  busy: string | undefined
  /** Why the last attempt ended without a passkey, if that is not an error. */
  notice: string | undefined
  isLast?: boolean
  onPress(): void
}

/** The passkey button of a form that has other methods too. */
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
