import {
  callApi,
  FormError,
  NotFound,
  Page,
  PageHeading,
  RequestFailed,
  Skeleton,
  usePageTitle,
  usePathParameters,
} from '@ostiary/ui'
import { useQuery } from '@tanstack/react-query'
import { linkTexts as texts } from '../../texts.ts'

export default function LinkPage() {
  const { id } = usePathParameters('/links/:id')
  const queryFn = async () => (await callApi('GET', '/links/:id', { param: { id } })).json
  const { data, error, refetch } = useQuery({ queryKey: ['links', id], queryFn })
  usePageTitle(texts.url)
  if (error instanceof RequestFailed && error.status === 404) return <NotFound />
  return (
    <Page>
      <PageHeading>{texts.url}</PageHeading>
      {error && <FormError retry={() => void refetch()}>{error.message}</FormError>}
      {!data && !error && <Skeleton heights={['h-6']} />}
      {data && (
        <a href={data.url} className="link wrap-anywhere">
          {data.url}
        </a>
      )}
    </Page>
  )
}
