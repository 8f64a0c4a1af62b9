import type { LoginFlow } from '@ory/client-fetch'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useRef } from 'react'
import { useService } from '../service.ts'
import { identityClient, statusOf } from './client.ts'
import type { AnyFlow, FlowCalls, FlowRequest } from './kinds.ts'
import { hasErrors } from './messages.ts'
import { findInput, getCsrfToken } from './nodes.ts'
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

/** Connects a flow with the address of its page. Without it, a reload begins another flow. */
export interface FlowLocation extends FlowRequest {
  /** The flow in the address, `?flow=ID`. */
  readonly id?: string | undefined
  /** Puts the flow into the address in place of the present one, without an entry in the history. Stable. */
  onFlowId?(id: string, loginChallenge?: string): void
  /** False: opens no flow. */
  readonly enabled?: boolean
}

/** The calls of one kind of flow, apart from the flow of a page. */
export interface BoundCalls<F extends AnyFlow, Body> {
  readonly kind: string
  begin(request?: FlowRequest): Promise<F>
  read(id: string): Promise<F>
  send(flow: F, body: Body): Promise<Reply<F>>
}

export function useFlowCalls<F extends AnyFlow, Body>(calls: FlowCalls<F, Body>): BoundCalls<F, Body> {
  const client = identityClient(useService())
  return {
    kind: calls.kind,
    begin: (request) => calls.create(client, request),
    read: (id) => calls.read(client, id),
    send: (flow, body) => submitFlow(calls, client, flow.id, body),
  }
}

export interface UsedFlow<F extends AnyFlow, Body> extends BoundCalls<F, Body> {
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

/**
 * The life of one flow: opens it, keeps it across screens and reloads, replaces it when it has expired, and submits.
 *
 * @example const login = useFlow(loginFlow, { id: params.get('flow') ?? undefined })
 */
export function useFlow<F extends AnyFlow, Body>(
  calls: FlowCalls<F, Body>,
  { id: namedId, loginChallenge, returnTo, onFlowId = ignore, enabled = true }: FlowLocation = {},
): UsedFlow<F, Body> {
  const service = useService()
  const boundCalls = useFlowCalls(calls)
  const id = calls.isInDialog ? undefined : namedId
  const cache = useQueryClient()
  const showFlow = useShow<F>(calls.kind, id, onFlowId)
  const openById = (id: string | undefined) => openFlow(calls, service, id, { loginChallenge, returnTo })
  const options = { queryKey: flowKey(calls.kind, id), queryFn: () => openById(id), retry: false }
  const query = useQuery({
    ...options,
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.status === 'error' ? RECOVERY_INTERVAL : false),
  })
  const opened = query.data
  const openedFlow = opened?.kind === 'flow' ? opened : undefined
  const flow = openedFlow?.flow
  const isRenewed = openedFlow?.renewed === true

  useEffect(() => {
    if (openedFlow?.renewed) showFlow(openedFlow)
  }, [openedFlow, showFlow])

  const challenge = (flow as Partial<LoginFlow> | undefined)?.oauth2_login_challenge
  useEffect(() => {
    if (flow && challenge && challenge !== loginChallenge) onFlowId(flow.id, challenge)
  }, [flow, challenge, loginChallenge, onFlowId])

  async function follow(next: string | undefined): Promise<Opened<F>> {
    const followed = await openById(next)
    if (followed.kind === 'flow') showFlow(followed)
    return followed
  }

  async function ready({ on }: Submission<F, Body>): Promise<Opened<F>> {
    if (on) return openedAs(on)
    return opened ?? (await cache.fetchQuery(options))
  }

  const { forget, isOver } = useForget(calls, opened)

  async function submit(submission: Submission<F, Body>): Promise<Reply<F>> {
    let reply = await attempt(boundCalls, () => ready(submission), submission)
    // Retries once, to prevent a loop.
    if (reply.kind === 'restart' && submission.retryOnExpired !== false) {
      const { flowId } = reply
      reply = await attempt(boundCalls, () => follow(flowId), submission)
    }
    isOver.current = isEnd(reply) || isRefused(reply)
    if (isEnd(reply)) cache.removeQueries({ queryKey: ['flow'], type: 'inactive' })
    if (reply.kind === 'form') showFlow(openedAs(reply.flow))
    return reply
  }

  const isUnreachable = query.status === 'error'
  const flowState = { ...boundCalls, opened, flow, isRenewed, isUnreachable, open: query.refetch }
  return { ...flowState, submit, follow, pin: (flow) => showFlow(openedAs(flow), true), forget }
}

function useShow<F extends AnyFlow>(kind: string, id: string | undefined, onFlowId: (id: string) => void) {
  const cache = useQueryClient()
  return useCallback(
    (opened: Opened<F> & { kind: 'flow' }, isNamed = id !== undefined) => {
      const next = opened.flow.id
      cache.setQueryData(flowKey(kind, isNamed ? next : undefined), opened)
      if (isNamed && next !== id) onFlowId(next)
    },
    [cache, kind, id, onFlowId],
  )
}

/** Forgets a flow that has ended, was refused or could not begin, when its page is left. */
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

/** The CSRF cookie may have changed, and forms opened before would be refused. */
function isEnd<F extends AnyFlow>(reply: Reply<F>): boolean {
  return reply.kind === 'done' || (reply.kind === 'form' && reply.flow.state === 'passed_challenge')
}

/** The form that is opened next is empty, and must not show the error of another. */
function isRefused<F extends AnyFlow>(reply: Reply<F>): boolean {
  return reply.kind === 'form' && reply.flow.state === 'choose_method' && hasErrors(reply.flow)
}

function openedAs<F>(flow: F) {
  return { kind: 'flow' as const, flow, renewed: false }
}

function flowKey(kind: string, id: string | undefined) {
  return ['flow', kind, id ?? 'new']
}

async function attempt<F extends AnyFlow, Body>(
  { kind, send }: BoundCalls<F, Body>,
  open: () => Promise<Opened<F>>,
  { build }: Submission<F, Body>,
): Promise<Reply<F>> {
  const opened = await open().catch(failureToOpen)
  if (opened.kind !== 'flow') return opened
  const { flow } = opened
  // A recovery that an operator began has none. Its code is the proof.
  const isByOperator = kind === 'recovery' && !findInput(flow, 'csrf_token')
  return await send(flow, build(isByOperator ? '' : getCsrfToken(flow)))
}

function failureToOpen(error: unknown): { kind: 'refused' } | { kind: 'unreachable' } {
  return { kind: (statusOf(error) ?? 500) < 500 ? 'refused' : 'unreachable' }
}

function ignore(): void {}
