import { Address, PageHeading, RequestFailed, z } from '@ostiary/ui'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { AccountDisc, AccountState } from '../accounts/account-row.tsx'
import { AdminScreen, Loaded, Missing } from '../admin-screen.tsx'
import { call } from '../call.ts'
import { type Account, account, givenName, nameOf } from '../records.ts'
import { adminAccountTexts as texts } from '../texts.ts'
import { DeletionCard, RecoveryCard, RolesCard } from './change-cards.tsx'
import { AddressesCard, CredentialsCard, DetailsCard, TraitsCard } from './details-cards.tsx'
import { EmailsCard, EventsCard } from './history-cards.tsx'
import { SessionsCard } from './sessions-card.tsx'

export function AccountScreen() {
  const { id = '' } = useParams()
  const query = useQuery({
    queryKey: ['account', id],
    queryFn: async () => z.parse(account, (await call('GET', `/identities/${encodeURIComponent(id)}`)).json),
  })
  if (query.error instanceof RequestFailed && query.error.status === 404)
    return <Missing {...texts.gone} to="/accounts" back={texts.back} />
  const title = query.data ? nameOf(query.data) : texts.title
  return (
    <AdminScreen title={title} heading={<Heading account={query.data} />}>
      <Loaded query={query} heights={['h-48', 'h-64']}>
        {(found) => <Parts key={found.id} account={found} />}
      </Loaded>
    </AdminScreen>
  )
}

function Heading({ account }: { account: Account | undefined }) {
  return (
    <div className="grid gap-3">
      <Link to="/accounts" className="link -my-2 flex min-h-11 items-center justify-self-start text-14">
        {texts.back}
      </Link>
      <div className="flex items-center gap-4 max-[17rem]:flex-wrap">
        {account && <AccountDisc account={account} />}
        <div className="min-w-0 flex-1">
          <PageHeading small>
            <span className="max-sm:text-22">
              {account ? <Address plain>{nameOf(account)}</Address> : texts.title}
            </span>
          </PageHeading>
          {account && givenName(account) && <p className="text-muted">{givenName(account)}</p>}
        </div>
        {account && <AccountState account={account} />}
      </div>
    </div>
  )
}

/** Phones show the most used cards first. Wide windows show the details at the side. */
function Parts({ account }: { account: Account }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:col-start-2">
        <DetailsCard account={account} />
        <TraitsCard account={account} />
        <AddressesCard account={account} />
        <CredentialsCard account={account} />
        <RolesCard account={account} />
        <RecoveryCard account={account} />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:col-start-1 lg:row-start-1">
        <SessionsCard account={account} />
        <EmailsCard account={account} />
        <EventsCard account={account} />
        <DeletionCard account={account} />
      </div>
    </div>
  )
}
