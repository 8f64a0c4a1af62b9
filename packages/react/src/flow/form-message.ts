/** A rate limit adds the seconds until the next attempt. */
export type FormMessage = string | { readonly text: string; readonly retry_after: number }

/** A text with the service's `retry_after` in seconds. */
export function formMessage(text: string, beside: { readonly retry_after?: unknown } = {}): FormMessage {
  const { retry_after } = beside
  return typeof retry_after === 'number' ? { text, retry_after } : text
}
