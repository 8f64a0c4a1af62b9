import type { RegistrationFlow } from '@ory/client-fetch'
import {
  fieldErrorTexts,
  findInput,
  formErrorTexts,
  otherFieldErrorTexts,
  requiredTraits,
  type Trait,
  textIn,
} from '@ostiary/react/internal'
import { retryOf } from '../../flow/failures.ts'
import { offeredProviders, type Provider } from '../../flow/providers.tsx'
import { ReturnTargetLink, readFormBeforeProvider } from '../../flow/return-target.tsx'
import { credentialsSchema } from '../../flow/rules.ts'
import { entryTexts } from '../../forms/credentials/texts.ts'
import { TraitFields } from '../../forms/traits/trait-field.tsx'
import * as paths from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { EmailField } from '../../ui/form/fields.tsx'
import { FormError } from '../../ui/form/form-error.tsx'
import { z } from '../../ui/form/schema.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { PageIntro, usePageTitle } from '../../ui/page.tsx'
import { finishTexts as texts } from './texts.ts'
import { type RegistrationFlowForm, useSignUp } from './use-sign-up.ts'

/** The provider that identified the user. Undefined for an ordinary registration. */
export function providerToFinishWith(flow: RegistrationFlow | undefined): Provider | undefined {
  if (!flow || findInput(flow, 'password') || !findInput(flow, 'traits.email')) return undefined
  return offeredProviders(flow)[0]
}

const schema = z.object({ email: credentialsSchema.shape.email, password: z._default(z.string(), '') })

interface FinishWithProviderProps {
  registration: RegistrationFlowForm
  flow: RegistrationFlow
  provider: Provider
}

/**
 * The provider shares no address, or the account could not be created. The user corrects the address, then
 * returns to the provider.
 */
export function FinishWithProvider({ registration, flow, provider }: FinishWithProviderProps) {
  const givenEmail = textIn(flow, 'traits.email')
  const credentials = useForm(schema, { email: givenEmail ?? readFormBeforeProvider().email })
  const submission = useSignUp(registration, credentials)
  const name = provider.label
  const traits = requiredTraits(flow)
  const { title, lead } = givenEmail ? (isComplete(traits) ? texts.refused : texts.incomplete) : texts
  usePageTitle(title)

  return (
    <div className="grid gap-6">
      <PageIntro title={title} lead={lead(name)} />
      <form {...credentials.props((typed) => submission.start(provider, typed))} className="grid gap-5">
        <EmailField {...credentials.field('email')} />
        <TraitFields
          traits={traits}
          errors={credentials.wasSubmitted ? credentials.errors : whyWrong(flow, traits)}
        />
        <FormError retry={retryOf(credentials, registration)}>
          {credentials.failure?.message ?? formErrorTexts(flow) ?? whyRefused(flow, givenEmail)}
        </FormError>
        <Button type="submit" full busy={submission.busy && entryTexts.wait}>
          {texts.submit(name)}
        </Button>
      </form>
      <p className="text-14 text-muted">
        <span>{texts.changedMind}</span>{' '}
        <ReturnTargetLink to={paths.register} className="link">
          {texts.back}
        </ReturnTargetLink>
      </p>
    </div>
  )
}

function isComplete(traits: readonly Trait[]): boolean {
  return traits.every(({ type, value }) => type === 'checkbox' || (value !== undefined && value !== ''))
}

/** The error in the data that the provider shared. */
function whyWrong(flow: RegistrationFlow, traits: readonly Trait[]) {
  const completeTraits = traits.filter((trait) => isComplete([trait]))
  return Object.fromEntries(completeTraits.map(({ name }) => [name, fieldErrorTexts(flow, name)]))
}

/** The page itself says that an address is required. */
function whyRefused(flow: RegistrationFlow, givenEmail: string | undefined): string | undefined {
  const others = otherFieldErrorTexts(flow, 'traits.email', ...requiredTraits(flow).map(({ name }) => name))
  return givenEmail ? [fieldErrorTexts(flow, 'traits.email'), others].filter(Boolean).join('\n') : others
}
