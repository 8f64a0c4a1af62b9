import type { SettingsFlow } from '@ory/client-fetch'
import { hasPasskeys, offersPasskeys } from '@ostiary/react/internal'
import { useState } from 'react'
import { type CredentialDetails, useCredentialDetails } from '../../forms/settings/credential-details.ts'
import { passkeyNodes, useAddPasskey } from '../../forms/settings/use-add-passkey.ts'
import type { SettingsFlowForm } from '../../forms/settings/use-settings.ts'
import { ActionButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { useFocusOn } from '../../ui/disclosure.ts'
import { FormError } from '../../ui/form/form-error.tsx'
import { lazyPart, usePreload } from '../../ui/lazy-part.tsx'
import { Rows } from '../../ui/list.tsx'
import { Notice } from '../../ui/page.tsx'
import { securityTexts } from './texts.ts'

const PasskeyRow = lazyPart(async () => (await import('./passkey-row.tsx')).PasskeyRow, 'h-30 sm:h-19')
const texts = securityTexts.passkeys

interface PasskeysCardProps {
  settings: SettingsFlowForm
  flow: SettingsFlow
}

/** Passkeys come before passwords, because they are quicker and resist phishing. */
export function PasskeysCard({ settings, flow }: PasskeysCardProps) {
  usePreload(PasskeyRow)
  const { known, refresh } = useCredentialDetails()
  const passkeys = passkeysOf(flow, known)
  const isOffered = hasPasskeys() && offersPasskeys(flow)
  const [status, setStatus] = useState<string>()
  const { ref, focus } = useFocusOn<HTMLHeadingElement>()
  const adding = useAddPasskey(settings)

  function say(words: string) {
    setStatus(words)
    refresh()
    focus()
  }

  async function add() {
    setStatus(undefined)
    if (await adding.add()) say(texts.added)
  }

  return (
    <Card
      title={texts.title}
      fact={isOffered ? texts.why : texts.unsupported}
      headingRef={ref}
      status={status}
      action={
        isOffered && (
          <ActionButton
            look={passkeys.length === 0 ? 'main' : 'neutral'}
            small
            words={texts.add}
            isBusy={adding.isBusy}
            onClick={() => void add()}
          />
        )
      }
    >
      <FormError>{adding.error}</FormError>
      <Notice>{adding.notice}</Notice>
      {passkeys.length > 0 && (
        <Rows inCard>
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <PasskeyRow passkey={passkey} settings={settings} onDone={say} />
            </li>
          ))}
        </Rows>
      )}
    </Card>
  )
}

export type Passkey = ReturnType<typeof passkeysOf>[number]

function passkeysOf(flow: SettingsFlow, known: CredentialDetails | undefined) {
  const counts = new Map<string, number>()
  return passkeyNodes(flow).map(({ id, display_name, added_at, isLast }) => {
    const more = known?.passkeys.find((passkey) => passkey.id === id)
    const givenName = more?.name ?? (display_name === UNNAMED ? undefined : display_name)
    const usualName = more?.kept_by ?? (more?.added_in ? texts.madeIn(more.added_in) : texts.unnamed)
    const count = (counts.get(usualName) ?? 0) + 1
    counts.set(usualName, count)
    return {
      id,
      name: givenName ?? (count === 1 ? usualName : texts.again(usualName, count)),
      createdAt: more?.created_at ?? added_at,
      lastUsedAt: more?.last_used_at,
      keptBy: more?.kept_by,
      isLast,
    }
  })
}

/** The protocol's name for every passkey. */
const UNNAMED = 'unnamed'
