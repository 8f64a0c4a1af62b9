import * as paths from '../../paths.ts'
import { messagePageTexts } from '../../texts/message-pages.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { LostDrawing, MessagePage } from '../../ui/message-page.tsx'
import { usePageTitle } from '../../ui/page.tsx'

const { notFound: texts } = messagePageTexts

/**
 * The page of an unknown address.
 *
 * @example defineApp({ config, routes, Layout, NotFound })
 */
export function NotFound() {
  usePageTitle(texts.title)
  return (
    <MessagePage
      drawing={<LostDrawing />}
      heading={texts.heading}
      actions={
        <ButtonLink to={paths.home} look="neutral">
          {messagePageTexts.home}
        </ButtonLink>
      }
    >
      {texts.text}
    </MessagePage>
  )
}
