import { Address, Badge, Rows, Skeleton, Time, z } from '@ostiary/ui'
import { CardEntry, Dotted } from '@ostiary/ui/internal'
import { useQueries } from '@tanstack/react-query'
import { Link } from 'react-router'
import { AdminScreen, Records } from '../admin-screen.tsx'
import { call, usePages } from '../call.ts'
import { type AdminCall, account, adminCall, nameOf } from '../records.ts'
import { adminTexts, auditTexts as texts } from '../texts.ts'

export function AuditScreen() {
  const query = usePages(['audit'], '/audit', adminCall)
  const { names, isWaiting } = useNames(query.data ?? [])
  return (
    <AdminScreen title={adminTexts.pages.audit} lead={texts.lead}>
      <Records query={query} heights={heights} empty={<p className="text-muted">{texts.none}</p>}>
        {(calls) =>
          // An id is longer than a name, and would move the rows below.
          isWaiting ? (
            <Skeleton heights={heights} />
          ) : (
            <Rows>
              {calls.map((one) => (
                <li key={one.id}>
                  <CallRow call={one} names={names} />
                </li>
              ))}
            </Rows>
          )
        }
      </Records>
    </AdminScreen>
  )
}

const heights = ['h-18', 'h-18', 'h-18', 'h-18']

const words: Readonly<Record<string, string>> = texts.calls

function CallRow({ call, names }: { call: AdminCall; names: ReadonlyMap<string, string> }) {
  const { method, outcome, identity_id, changes, operator, client_address, created_at } = call
  return (
    <CardEntry
      title={words[method] ?? <code>{method}</code>}
      fact={
        <Dotted
          parts={[
            changes && <code key="changes">{changes}</code>,
            operator,
            identity_id && <AccountName key="account" id={identity_id} name={names.get(identity_id)} />,
            <Time key="time" of={created_at} />,
            client_address,
          ]}
        />
      }
      action={outcome === 'refused' && <Badge tone="attention">{texts.refused}</Badge>}
    />
  )
}

/** Without a name, the account was deleted. */
function AccountName({ id, name }: { id: string; name: string | undefined }) {
  if (name === undefined) return <span className="font-mono">{id}</span>
  return (
    <Link to={`/accounts/${id}`} className="link">
      <Address plain>{name}</Address>
    </Link>
  )
}

/** Calls whose accounts are named together: the service limits the length of a URL. */
const AT_ONCE = 50

/** `isWaiting`: for the first answer. */
function useNames(calls: readonly AdminCall[]) {
  const parts = Array.from({ length: Math.ceil(calls.length / AT_ONCE) }, (_, part) => {
    const some = calls.slice(part * AT_ONCE, (part + 1) * AT_ONCE)
    return [...new Set(some.flatMap(({ identity_id }) => identity_id ?? []))]
  })
  return useQueries({
    queries: parts.map((ids) => ({
      queryKey: ['accounts', 'named', ids],
      queryFn: () => listAccounts(ids),
      enabled: ids.length > 0,
    })),
    combine: (answers) => ({
      names: new Map(answers.flatMap(({ data = [] }) => data.map((one) => [one.id, nameOf(one)] as const))),
      isWaiting: answers[0]?.isLoading === true && answers[0].failureCount === 0,
    }),
  })
}

async function listAccounts(ids: readonly string[]) {
  const query = new URLSearchParams(ids.map((id) => ['ids', id]))
  return z.parse(z.array(account), (await call('GET', `/identities?${query}&page_size=${AT_ONCE}`)).json)
}
