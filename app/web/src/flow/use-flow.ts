import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { recall, remember } from '../ui/browser.ts'
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

export interface UsedFlow<F, Body> {
  readonly opened: Opened<F> | undefined
  readonly flow: F | undefined
  /** The requested flow was gone, and this one replaces it. */
  readonly isRenewed: boolean
  readonly isUnreachable: boolean
  open(): Promise<unknown>
  submit(submission: Submission<F, Body>): Promise<Reply<F>>
  /** Switches the page to the flow of that id, or a new one. */
  follow(id: string | undefined): Promise<Opened<F>>
  pin(flow: F): void
  /** The last flow of this kind that waited for an emailed code in this browser. */
  findWaiting(): Promise<F | undefined>
  forget(): void
  finish(): void
}

export function useFlow<F extends AnyFlow, Body>(calls: FlowCalls<F, Body>): UsedFlow<F, Body> {
  const [search] = useSearchParams()
  const id = calls.isInDialog ? undefined : (search.get('flow') ?? undefined)
  const cache = useQueryClient()
  const name = useNameInAddress()
  const show = useShow<F>(calls.kind, id, name)
  const options = { queryKey: flowKey(calls.kind, id), queryFn: () => openFlow(calls, id), retry: false }
  const query = useQuery({
    ...options,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.status === 'error' ? RECOVERY_INTERVAL : false),
  })
  const opened = query.data
  const flow = opened?.kind === 'flow' ? opened.flow : undefined
  const isRenewed = opened?.kind === 'flow' && opened.renewed

  useEffect(() => {
    if (opened?.kind === 'flow' && opened.renewed) show(opened)
  }, [opened, show])

  async function follow(next: string | undefined): Promise<Opened<F>> {
    const followed = await openFlow(calls, next)
    if (followed.kind === 'flow') show(followed)
    return followed
  }

  async function ready({ on }: Submission<F, Body>): Promise<Opened<F>> {
    if (on) return { kind: 'flow', flow: on, renewed: false }
    return opened ?? (await cache.fetchQuery(options))
  }

  const { mutateAsync: submit } = useMutation({
    mutationFn: async (submission: Submission<F, Body>): Promise<Reply<F>> => {
      let reply = await attempt(calls, () => ready(submission), submission)
      // Retries once, to prevent a loop.
      if (reply.kind === 'restart' && submission.retryOnExpired !== false) {
        const { flowId } = reply
        reply = await attempt(calls, () => follow(flowId), submission)
      }
      if (isEnd(reply)) cache.removeQueries({ queryKey: ['flow'], type: 'inactive' })
      if (reply.kind === 'form') show({ kind: 'flow', flow: reply.flow, renewed: false })
      return reply
    },
  })

  function pin(flow: F): void {
    cache.setQueryData(flowKey(calls.kind, flow.id), { kind: 'flow', flow, renewed: false })
    if (flow.id !== id) name(flow.id)
  }

  useEffect(() => {
    if (flow?.state === 'sent_email') remember(waitingKey(calls.kind), flow.id)
  }, [flow, calls.kind])

  async function findWaiting(): Promise<F | undefined> {
    const waiting = recall(waitingKey(calls.kind))
    return waiting ? await calls.read(waiting).catch(() => undefined) : undefined
  }

  const { forget, finish } = useEnd(calls.kind)
  const isUnreachable = query.status === 'error'
  const shown = { opened, flow, isRenewed, isUnreachable, open: query.refetch }
  return { ...shown, submit, follow, pin, findWaiting, forget, finish }
}

function useShow<F extends AnyFlow>(kind: string, id: string | undefined, name: (id: string) => void) {
  const cache = useQueryClient()
  return useCallback(
    (opened: Opened<F> & { kind: 'flow' }) => {
      const shown = id === undefined ? undefined : opened.flow.id
      cache.setQueryData(flowKey(kind, shown), opened)
      if (shown !== id) name(opened.flow.id)
    },
    [cache, kind, id, name],
  )
}

function useEnd(kind: string) {
  const cache = useQueryClient()
  const isFinished = useRef(false)
  const forget = useCallback(() => cache.removeQueries({ queryKey: ['flow', kind] }), [cache, kind])
  useEffect(
    () => () => {
      if (isFinished.current) forget()
    },
    [forget],
  )
  const finish = useCallback(() => {
    isFinished.current = true
  }, [])
  return { forget, finish }
}

function useNameInAddress() {
  const [, setSearch] = useSearchParams()
  const { after } = useOnward()
  return useCallback(
    (id: string) => {
      const renamed = (search: URLSearchParams) =>
        new URLSearchParams({ ...Object.fromEntries(search), flow: id })
      setSearch(renamed, { replace: true, state: after && { after } })
    },
    [setSearch, after],
  )
}

/** The CSRF cookie may have changed, and forms opened before would be refused. */
function isEnd<F extends AnyFlow>(reply: Reply<F>): boolean {
  return reply.kind === 'done' || (reply.kind === 'form' && reply.flow.state === 'passed_challenge')
}

function waitingKey(kind: string): string {
  return `waiting-${kind}`
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
  const status = statusOf(error)
  return { kind: status === undefined || status >= 500 ? 'unreachable' : 'refused' }
}
