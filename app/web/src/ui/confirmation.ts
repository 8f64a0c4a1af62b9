import { lazyPart } from './lazy-part.tsx'

/** A question in place before something ends; most visits end nothing, so its code is loaded when it opens. */
export const Confirmation = lazyPart(async () => (await import('./confirmation-panel.tsx')).ConfirmationPanel)
