import {
  Button,
  Card,
  callApi,
  Field,
  FormError,
  hasRole,
  Page,
  PageHeading,
  RequestFailed,
  rejectForm,
  Skeleton,
  useAuth,
  useForm,
  usePageTitle,
} from '@ostiary/ui'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { newLink } from '../../schemas.ts'
import { linkTexts as texts } from '../../texts.ts'

export default function Links() {
  const { session } = useAuth()
  usePageTitle(texts.title)
  return (
    <Page wide>
      <div className="grid max-w-160 gap-6">
        <PageHeading>{texts.title}</PageHeading>
        <AddForm />
        <LinkList title={texts.mine} path="/links" />
        {hasRole(session?.identity, 'editor') && <LinkList title={texts.newest} path="/links/newest" />}
      </div>
    </Page>
  )
}

function AddForm() {
  const form = useForm(newLink)
  const cache = useQueryClient()

  async function add(json: { url: string }) {
    try {
      await callApi('POST', '/links', { json })
    } catch (error) {
      if (error instanceof RequestFailed) return rejectForm(form, error)
      throw error
    }
    form.write('url', '')
    await cache.invalidateQueries({ queryKey: ['links'] })
  }

  return (
    <form {...form.props(add)} className="grid justify-items-start gap-4">
      <Field {...form.field('url')} label={texts.url} type="url" />
      <FormError>{form.failure?.message}</FormError>
      <Button type="submit" busy={form.isSubmitting ? texts.adding : undefined}>
        {texts.add}
      </Button>
    </form>
  )
}

function LinkList({ title, path }: { title: string; path: '/links' | '/links/newest' }) {
  const queryFn = async () => (await callApi('GET', path)).json
  const { data, error, refetch } = useQuery({ queryKey: ['links', path], queryFn })
  if (error) return <FormError retry={() => void refetch()}>{error.message}</FormError>
  if (!data) return <Skeleton heights={['h-40']} />
  return (
    <Card title={title}>
      {data.length === 0 && <p className="text-muted">{texts.empty}</p>}
      <ul className="grid gap-3">
        {data.map(({ id, url }) => (
          <li key={id}>
            <Link to={path === '/links' ? `/links/${id}` : url} className="link wrap-anywhere">
              {url}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
