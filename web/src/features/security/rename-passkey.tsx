import { useRenamePasskey } from '../../account/use-credentials.ts'
import { z } from '../../schema.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { useForm } from '../../ui/use-form.ts'
import type { Passkey } from './list-passkeys.ts'

const nameSchema = z.object({
  name: z.pipe(
    z.pipe(
      z.string(),
      z.transform((text: string) => text.trim()),
    ),
    z.string().check(z.minLength(1, 'Enter a name.'), z.maxLength(64, 'At most 64 characters.')),
  ),
})

interface RenamePasskeyProps {
  passkey: Passkey
  onCancel(): void
  onSaved(): void
  onDone(words: string): void
}

/** Another name for a passkey. */
export function RenamePasskey({ passkey, onCancel, onSaved, onDone }: RenamePasskeyProps) {
  const rename = useRenamePasskey()
  const form = useForm(nameSchema, { name: passkey.name })
  async function send({ name }: { name: string }) {
    const problem = await rename(passkey.id, name)
    if (problem) return form.fail(problem)
    onSaved()
    onDone(`Renamed to “${name}”.`)
  }
  return (
    <form {...form.props(send)} className="grid gap-4">
      <Field {...form.field('name')} label="Name of this passkey" autoComplete="off" autoFocus />
      <FormError>{form.failure?.message}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={form.isSubmitting ? 'Saving…' : undefined}>
          Save name
        </Button>
        <Button look="neutral" small onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
