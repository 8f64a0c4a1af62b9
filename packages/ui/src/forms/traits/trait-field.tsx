import type { Trait } from '@ostiary/react/internal'
import { fieldTexts } from '../../texts/fields.ts'
import { CheckboxField, SelectField } from '../../ui/form/choice-fields.tsx'
import { Field } from '../../ui/form/fields.tsx'

interface TraitFieldsProps {
  /** Begins their ids, where another form may show the same traits. */
  within?: string
  traits: readonly Trait[]
  errors: Readonly<Record<string, string | undefined>>
}

export function TraitFields({ within = '', traits, errors }: TraitFieldsProps) {
  return traits.map((trait) => (
    <TraitField key={trait.name} trait={trait} id={within + trait.name} error={errors[trait.name]} />
  ))
}

interface TraitFieldProps {
  trait: Trait
  id?: string
  name?: string
  error: string | undefined
  autoFocus?: boolean
}

export function TraitField({ trait, ...field }: TraitFieldProps) {
  const { type, label, options, required, value } = trait
  const props = { name: trait.name, required: required === true, ...field, label }
  if (options) {
    return (
      <SelectField {...props} defaultValue={textOf(value)}>
        <option value="">{fieldTexts.choose}</option>
        {options.map(({ value }) => (
          <option key={`${value}`}>{`${value}`}</option>
        ))}
      </SelectField>
    )
  }
  if (type === 'checkbox')
    return <CheckboxField {...props} required={false} defaultChecked={value === true} />
  return (
    <Field
      {...props}
      type={type}
      step={type === 'number' ? 'any' : undefined}
      defaultValue={textOf(value)}
      autoComplete={autoCompletes[snakeCase(trait.name.replace('traits.', ''))]}
    />
  )
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : `${value}`
}

const snakeCase = (name: string) => name.replaceAll(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase()

/** By the usual names of traits, in snake case. */
const autoCompletes: Readonly<Record<string, string>> = {
  name: 'name',
  full_name: 'name',
  'name.first': 'given-name',
  first_name: 'given-name',
  given_name: 'given-name',
  'name.last': 'family-name',
  last_name: 'family-name',
  family_name: 'family-name',
  nickname: 'nickname',
  phone: 'tel',
  phone_number: 'tel',
  birthday: 'bday',
  birthdate: 'bday',
  company: 'organization',
  organization: 'organization',
  website: 'url',
}
