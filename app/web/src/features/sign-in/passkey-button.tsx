import { useCallback, useEffect, useRef, useState } from 'react'
import * as messageIds from '../../flow/message-ids.ts'
import { findMessage } from '../../flow/messages.ts'
import { hasPasskeys, offersPasskeys, passkeyQuestion } from '../../flow/passkey-question.ts'
import { forgetPasskey, isCancelled, provePasskey, suggestPasskey } from '../../flow/passkeys.ts'
import { PasskeyWay } from '../../forms/credentials/method-buttons.tsx'
import type { Entry } from '../../forms/credentials/use-entry.ts'
import { useHydrated } from '../../ui/browser.ts'
import { passkeyButtonTexts as texts } from './texts.ts'
import type { LoginUse } from './use-sign-in.ts'

interface PasskeyButtonProps {
  login: LoginUse
  prove: Entry['prove']
  label?: string
}

/** Login with a passkey, by the button or a suggestion in the email field. */
export function PasskeyButton({ login, prove, label = texts.signIn }: PasskeyButtonProps) {
  const hydrated = useHydrated()
  const { flow } = login
  const question = passkeyQuestion(flow)
  const { isBusy, notice, ask } = usePasskey(question, prove)
  // Keeps its place until the flow is known.
  if (hydrated && flow && !offersPasskeys(flow)) return null
  if (hydrated && !hasPasskeys()) return <p className="order-last text-14 text-muted">{texts.unsupported}</p>
  return (
    <PasskeyWay
      label={label}
      busy={isBusy ? texts.waiting : undefined}
      notice={notice}
      method="passkey"
      onPress={() => void ask()}
    />
  )
}

function usePasskey(question: string | undefined, prove: Entry['prove']) {
  const [isBusy, setBusy] = useState(false)
  const [notice, setNotice] = useState<string>()
  // The button aborts the suggestion of the browser. A new round offers it again.
  const [round, setRound] = useState(0)
  const current = useRef(prove)
  useEffect(() => {
    current.current = prove
  })

  const isSending = useRef(false)
  const send = useCallback(async (asked: string, answer: string) => {
    // Both the suggestion and the button may respond, but a challenge is single-use.
    if (isSending.current) return
    isSending.current = true
    try {
      const reply = await current.current({ passkey_login: answer })
      const isUnknown = reply?.kind === 'form' && findMessage(reply.flow, messageIds.unknownPasskey)
      // No account has this passkey. The browser should not offer it again.
      if (isUnknown) await forgetPasskey(asked, (JSON.parse(answer) as { id: string }).id)
    } finally {
      isSending.current = false
    }
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: each round offers it anew
  useEffect(() => {
    if (question === undefined) return
    const page = new AbortController()
    void suggestPasskey(question, page.signal).then((answer) => (answer ? send(question, answer) : undefined))
    return () => page.abort()
  }, [question, round, send])

  // Pressed before the flow has arrived.
  const [isWaiting, setWaiting] = useState(false)
  useEffect(() => {
    if (!isWaiting || question === undefined) return
    setWaiting(false)
    void ask()
  })

  async function ask() {
    if (question === undefined) return setWaiting(true)
    setBusy(true)
    setNotice(undefined)
    try {
      await send(question, await provePasskey(question))
    } catch (error) {
      if (!isCancelled(error)) console.error(error)
      setNotice(isCancelled(error) ? texts.cancelled : texts.failed)
      setRound(round + 1)
    } finally {
      setBusy(false)
    }
  }

  return { isBusy: isBusy || isWaiting, notice, ask }
}
