import { findInput } from '../../flow/inputs.ts'
import { z } from '../../schema.ts'
import { Field } from '../../ui/field.tsx'
import { SaveForm } from './save-form.tsx'
import type { SettingsUse } from './use-save.ts'

const schema = z.object({ value: z.string() })

/** The name, where the accounts of this service have one. */
export function ProfileForm({ settings, onSaved }: { settings: SettingsUse; onSaved(): void }) {
  const flow = settings.opened?.kind === 'flow' ? settings.opened.flow : undefined
  const name = flow && findInput(flow, 'traits.name')
  if (!name) return null
  const value: unknown = name.value
  return (
    <SaveForm
      settings={settings}
      schema={schema}
      initial={typeof value === 'string' ? value : ''}
      field="traits.name"
      button={['Save name', 'Saving…']}
      build={(text, csrf_token) => {
        // Traits are replaced as a whole.
        const traits: object = flow.identity.traits
        return { method: 'profile', traits: { ...traits, name: text }, csrf_token }
      }}
      onSaved={onSaved}
    >
      {(form, error) => <Field {...form.field('value')} label="Name" autoComplete="name" error={error} />}
    </SaveForm>
  )
}
