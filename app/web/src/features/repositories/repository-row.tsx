import { dashboardTexts as texts } from '../../texts/dashboard.ts'
import { formatNumber } from '../../ui/format.ts'
import { ExternalIcon, StarIcon } from '../../ui/icons.tsx'
import type { Repository } from './list-repositories.ts'

export function RepositoryRow({ repository }: { repository: Repository }) {
  const { name, html_url, description, stargazers_count } = repository
  return (
    <li className="relative px-4 py-3.5 transition-colors focus-within:bg-tint hover:bg-tint sm:px-5">
      <div className="flex items-baseline justify-between gap-4">
        <a href={html_url} target="_blank" rel="noopener noreferrer" className={nameLink}>
          {name}&nbsp;
          <ExternalIcon />
          <span className="sr-only">{texts.newTab}</span>
        </a>
        <span className="shrink-0 text-14 text-muted tabular-nums">
          <StarIcon />
          {formatNumber(stargazers_count)} <span className="sr-only">{texts.stars}</span>
        </span>
      </div>
      {description && <p className="line-clamp-2 text-14 break-words text-muted">{description}</p>}
    </li>
  )
}

// The link covers its row: a large target, and one name for it.
const nameLink =
  'min-w-0 font-medium wrap-anywhere text-accent before:absolute before:inset-0 before:content-[""] hover:underline'
