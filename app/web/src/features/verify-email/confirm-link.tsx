import type { VerificationFlow } from '@ory/client-fetch'
import { formTexts } from '../../flow/messages.ts'
import { getCsrfToken } from '../../flow/nodes.ts'
import { Button } from '../../ui/button.tsx'
import { WithClock } from '../../ui/form/form-error.tsx'
import { PageHeading, usePageTitle } from '../../ui/page.tsx'
import { confirmLinkTexts as texts } from './texts.ts'

/**
 * Opening an emailed link only describes its effect. The button posts the form natively, because Ory's client
 * has no field for the token.
 */
export function ConfirmLink({ flow, token }: { flow: VerificationFlow; token: string }) {
  const said = formTexts(flow)
  usePageTitle(texts.title)
  return (
    <form action={flow.ui.action} method="post" className="grid content-start gap-5">
      <PageHeading small>{texts.title}</PageHeading>
      <p className="text-muted">{said && <WithClock message={said} />}</p>
      <input type="hidden" name="csrf_token" value={getCsrfToken(flow)} />
      <input type="hidden" name="token" value={token} />
      <Button type="submit" name="method" value="link" full>
        {texts.button}
      </Button>
    </form>
  )
}
