import type { SettingsFlow } from '@ory/client-fetch'
import { type ReactNode, useState } from 'react'
import { newPasskeyQuestion } from '../../flow/passkey-question.ts'
import type { KnownCredentials } from '../../forms/settings/known-credentials.ts'
import { ceremony, useAddPasskey } from '../../forms/settings/use-add-passkey.ts'
import type { SettingsUse } from '../../forms/settings/use-settings.ts'
import { Button } from '../../ui/button.tsx'
import { useFocusOn } from '../../ui/card.tsx'
import { FormError } from '../../ui/form/form-error.tsx'
import { PasskeyIcon } from '../../ui/icons.tsx'
import { lazyPart, usePreload } from '../../ui/lazy-part.tsx'
import { Notice } from '../../ui/page.tsx'
import { securityTexts } from './texts.ts'

const PasskeyCard = lazyPart(async () => (await import('./passkey-card.tsx')).PasskeyCard)
const texts = securityTexts.passkeys

interface PasskeysSectionProps {
  settings: SettingsUse
  flow: SettingsFlow
  known: KnownCredentials | undefined
  onChanged(): void
}

/** Passkeys come before passwords, because they are quicker and resist phishing. */
export function PasskeysSection({ settings, flow, known, onChanged }: PasskeysSectionProps) {
  usePreload(PasskeyCard, ceremony)
  const passkeys = passkeysOf(flow, known)
  const question = newPasskeyQuestion(flow)
  const [status, setStatus] = useState<string>()
  const { ref, focus } = useFocusOn<HTMLHeadingElement>()
  const adding = useAddPasskey(settings, { own: passkeys.map(({ id }) => id) })

  function say(words: string) {
    setStatus(words)
    onChanged()
    focus()
  }

  async function add() {
    setStatus(undefined)
    if (question && (await adding.add(question))) say(texts.added)
  }

  const button = question && (
    <Button
      look={passkeys.length === 0 ? 'main' : 'neutral'}
      small
      busy={adding.isBusy ? texts.add[1] : undefined}
      onClick={() => void add()}
    >
      {texts.add[0]}
    </Button>
  )
  return (
    <section aria-labelledby="passkeys" className="grid gap-3">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="passkeys" ref={ref} tabIndex={-1} className="text-16 focus:outline-none">
          {texts.title}
        </h2>
        {passkeys.length > 0 && button}
      </div>
      {passkeys.length === 0 && <Hero>{button}</Hero>}
      {passkeys.length > 0 && (
        <ul className="grid gap-3">
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <PasskeyCard passkey={passkey} settings={settings} question={question} onDone={say} />
            </li>
          ))}
        </ul>
      )}
      <FormError>{adding.error}</FormError>
      <Notice>{adding.notice}</Notice>
      <Notice tone="done">{status}</Notice>
    </section>
  )
}

function Hero({ children }: { children: ReactNode }) {
  return (
    <div className="flex items-start gap-4 rounded-card border border-line bg-surface p-4 sm:p-6">
      <span className="rounded-field bg-tint p-3 text-accent">
        <PasskeyIcon />
      </span>
      <div className="flex min-w-0 grow flex-wrap items-center gap-x-6 gap-y-4">
        <div className="grid min-w-0 grow basis-72 gap-1">
          <p className="font-medium">{texts.heading}</p>
          <p className="text-14 text-muted">{children ? texts.why : texts.unsupported}</p>
        </div>
        {children}
      </div>
    </div>
  )
}

export interface Passkey {
  /** Hexadecimal, as in the form. */
  readonly id: string
  readonly name: string
  readonly createdAt: string | undefined
  readonly lastUsedAt: string | undefined
  readonly keptBy: string | undefined
  /** The only credential: it cannot be removed. */
  readonly isLast: boolean
}

/** The removable passkeys of a flow, with the details that the product knows. */
function passkeysOf({ ui }: SettingsFlow, known: KnownCredentials | undefined): Passkey[] {
  return ui.nodes.flatMap(({ attributes, meta }) => {
    if (attributes.node_type !== 'input' || attributes.name !== 'passkey_remove') return []
    const id = String(attributes.value)
    const more = known?.passkeys.find((passkey) => passkey.id === id)
    const { display_name, added_at } = (meta.label?.context ?? {}) as {
      display_name?: string
      added_at?: string
    }
    const given = more?.name ?? (display_name === UNNAMED ? undefined : display_name)
    return {
      id,
      name: given ?? more?.kept_by ?? securityTexts.passkeys.unnamed,
      createdAt: more?.created_at ?? added_at,
      lastUsedAt: more?.last_used_at,
      keptBy: more?.kept_by,
      isLast: attributes.disabled === true,
    }
  })
}

/** The protocol's name for every passkey. */
const UNNAMED = 'unnamed'
