import { findInput } from '@ostiary/react/internal'
import { type ReactNode, useState } from 'react'
import { outageOf, retryOf } from '../../flow/failures.ts'
import { useFlowInUrl } from '../../flow/flow-in-url.ts'
import { AddressSentence } from '../../ui/address.tsx'
import { useHydrated, useLatest } from '../../ui/browser.ts'
import { FormError } from '../../ui/form/form-error.tsx'
import { Notice, PageIntro, usePageTitle } from '../../ui/page.tsx'
import { AskAddress } from './ask-address.tsx'
import { EnterCode } from './enter-code.tsx'
import { addressOf, type CodeFlow, type MailedCode } from './use-mailed-code.ts'

/** `ask` is the lead before a code is sent; `before`, `unknown` and `after` are its parts afterwards. */
type StepTexts = Readonly<Record<'title' | 'ask' | 'before' | 'unknown' | 'after', string>> & {
  /** Replaces that lead if an operator gave the user the code. */
  readonly handed?: string
}

interface CodeStepsProps<F extends CodeFlow> {
  texts: StepTexts
  mailedCode: MailedCode<F>
  notice: string | undefined
  button: readonly [string, string]
  /** Proposed until the user types another address. */
  email: string | undefined
  /** Leads from the code to another address. */
  changeLink: ReactNode
  /** Below the form for the address. */
  children?(email: string | undefined): ReactNode
}

/** From the address to the code that was sent there. The address can be typed before the flow arrives. */
export function CodeSteps<F extends CodeFlow>({ texts, ...steps }: CodeStepsProps<F>) {
  const { form } = steps.mailedCode
  const isNamed = useFlowInUrl().id !== undefined
  const hydrated = useHydrated()
  const isWaiting = hydrated && isNamed && !form.flow
  usePageTitle(texts.title)
  return (
    // The focused heading stays while the flow loads, and the footer below.
    <div
      className={`grid content-start gap-5 ${hydrated ? '' : 'unless-flow'} ${isWaiting ? 'min-h-[24rem]' : ''}`}
    >
      <PageIntro title={texts.title} lead={isWaiting ? undefined : leadOf(form.flow, texts)} />
      {isWaiting ? (
        <FormError retry={retryOf({ failure: undefined }, form)}>{outageOf(form)}</FormError>
      ) : (
        <Steps {...steps} mayBeHandedOver={texts.handed !== undefined} />
      )}
    </div>
  )
}

function leadOf(flow: CodeFlow | undefined, texts: StepTexts): ReactNode {
  if (!isSent(flow)) return texts.ask
  if (texts.handed && isHandedOver(flow)) return texts.handed
  return <AddressSentence {...texts}>{addressOf(flow) ?? texts.unknown}</AddressSentence>
}

/** It may be entered in any browser. */
function isHandedOver(flow: CodeFlow): boolean {
  return !findInput(flow, 'csrf_token')
}

type StepsProps<F extends CodeFlow> = Omit<CodeStepsProps<F>, 'texts'> & {
  mayBeHandedOver: boolean
}

function Steps<F extends CodeFlow>({ mailedCode, notice, mayBeHandedOver, ...step }: StepsProps<F>) {
  const [typed, setTyped] = useState<string>()
  const email = typed ?? step.email
  const { flow } = mailedCode.form
  const hasSent = useLatest(isSent(flow) || undefined)
  const sendCode = (typed: string) => {
    setTyped(typed)
    return mailedCode.sendCode(typed)
  }
  return (
    <>
      <Notice>{notice}</Notice>
      {isSent(flow) ? (
        <EnterCode
          key={flow.id}
          flow={flow}
          mailedCode={mailedCode}
          button={step.button}
          isHandedOver={mayBeHandedOver && isHandedOver(flow)}
        >
          {step.changeLink}
        </EnterCode>
      ) : (
        <>
          <AskAddress
            email={email}
            flowForm={mailedCode.form}
            takesFocus={hasSent === true}
            sendCode={sendCode}
          />
          {step.children?.(email)}
        </>
      )}
    </>
  )
}

function isSent<F extends CodeFlow>(flow: F | undefined): flow is F {
  return flow !== undefined && flow.state !== 'choose_method'
}
