import { useRenamePasskey } from '../../account/use-known-credentials.ts'
import { z } from '../../schema.ts'
import { accountTexts } from '../../texts/account.ts'
import { openedTexts } from '../../texts/security-opened.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { useForm } from '../../ui/use-form.ts'
import type { Passkey } from './list-passkeys.ts'

const texts = openedTexts.passkey

const nameSchema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, texts.noName), z.maxLength(64, texts.longName)),
})

interface RenamePasskeyProps {
  passkey: Passkey
  onClose(): void
  onDone(words: string): void
}

/** Another name for a passkey. */
export function RenamePasskey({ passkey, onClose, onDone }: RenamePasskeyProps) {
  const rename = useRenamePasskey()
  const form = useForm(nameSchema, { name: passkey.name })
  async function send({ name }: { name: string }) {
    const problem = await rename(passkey.id, name)
    if (problem) return form.fail(problem)
    onClose()
    onDone(texts.renamed(name))
  }
  return (
    <form {...form.props(send)} className="grid gap-4">
      <Field {...form.field('name')} label={texts.name} autoComplete="off" autoFocus />
      <FormError>{form.failure?.message}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" small busy={form.isSubmitting ? texts.save[1] : undefined}>
          {texts.save[0]}
        </Button>
        <Button look="neutral" small onClick={onClose}>
          {accountTexts.cancel}
        </Button>
      </div>
    </form>
  )
}
