import { Button, Field, Notice, Rows } from '@ostiary/ui'
import { type FormEvent, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import { AdminScreen, Records } from '../admin-screen.tsx'
import { usePages, useStatistics } from '../call.ts'
import { Filter, useFilter } from '../filter.tsx'
import { type Account, account } from '../records.ts'
import { adminTexts, accountsTexts as texts } from '../texts.ts'
import { AccountRow } from './account-row.tsx'
import { BulkActions } from './bulk-actions.tsx'

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

export function AccountsScreen() {
  const [search] = useSearchParams()
  const searchText = search.get('q')?.trim() ?? ''
  const state = useFilter('state', texts.states)
  const order = useFilter('order', texts.orders) || 'newest'
  const location = useLocation() as { state?: { deleted?: string } }
  return (
    <AdminScreen title={adminTexts.pages.accounts} lead={texts.lead}>
      <Notice tone="done">{location.state?.deleted}</Notice>
      <Search wanted={searchText} />
      <div className="flex flex-wrap justify-between gap-x-6 gap-y-3">
        <States isCounted={searchText === ''} />
        {searchText === '' && <Filter label={texts.order} name="order" options={texts.orders} />}
      </div>
      <Accounts key={`${state} ${order} ${searchText}`} wanted={searchText} state={state} order={order} />
    </AdminScreen>
  )
}

function Accounts({ wanted, state, order }: Record<'wanted' | 'state' | 'order', string>) {
  const name = UUID.test(wanted) ? 'ids' : 'preview_credentials_identifier_similar'
  const filter = { ...(wanted ? { [name]: wanted } : { order }), ...(state && { state }) }
  const query = usePages(['accounts', 'list', filter], '/identities', account, filter)
  const [ids, setIds] = useState<readonly string[]>([])
  const shownAccounts = query.data ?? []
  const selected = shownAccounts.filter(({ id }) => ids.includes(id))
  const select = (accounts: readonly Account[]) => setIds(accounts.map(({ id }) => id))
  return (
    <>
      <BulkActions accounts={shownAccounts} selected={selected} onSelect={select} />
      <Records
        query={query}
        heights={['h-18', 'h-18', 'h-18', 'h-18', 'h-18']}
        empty={
          wanted || state ? <NoMatch isSearch={wanted !== ''} /> : <p className="text-muted">{texts.none}</p>
        }
      >
        {(accounts) => (
          <Rows label={texts.list}>
            {accounts.map((one) => (
              <AccountRow
                key={one.id}
                account={one}
                isSelected={selected.includes(one)}
                onSelect={(isSelected) =>
                  select(isSelected ? [...selected, one] : selected.filter((other) => other !== one))
                }
              />
            ))}
          </Rows>
        )}
      </Records>
    </>
  )
}

/** The totals count all accounts, so a search shows none. */
function States({ isCounted }: { isCounted: boolean }) {
  const accounts = useStatistics().data?.accounts
  const counts = isCounted && accounts && { '': accounts.active + accounts.inactive, ...accounts }
  return <Filter label={texts.filter} name="state" options={texts.states} counts={counts || undefined} />
}

function Search({ wanted }: { wanted: string }) {
  const [, setSearch] = useSearchParams()
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const q = String(new FormData(event.currentTarget).get('q')).trim()
    setSearch((search) => {
      if (q === '') search.delete('q')
      else search.set('q', q)
      return search
    })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: jsdom has no <search>
    <form
      role="search"
      onSubmit={send}
      className="grid max-w-120 grid-cols-[minmax(0,1fr)_auto] items-end gap-3"
    >
      <Field
        // A new field would lose the focus.
        ref={(field) => {
          if (field) field.value = wanted
        }}
        label={texts.search}
        name="q"
        type="search"
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
  )
}

function NoMatch({ isSearch }: { isSearch: boolean }) {
  return (
    <p className="flex flex-wrap gap-x-3 text-muted">
      <span>{texts.noMatch}</span>
      {isSearch && <span>{texts.noNames}</span>}
      <Link to="/accounts" className="link">
        {texts.clear}
      </Link>
    </p>
  )
}
