import * as paths from '../../paths.ts'
import { accountAreaTexts as texts } from './texts.ts'

export const accountNavigation = () =>
  [
    { to: paths.settings, ...texts.pages.profile },
    { to: paths.security, ...texts.pages.security },
    { to: paths.connections, ...texts.pages.connections },
    { to: paths.devices, ...texts.pages.devices },
    { to: paths.activity, ...texts.pages.activity },
    { to: paths.data, ...texts.pages.data },
  ] as const
