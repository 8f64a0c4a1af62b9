import type { FormEvent } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/fields.tsx'
import { Rows } from '../../ui/list.tsx'
import { Notice } from '../../ui/page.tsx'
import { EmptyDrawing } from '../../ui/standstill.tsx'
import { AdminScreen, Records } from '../admin-screen.tsx'
import { usePages } from '../call.ts'
import { account } from '../records.ts'
import { adminTexts, accountsTexts as texts } from '../texts.ts'
import { AccountRow } from './account-row.tsx'

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

export function AccountsScreen() {
  const [search] = useSearchParams()
  const wanted = search.get('q')?.trim() ?? ''
  const query = usePages(['accounts', wanted], '/identities', account, filterOf(wanted))
  const { state } = useLocation() as { state?: { deleted?: string } }
  return (
    <AdminScreen title={adminTexts.pages.accounts} lead={texts.lead}>
      <Notice tone="done">{state?.deleted}</Notice>
      <Search key={wanted} wanted={wanted} />
      <Records
        query={query}
        heights={['h-18', 'h-18', 'h-18', 'h-18', 'h-18']}
        none={wanted ? <NoMatch wanted={wanted} /> : <NoAccounts />}
      >
        {(accounts) => (
          <Rows label={texts.list}>
            {accounts.map((one) => (
              <AccountRow key={one.id} account={one} />
            ))}
          </Rows>
        )}
      </Records>
    </AdminScreen>
  )
}

function filterOf(wanted: string): Record<string, string> {
  if (wanted === '') return {}
  return UUID.test(wanted) ? { ids: wanted } : { preview_credentials_identifier_similar: wanted }
}

function Search({ wanted }: { wanted: string }) {
  const [, setSearch] = useSearchParams()
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const q = String(new FormData(event.currentTarget).get('q')).trim()
    setSearch(q === '' ? {} : { q })
  }
  return (
    <search>
      <form onSubmit={send} className="grid max-w-120 grid-cols-[minmax(0,1fr)_auto] items-end gap-3">
        <Field
          label={texts.search}
          name="q"
          type="search"
          defaultValue={wanted}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
        />
        {/* The border of the field is around its 44 px, that of the button within. */}
        <div className="pb-px">
          <Button type="submit" look="neutral">
            {texts.submit}
          </Button>
        </div>
      </form>
    </search>
  )
}

function NoMatch({ wanted }: { wanted: string }) {
  return (
    <p className="flex flex-wrap gap-x-3 text-muted">
      {texts.noMatch(wanted)}
      <Link to="/accounts" className="link">
        {texts.clear}
      </Link>
    </p>
  )
}

function NoAccounts() {
  return (
    <div className="grid justify-items-center gap-3 py-12 text-center">
      <EmptyDrawing />
      <h2 className="text-18">{texts.none.heading}</h2>
      <p className="text-muted">{texts.none.text}</p>
    </div>
  )
}
