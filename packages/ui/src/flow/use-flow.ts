import type { LoginFlow } from '@ory/client-fetch'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { statusOf } from './client.ts'
import type { AnyFlow, FlowCalls } from './kinds.ts'
import { getCsrfToken } from './nodes.ts'
import { useOnward } from './onward.tsx'
import { type Opened, openFlow } from './open-flow.ts'
import { type Reply, submitFlow } from './submit-flow.ts'

/** Milliseconds between two attempts to open a flow. */
const RECOVERY_INTERVAL = 4000

export interface Submission<F, Body> {
  readonly build: (csrf_token: string) => Body
  readonly on?: F
  /** False if the caller handles an expired flow. By default a new flow gets the same submission once. */
  readonly retryOnExpired?: boolean
}

export interface UsedFlow<F extends AnyFlow, Body> {
  readonly calls: Pick<FlowCalls<F, Body>, 'kind' | 'read'>
  readonly opened: Opened<F> | undefined
  readonly flow: F | undefined
  /** The requested flow was gone, and this one replaces it. */
  readonly isRenewed: boolean
  readonly isUnreachable: boolean
  open(): Promise<unknown>
  submit(submission: Submission<F, Body>): Promise<Reply<F>>
  /** Switches the page to the flow of that id, or a new one. */
  follow(id: string | undefined): Promise<Opened<F>>
  /** Also names the flow in the URL. */
  pin(flow: F): void
  /** The next visit opens a new flow. Automatic once this one has ended. */
  forget(): void
}

export function useFlow<F extends AnyFlow, Body>(calls: FlowCalls<F, Body>): UsedFlow<F, Body> {
  const [search] = useSearchParams()
  const id = calls.isInDialog ? undefined : (search.get('flow') ?? undefined)
  const cache = useQueryClient()
  const name = useNameInAddress()
  const show = useShow<F>(calls.kind, id, name)
  const { login_challenge } = useOnward()
  const open = (id: string | undefined) => openFlow(calls, id, login_challenge)
  const options = { queryKey: flowKey(calls.kind, id), queryFn: () => open(id), retry: false }
  const query = useQuery({
    ...options,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.status === 'error' ? RECOVERY_INTERVAL : false),
  })
  const opened = query.data
  const found = opened?.kind === 'flow' ? opened : undefined
  const flow = found?.flow
  const isRenewed = found?.renewed === true

  useEffect(() => {
    if (found?.renewed) show(found)
  }, [found, show])

  const challenge = (flow as Partial<LoginFlow> | undefined)?.oauth2_login_challenge
  useEffect(() => {
    if (flow && challenge && challenge !== login_challenge) name(flow.id, challenge)
  }, [flow, challenge, login_challenge, name])

  async function follow(next: string | undefined): Promise<Opened<F>> {
    const followed = await open(next)
    if (followed.kind === 'flow') show(followed)
    return followed
  }

  async function ready({ on }: Submission<F, Body>): Promise<Opened<F>> {
    if (on) return kept(on)
    return opened ?? (await cache.fetchQuery(options))
  }

  const { forget, isOver } = useForget(calls, opened)

  async function submit(submission: Submission<F, Body>): Promise<Reply<F>> {
    let reply = await attempt(calls, () => ready(submission), submission)
    // Retries once, to prevent a loop.
    if (reply.kind === 'restart' && submission.retryOnExpired !== false) {
      const { flowId } = reply
      reply = await attempt(calls, () => follow(flowId), submission)
    }
    if (isEnd(reply)) {
      isOver.current = true
      cache.removeQueries({ queryKey: ['flow'], type: 'inactive' })
    }
    if (reply.kind === 'form') show(kept(reply.flow))
    return reply
  }

  const isUnreachable = query.status === 'error'
  const shown = { calls, opened, flow, isRenewed, isUnreachable, open: query.refetch }
  return { ...shown, submit, follow, pin: (flow) => show(kept(flow), true), forget }
}

function useShow<F extends AnyFlow>(kind: string, id: string | undefined, name: (id: string) => void) {
  const cache = useQueryClient()
  return useCallback(
    (opened: Opened<F> & { kind: 'flow' }, isNamed = id !== undefined) => {
      const next = opened.flow.id
      cache.setQueryData(flowKey(kind, isNamed ? next : undefined), opened)
      if (isNamed && next !== id) name(next)
    },
    [cache, kind, id, name],
  )
}

/** Forgets a flow that has ended, or could not begin, when its page is left. */
function useForget(
  { kind, isInDialog }: Pick<FlowCalls<AnyFlow, never>, 'kind' | 'isInDialog'>,
  opened: Opened<unknown> | undefined,
) {
  const cache = useQueryClient()
  const isOver = useRef(false)
  const forget = useCallback(() => cache.removeQueries({ queryKey: ['flow', kind] }), [cache, kind])
  const leave = useEffectEvent(() => {
    if (isOver.current || isInDialog || (opened && opened.kind !== 'flow')) forget()
  })
  useEffect(() => () => leave(), [])
  return { forget, isOver }
}

function useNameInAddress() {
  const [, setSearch] = useSearchParams()
  const { after, login_challenge: known } = useOnward()
  return useCallback(
    (id: string, login_challenge = known) => {
      const renamed = (search: URLSearchParams) =>
        new URLSearchParams({ ...Object.fromEntries(search), flow: id })
      setSearch(renamed, { replace: true, state: { after, login_challenge } })
    },
    [setSearch, after, known],
  )
}

/** The CSRF cookie may have changed, and forms opened before would be refused. */
function isEnd<F extends AnyFlow>(reply: Reply<F>): boolean {
  return reply.kind === 'done' || (reply.kind === 'form' && reply.flow.state === 'passed_challenge')
}

function kept<F>(flow: F) {
  return { kind: 'flow' as const, flow, renewed: false }
}

function flowKey(kind: string, id: string | undefined) {
  return ['flow', kind, id ?? 'new']
}

async function attempt<F extends AnyFlow, Body>(
  calls: FlowCalls<F, Body>,
  open: () => Promise<Opened<F>>,
  { build }: Submission<F, Body>,
): Promise<Reply<F>> {
  const opened = await open().catch(failureToOpen)
  if (opened.kind !== 'flow') return opened
  return await submitFlow(calls, opened.flow.id, build(getCsrfToken(opened.flow)))
}

function failureToOpen(error: unknown): { kind: 'refused' } | { kind: 'unreachable' } {
  return { kind: (statusOf(error) ?? 500) < 500 ? 'refused' : 'unreachable' }
}
