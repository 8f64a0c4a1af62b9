/** Without an answer, or with a 5xx. */
export const UNREACHABLE = 'We can’t reach sign-in right now.'
/** The same after a submission. */
export const UNREACHABLE_KEPT = `${UNREACHABLE} Your entries are saved.`
/** For a flow that had expired or belongs to another browser. */
export const RENEWED = 'That page had expired or was opened in another browser. Here is a new one.'
