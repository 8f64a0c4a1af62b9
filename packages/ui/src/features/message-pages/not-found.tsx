import * as paths from '../../paths.ts'
import { messagePageTexts } from '../../texts/message-pages.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { LostDrawing, MessagePage } from '../../ui/message-page.tsx'
import { usePageTitle } from '../../ui/page.tsx'

/**
 * The page of an unknown address.
 *
 * @example defineApp({ config, routes, Layout, NotFound })
 */
export function NotFound() {
  return <NoSuchPage {...messagePageTexts.notFound} />
}

export function NoSuchPage({ title, heading, text }: Record<'title' | 'heading' | 'text', string>) {
  usePageTitle(title)
  return (
    <MessagePage
      drawing={<LostDrawing />}
      heading={heading}
      actions={
        <ButtonLink to={paths.home} look="neutral">
          {messagePageTexts.home}
        </ButtonLink>
      }
    >
      {text}
    </MessagePage>
  )
}
