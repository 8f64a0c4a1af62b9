import { FormError, FormPage, PasswordField, useForm, usePageTitle, z } from '@ostiary/ui'
import { ActionButton, PageIntro } from '@ostiary/ui/internal'
import { keepToken } from './admin-token.ts'
import { isAcceptedToken } from './call.ts'
import { adminTexts, adminTokenTexts as texts } from './texts.ts'

const schema = z.object({ token: z.string().check(z.trim(), z.minLength(1, texts.missing)) })

/** Asks for the token of the admin API, once per tab. */
export function TokenForm() {
  usePageTitle(texts.title)
  const form = useForm(schema)

  async function send({ token }: { token: string }) {
    try {
      if (await isAcceptedToken(token)) keepToken(token)
      else form.refuse({ token: texts.refused })
    } catch {
      form.fail(adminTexts.unreachable, true)
    }
  }

  return (
    <FormPage>
      <div className="mb-6">
        <PageIntro title={texts.title} lead={texts.lead} gap="gap-1" />
      </div>
      <form {...form.props(send)} className="grid gap-5">
        <PasswordField
          {...form.password('token')}
          label={texts.label}
          hint={texts.hint}
          // A password manager may keep it.
          autoComplete="current-password"
          autoFocus
          required
        />
        <FormError retry={form.failure?.canRetry ? 'submit' : undefined}>{form.failure?.message}</FormError>
        <ActionButton type="submit" full words={texts.submit} isBusy={form.isSubmitting} />
      </form>
    </FormPage>
  )
}
