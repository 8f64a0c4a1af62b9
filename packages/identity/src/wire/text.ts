/** Clients rely on `id` and `context`; the wording may change. */
export interface UiText {
  readonly id: number
  readonly text: string
  readonly type: 'info' | 'error' | 'success'
  readonly context?: Readonly<Record<string, unknown>>
}
