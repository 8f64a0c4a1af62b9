import {
  findMessage,
  forgetPasskey,
  hasPasskeys,
  offersPasskeys,
  passkeyQuestion,
  provePasskey,
  suggestPasskey,
} from '@ostiary/react/internal'
import * as messageIds from '@ostiary/react/message-ids'
import { useCallback, useEffect, useRef, useState } from 'react'
import { PasskeyMethod } from '../../forms/credentials/method-buttons.tsx'
import type { CredentialsSubmit } from '../../forms/credentials/use-credentials-submit.ts'
import { useHydrated } from '../../ui/browser.ts'
import { passkeyButtonTexts as texts } from './texts.ts'
import type { LoginUse } from './use-sign-in.ts'

interface PasskeyButtonProps {
  login: LoginUse
  entry: Pick<CredentialsSubmit, 'prove' | 'isSending'>
  words?: readonly [string, string]
}

/** Login with a passkey, by the button or a suggestion in the email field. */
export function PasskeyButton({ login, entry, words = texts.signIn }: PasskeyButtonProps) {
  const hydrated = useHydrated()
  const { flow } = login
  const question = passkeyQuestion(flow)
  const ask = usePasskey(question, entry.prove)
  // Keeps its place until the flow is known.
  if (hydrated && flow && !offersPasskeys(flow)) return null
  if (hydrated && !hasPasskeys()) return <p className="order-last text-14 text-muted">{texts.unsupported}</p>
  const isReady = () => !entry.isSending
  return (
    <PasskeyMethod
      question={question}
      words={words}
      why={texts}
      method="passkey"
      isReady={isReady}
      run={ask}
    />
  )
}

/** Also offers a suggestion in the email field. */
function usePasskey(question: string | undefined, prove: CredentialsSubmit['prove']) {
  // The button aborts the suggestion of the browser. A new round offers it again.
  const [round, setRound] = useState(0)
  const current = useRef(prove)
  useEffect(() => {
    current.current = prove
  })

  const isSending = useRef(false)
  const send = useCallback(async (askedQuestion: string, answer: string) => {
    // Both the suggestion and the button may respond, but a challenge is single-use.
    if (isSending.current) return
    isSending.current = true
    try {
      const reply = await current.current({ passkey_login: answer })
      const isUnknown = reply?.kind === 'form' && findMessage(reply.flow, messageIds.unknownPasskey)
      // No account has this passkey. The browser should not offer it again.
      if (isUnknown) await forgetPasskey(askedQuestion, (JSON.parse(answer) as { id: string }).id)
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

  return async (askedQuestion: string) => {
    try {
      await send(askedQuestion, await provePasskey(askedQuestion))
    } catch (error) {
      setRound(round + 1)
      throw error
    }
  }
}
