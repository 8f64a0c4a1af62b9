import { findInput, formErrorTexts } from '@ostiary/react/flows'
import { type ReactNode, useState } from 'react'
import { AddressSentence } from '../../ui/address.tsx'
import { Notice, PageIntro } from '../../ui/page.tsx'
import { AskAddress, Waiting } from './ask-address.tsx'
import { EnterCode } from './enter-code.tsx'
import { addressOf, type CodeFlow, type MailedCode, useLatest } from './use-mailed-code.ts'

interface CodeStepsProps<F extends CodeFlow> {
  /** `ask` is the sentence below the title, and the next three the one once a code is sent. */
  texts: Readonly<Record<'title' | 'ask' | 'before' | 'unknown' | 'after', string>> & {
    /** Instead, if an operator handed over the code. */
    readonly handed?: string
  }
  /** While the flow loads. */
  loading: { readonly lead?: string; readonly height: string }
  work: MailedCode<F>
  notice: string | undefined
  button: readonly [string, string]
  /** Proposed until the user types another address. */
  email: string | undefined
  /** Leads from the code to another address. */
  changeLink: ReactNode
  /** Below the form for the address. */
  children?(email: string | undefined): ReactNode
}

/** From the address to the code that was sent there. */
export function CodeSteps<F extends CodeFlow>({ texts, loading, ...steps }: CodeStepsProps<F>) {
  const { flow, isUnreachable, open } = steps.work.used
  const { title } = texts
  const lead = !flow ? (
    loading.lead
  ) : flow.state === 'choose_method' ? (
    texts.ask
  ) : texts.handed && !findInput(flow, 'csrf_token') ? (
    texts.handed
  ) : (
    <AddressSentence {...texts}>{addressOf(flow) ?? texts.unknown}</AddressSentence>
  )
  return (
    // The focused heading stays while the flow loads.
    <div className={`grid content-start gap-5 ${flow ? '' : loading.height}`}>
      <PageIntro title={title} lead={lead} />
      {flow ? (
        <Steps {...steps} title={title} flow={flow} />
      ) : (
        <Waiting title={title} isUnreachable={isUnreachable} onRetry={() => void open()} />
      )}
    </div>
  )
}

type StepsProps<F extends CodeFlow> = Omit<CodeStepsProps<F>, 'texts' | 'loading'> & {
  title: string
  flow: F
}

function Steps<F extends CodeFlow>({ title, flow, work, notice, ...step }: StepsProps<F>) {
  const [email, setEmail] = useState(step.email)
  const isSent = flow.state !== 'choose_method'
  const hasSent = useLatest(isSent || undefined)
  const sendCode = (typed: string) => {
    setEmail(typed)
    return work.sendCode(typed)
  }
  return (
    <>
      <Notice>{notice}</Notice>
      {isSent ? (
        <EnterCode key={flow.id} title={title} flow={flow} work={work} button={step.button}>
          {step.changeLink}
        </EnterCode>
      ) : (
        <>
          <AskAddress
            key={flow.id}
            title={title}
            email={email}
            error={work.used.isRenewed ? undefined : formErrorTexts(flow)}
            takesFocus={hasSent === true}
            sendCode={sendCode}
          />
          {step.children?.(email)}
        </>
      )}
    </>
  )
}
