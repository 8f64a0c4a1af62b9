import { useState } from 'react'
import { useNavigate } from 'react-router'
import { verificationFlow } from '../../flow/kinds.ts'
import { useOnward } from '../../flow/onward.ts'
import * as paths from '../../paths.ts'
import { entryTexts, newCodeTexts as texts } from '../../texts/entry.ts'
import { Button } from '../../ui/button.tsx'

/**
 * For a user who has registered but not verified yet. Shown after every refused sign-in: the answer does not reveal
 * which accounts exist, so neither does the page.
 */
export function NewCode({ email }: { email: string }) {
  const navigate = useNavigate()
  const onward = useOnward()
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle')

  async function open() {
    setState('busy')
    try {
      const { id } = await verificationFlow.create()
      await navigate(paths.verification(id), { state: { ...onward, email } })
    } catch {
      setState('failed')
    }
  }

  return (
    <p className="text-14 text-muted">
      {texts.question}
      <Button
        look="quiet"
        small
        busy={state === 'busy' ? entryTexts.wait : undefined}
        onClick={() => void open()}
      >
        {texts.open}
      </Button>
      <span role="alert">{state === 'failed' && ` ${texts.failed}`}</span>
    </p>
  )
}
