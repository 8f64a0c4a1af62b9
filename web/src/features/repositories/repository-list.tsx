import { FormError } from '../../ui/form-error.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type DataSource, useRepositories } from './list-repositories.ts'
import { RepositoryRow } from './repository-row.tsx'

/** The repositories of one user, or the sentence that says why there are none. */
export function RepositoryList({ user }: { user: string }) {
  const { data, error, refetch } = useRepositories(user)
  if (data) {
    return (
      <section aria-label={`Repositories of ${user}`} className="grid gap-4">
        <Origin source={data.source} age={data.age} />
        {data.repositories.length === 0 ? (
          <p className="text-muted">{`No repositories found for ${user}.`}</p>
        ) : (
          <ul className={rows}>
            {data.repositories.map((repository) => (
              <RepositoryRow key={repository.id} repository={repository} />
            ))}
          </ul>
        )}
      </section>
    )
  }
  if (error) {
    return (
      <FormError retry={() => void refetch()}>
        {`Error loading repositories: ${error.message || 'Unknown error'}`}
      </FormError>
    )
  }
  return <Loading user={user} />
}

/** Rows of the final height stand in, so that nothing jumps when the list comes. */
function Loading({ user }: { user: string }) {
  return (
    <div className="grid gap-4">
      <p role="status" className="text-muted">
        {`Loading GitHub repositories for ${user}...`}
      </p>
      <div aria-hidden="true" className={rows}>
        {['w-40', 'w-56', 'w-32', 'w-48', 'w-44', 'w-36'].map((width) => (
          <div key={width} className="grid animate-wait gap-2 px-4 py-4.5 sm:px-5">
            <div className={`h-4 rounded-small bg-raised ${width}`} />
            <div className="h-3.5 w-3/4 rounded-small bg-raised" />
          </div>
        ))}
      </div>
    </div>
  )
}

/** Where the list comes from, if it is not what GitHub says now. */
function Origin({ source, age }: { source: DataSource; age: number }) {
  if (source === 'sample')
    return <Notice tone="amber">Demo: GitHub cannot be reached, so this is a sample list.</Notice>
  if (source === 'stale')
    return <Notice tone="amber">{`GitHub does not answer right now. ${sinceWhen(age)}`}</Notice>
  return null
}

function sinceWhen(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  if (minutes < 1) return 'This list is less than a minute old.'
  if (minutes < 120) return `This list is ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} old.`
  return `This list is ${Math.round(minutes / 60)} hours old.`
}

const rows = 'divide-y divide-line overflow-hidden rounded-card border border-line bg-surface'
