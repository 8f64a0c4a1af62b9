import { Button } from '../../ui/button.tsx'
import { GithubMark, GoogleMark } from '../../ui/provider-marks.tsx'
import type { Provider } from './providers.ts'

interface ProviderButtonsProps {
  busy: Provider | undefined
  onStart(provider: Provider): void
}

export function ProviderButtons({ busy, onStart }: ProviderButtonsProps) {
  return (
    <div className="grid gap-3">
      <div className="flex items-center gap-3 text-14 text-muted before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
        Or continue with
      </div>
      <Button look="neutral" full busy={busyText(busy, 'github')} onClick={() => onStart('github')}>
        <GithubMark />
        Sign in with GitHub
      </Button>
      <Button look="neutral" full busy={busyText(busy, 'google')} onClick={() => onStart('google')}>
        <GoogleMark />
        Sign in with Google
      </Button>
    </div>
  )
}

function busyText(busy: Provider | undefined, own: Provider): string | undefined {
  return busy === own ? 'One moment…' : undefined
}
