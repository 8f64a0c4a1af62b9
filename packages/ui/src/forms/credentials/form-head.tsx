import { createContext, type ReactNode, useContext } from 'react'
import { ReturnTargetLink } from '../../flow/return-target.tsx'
import { PageIntro, usePageTitle } from '../../ui/page.tsx'

const TypedEmail = createContext<string | undefined>(undefined)

interface FormHeadProps {
  title: string
  /** As typed so far. */
  email: string | undefined
  children: ReactNode
}

export function FormHead({ title, email, children }: FormHeadProps) {
  usePageTitle(title)
  return (
    <TypedEmail value={email}>
      <PageIntro title={title} lead={children} gap="gap-1" />
    </TypedEmail>
  )
}

/**
 * A link between the forms of visitors. The address that is typed, and the page that is wanted, go along.
 *
 * @example <FormLink to="/register">Sign up</FormLink>
 */
export function FormLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <ReturnTargetLink to={to} state={{ email: useContext(TypedEmail) }} className="link">
      {children}
    </ReturnTargetLink>
  )
}
