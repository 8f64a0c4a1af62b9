import type { ComponentType, ReactNode } from 'react'
import type { ButtonProps } from './button.tsx'
import type { CardProps } from './card.tsx'
import type { FieldProps } from './form/fields.tsx'

interface Slots {
  readonly Button: ButtonProps
  readonly Card: CardProps
  readonly Field: FieldProps
  /** The frame of a form that fills a page. */
  readonly FormPage: { children: ReactNode }
}

/** Parts that a product renders in another way. Each function gets the usual component. */
export type Components = {
  readonly [Name in keyof Slots]?: (Usual: ComponentType<Slots[Name]>) => ComponentType<Slots[Name]>
}

let components: Components = {}

/** Call before anything is rendered; `defineApp` does. */
export function setComponents(replacements: Components): void {
  components = replacements
}

/** A part of all pages, which a product may replace. */
export function slot<Name extends keyof Slots>(
  name: Name,
  Usual: ComponentType<Slots[Name]>,
): ComponentType<Slots[Name]> {
  let cachedPart: { readonly by: Components[Name]; readonly Part: ComponentType<Slots[Name]> } | undefined
  return (props) => {
    const by = components[name]
    // Another component at each rendering would lose what is typed.
    if (cachedPart?.by !== by) cachedPart = undefined
    cachedPart ??= { by, Part: by?.(Usual) ?? Usual }
    return <cachedPart.Part {...props} />
  }
}
