import * as paths from '../../paths.ts'
import { standstillTexts } from '../../texts/standstill.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { usePageTitle } from '../../ui/page.tsx'
import { LostDrawing, Standstill } from '../../ui/standstill.tsx'

const { notFound: texts } = standstillTexts

/**
 * The page of an unknown address.
 *
 * @example defineApp({ config, routes, Layout, NotFound })
 */
export function NotFound() {
  usePageTitle(texts.title)
  return (
    <Standstill
      drawing={<LostDrawing />}
      heading={texts.heading}
      actions={
        <ButtonLink to={paths.home} look="neutral">
          {standstillTexts.home}
        </ButtonLink>
      }
    >
      {texts.text}
    </Standstill>
  )
}
