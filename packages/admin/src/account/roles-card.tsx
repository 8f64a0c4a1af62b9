import { Button, Card, FormError } from '@ostiary/ui'
import { product } from '@ostiary/ui/internal'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { sentenceOf } from '../admin-screen.tsx'
import type { Account } from '../records.ts'
import { adminAccountTexts } from '../texts.ts'
import { changeRole } from './change-account.ts'

const texts = adminAccountTexts.roles

/** The product's roles, and stored ones that it no longer has. */
export function RolesCard({ account: { id, metadata_public } }: { account: Account }) {
  const cache = useQueryClient()
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: ({ role, has }: { role: string; has: boolean }) =>
      changeRole(id, role, has ? 'remove' : 'add'),
    onSettled: () => cache.invalidateQueries({ queryKey: ['account'] }),
  })
  const all = [...new Set<string>([...product().roles, ...metadata_public.roles])]
  if (all.length === 0) return null
  return (
    <Card title={texts.title}>
      <ul className="grid gap-2 text-14">
        {all.map((role) => {
          const has = metadata_public.roles.includes(role)
          const busy = isPending && variables.role === role ? texts.saving : undefined
          return (
            <li key={role} className="flex flex-wrap items-center justify-between gap-x-3">
              <span className={has ? 'font-medium' : 'text-muted'}>{role}</span>
              <Button look="neutral" small busy={busy} onClick={() => mutate({ role, has })}>
                {has ? texts.remove(role) : texts.add(role)}
              </Button>
            </li>
          )
        })}
      </ul>
      <FormError>{error && sentenceOf(error)}</FormError>
    </Card>
  )
}
