import { FormError, Notice } from '@ostiary/ui'
import { ActionButton, Confirmation, useDisclosure } from '@ostiary/ui/internal'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deleteAccount, disableAccount, enableAccount, signOutEverywhere } from '../account/change-account.ts'
import { sentenceOf } from '../admin-screen.tsx'
import { type Account, nameOf } from '../records.ts'
import { accountsTexts as texts } from '../texts.ts'

interface Action {
  readonly button: readonly [string, string]
  readonly done: string
  /** If set, shown for confirmation before the action. */
  readonly consequence?: string
  readonly isFinal?: true
  readonly run: (id: string) => Promise<unknown>
}

const actions: readonly Action[] = [
  { ...texts.actions.disable, run: disableAccount },
  { ...texts.actions.enable, run: enableAccount },
  { ...texts.actions.signOut, run: signOutEverywhere },
  { ...texts.actions.delete, isFinal: true, run: deleteAccount },
]

interface BulkActionsProps {
  accounts: readonly Account[]
  selected: readonly Account[]
  onSelect(accounts: readonly Account[]): void
}

/** Changes one account after the other. Those that fail stay selected. */
export function BulkActions({ accounts, selected, onSelect }: BulkActionsProps) {
  const cache = useQueryClient()
  const { asked, ask, close, heading } = useDisclosure<Action, HTMLFieldSetElement>()
  const count = selected.length
  const { mutate, isPending, variables, data, reset } = useMutation({
    async mutationFn({ run }: Action) {
      const failures = await runOnEach(selected, run)
      onSelect(failures.map(({ account }) => account))
      await cache.invalidateQueries({ queryKey: ['accounts'] })
      return { failures, count: selected.length - failures.length }
    },
    onSettled: () => close(),
  })

  function start(action: Action) {
    reset()
    if (action.consequence) ask(action)
    else mutate(action)
  }

  return (
    <fieldset
      ref={heading.ref}
      tabIndex={-1}
      className={`grid min-w-0 gap-3 focus:outline-none ${count > 0 ? stuck : ''}`}
    >
      <legend className="sr-only">{texts.selection}</legend>
      <Notice tone="done">{data?.count ? texts.done(variables.done, data.count) : undefined}</Notice>
      <FormError>{data?.failures.length ? describe(data.failures) : undefined}</FormError>
      {accounts.length > 0 && (
        <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-2 px-4 sm:px-6">
          <label className="flex cursor-pointer items-center gap-4 text-14 pointer-coarse:min-h-11">
            <input
              type="checkbox"
              checked={count === accounts.length}
              onChange={({ target }) => onSelect(target.checked ? accounts : [])}
            />
            <span>{texts.selectAll}</span>
          </label>
          {count > 0 && <span className="text-14 text-muted">{texts.selected(count)}</span>}
          {count > 0 && !asked && (
            <span className="flex flex-wrap gap-2 max-sm:-mx-4 sm:ms-auto">
              {actions.map((action) => (
                <ActionButton
                  key={action.button[0]}
                  look="neutral"
                  small
                  words={action.button}
                  isBusy={isPending && action === variables}
                  onClick={() => start(action)}
                />
              ))}
            </span>
          )}
        </div>
      )}
      {asked && (
        <Confirmation
          question={texts.ask(asked.button[0], count)}
          isFinal={asked.isFinal}
          button={asked.button}
          isBusy={isPending}
          onConfirm={() => mutate(asked)}
          onCancel={() => close()}
        >
          <p>{asked.consequence}</p>
        </Confirmation>
      )}
    </fieldset>
  )
}

const stuck = 'sticky top-0 z-20 -my-2 bg-page py-2'

interface Failure {
  readonly account: Account
  readonly reason: string
}

async function runOnEach(accounts: readonly Account[], run: Action['run']): Promise<Failure[]> {
  const failures: Failure[] = []
  for (const account of accounts)
    await run(account.id).catch((error: unknown) => failures.push({ account, reason: sentenceOf(error) }))
  return failures
}

/** One line for each reason. */
function describe(failures: readonly Failure[]): string {
  const byReason = Map.groupBy(failures, ({ reason }) => reason)
  const lines = [...byReason].map(
    ([reason, of]) => `${reason} ${of.map(({ account }) => nameOf(account)).join(', ')}`,
  )
  return [texts.failed(failures.length), ...lines].join('\n')
}
