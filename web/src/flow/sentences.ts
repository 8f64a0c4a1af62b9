/** Said when no answer came, or one that the service itself calls a failure of its own. */
export const UNREACHABLE = 'We can’t reach sign-in right now.'
/** The same after something was typed and sent. */
export const UNREACHABLE_KEPT = `${UNREACHABLE} Your entries are saved.`
/** For a page that had expired when its user came to it. */
export const RENEWED = 'That page had expired or was opened in another browser. Here is a new one.'
