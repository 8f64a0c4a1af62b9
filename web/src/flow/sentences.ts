/** Said when no answer came, or one that the service itself calls a failure of its own. */
export const UNREACHABLE = 'The sign-in service does not answer. What you typed is kept.'
