import type { LoginFlow, SettingsFlow } from '@ory/client-fetch'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useRef } from 'react'
import { useIsShown } from '../browser.ts'
import { useService } from '../service.ts'
import { identityClient, statusOf } from './client.ts'
import type { AnyFlow, FlowApi, FlowRequest } from './kinds.ts'
import { hasErrors } from './messages.ts'
import { findInput, getCsrfToken } from './nodes.ts'
import { type OpenFlowResult, openFlow } from './open-flow.ts'
import { type Reply, submitFlow } from './submit-flow.ts'

/** Milliseconds between two attempts to open a flow. */
const RECOVERY_INTERVAL = 4000

export interface SubmitOptions<F> {
  /** Another flow than that of the page. */
  readonly on?: F | undefined
  /** False if the caller handles an expired flow. By default a new flow gets the same submission once. */
  readonly retryOnExpired?: boolean
}

interface Submission<F> extends SubmitOptions<F> {
  /** The body without `csrf_token`. */
  build(flow: F): object
}

/** Connects a flow with the address of its page. Without it, a reload begins another flow. */
export interface FlowLocation extends FlowRequest {
  /** The flow in the address, `?flow=ID`. */
  readonly id?: string | undefined
  /** Puts the flow into the address in place of the present one, without an entry in the history. Stable. */
  onFlowId?(id: string, loginChallenge?: string): void
  /** False: a flow goes into the address once it has sent a code, or in place of another. By default, all do. */
  readonly namesNewFlows?: boolean
  /** False: opens no flow. */
  readonly enabled?: boolean
}

/** A flow and its life cycle: opening it, keeping it across reloads, and replacing it once it has expired. */
export interface FlowHandle<F extends AnyFlow> {
  readonly kind: string
  readonly opened: OpenFlowResult<F> | undefined
  /** As the service sent it. In the state `sent_email`, a code is on its way. */
  readonly flow: F | undefined
  /** The requested flow was gone, and this one replaces it. */
  readonly isRenewed: boolean
  /** It could not be opened yet. */
  readonly isUnreachable: boolean
  open(): Promise<unknown>
  /** Switches the page to the flow of that id, or a new one, unless another account has logged in since. */
  switchTo(id: string | undefined): Promise<OpenFlowResult<F>>
  /** Also names the flow in the URL. */
  pin(flow: F): void
  /** The next visit opens a new flow. Automatic once this one has ended. */
  forget(): void
  /** A flow besides that of the page. */
  begin(request?: FlowRequest): Promise<F>
  read(id: string): Promise<F>
}

interface SendableFlow<F extends AnyFlow> extends FlowHandle<F> {
  /** The flow to send, which may still have to be opened. */
  ready(on?: F): Promise<ReadyFlow<F>>
  send(submission: Submission<F>): Promise<Reply<F>>
}

export function useFlow<F extends AnyFlow>(
  calls: FlowApi<F>,
  { id, loginChallenge, returnTo, onFlowId = ignore, enabled = true }: FlowLocation,
): SendableFlow<F> {
  const service = useService()
  const client = identityClient(service)
  const cache = useQueryClient()
  const isNamed = id !== undefined
  const showFlow = useShow<F>(calls.kind, id, onFlowId)
  const openById = (id: string | undefined) => openFlow(calls, service, id, { loginChallenge, returnTo })
  const staleTime = Number.POSITIVE_INFINITY
  const options = { queryKey: flowKey(calls.kind, id), queryFn: () => openById(id), retry: false, staleTime }
  const query = useQuery({ ...options, enabled, refetchInterval })
  const opened = query.data
  const openedFlow = opened?.kind === 'flow' ? opened : undefined
  const flow = openedFlow?.flow

  useEffect(() => {
    if (openedFlow?.renewed) showFlow(openedFlow, true)
  }, [openedFlow, showFlow])

  useChallenge(flow as Partial<LoginFlow> | undefined, loginChallenge, onFlowId)

  async function switchTo(next: string | undefined): Promise<OpenFlowResult<F>> {
    const result = ofSameAccount(await openById(next), flow)
    if (result.kind === 'flow') showFlow(result, isNamed)
    return result
  }

  async function ready(on?: F): Promise<ReadyFlow<F>> {
    if (on) return openedAs(on)
    return await cache.fetchQuery(options).catch(failureToOpen)
  }

  const { forget, setOver } = useForget(calls.kind, opened)

  async function sendOn(opened: ReadyFlow<F>, build: Submission<F>['build']): Promise<Reply<F>> {
    if (opened.kind !== 'flow') return opened
    const { flow } = opened
    const csrf_token = tokenOf(flow, calls.kind)
    return await submitFlow(calls, client, flow.id, { ...build(flow), csrf_token })
  }

  async function send(submission: Submission<F>): Promise<Reply<F>> {
    let reply = await sendOn(await ready(submission.on), submission.build)
    // Retries once, to prevent a loop.
    if (reply.kind === 'restart' && submission.retryOnExpired !== false) {
      reply = await sendOn(await switchTo(reply.flowId).catch(failureToOpen), submission.build)
    }
    if (isEnd(reply)) cache.removeQueries({ queryKey: ['flow'], type: 'inactive' })
    if (reply.kind === 'form') showFlow(openedAs(reply.flow), isNamed || reply.flow.state === 'sent_email')
    setOver(isEnd(reply) || isRefused(reply))
    return reply
  }

  return {
    kind: calls.kind,
    opened,
    flow,
    isRenewed: openedFlow?.renewed === true,
    isUnreachable: query.status === 'error',
    open: query.refetch,
    switchTo,
    pin: (flow) => showFlow(openedAs(flow), true),
    forget,
    begin: (request) => calls.create(client, request),
    read: (id) => calls.read(client, id),
    ready,
    send,
  }
}

/** A flow of the address may belong to an OAuth 2.0 request that the page does not know. */
function useChallenge(
  flow: Partial<LoginFlow> | undefined,
  known: string | undefined,
  onFlowId: (id: string, loginChallenge?: string) => void,
): void {
  const { id, oauth2_login_challenge: challenge } = flow ?? {}
  useEffect(() => {
    if (id && challenge && challenge !== known) onFlowId(id, challenge)
  }, [id, challenge, known, onFlowId])
}

function refetchInterval({ state }: { state: { readonly status: string } }): number | false {
  return state.status === 'error' ? RECOVERY_INTERVAL : false
}

function useShow<F extends AnyFlow>(kind: string, id: string | undefined, onFlowId: (id: string) => void) {
  const isShown = useIsShown()
  const cache = useQueryClient()
  return useCallback(
    (opened: OpenFlowResult<F> & { kind: 'flow' }, isNamed: boolean) => {
      const next = opened.flow.id
      cache.setQueryData(flowKey(kind, isNamed ? next : undefined), opened)
      if (isNamed && next !== id && isShown()) onFlowId(next)
    },
    [cache, kind, id, onFlowId, isShown],
  )
}

/** Forgets a flow that has ended, was refused or could not begin, when its page is left. */
function useForget(kind: string, opened: OpenFlowResult<unknown> | undefined) {
  const cache = useQueryClient()
  const isOver = useRef(false)
  const isShown = useIsShown()
  const forget = useCallback(() => cache.removeQueries({ queryKey: ['flow', kind] }), [cache, kind])
  const leave = useEffectEvent(() => {
    if (isOver.current || (opened && opened.kind !== 'flow')) forget()
  })
  useEffect(() => () => leave(), [])
  function setOver(isOverNow: boolean): void {
    isOver.current = isOverNow
    // Another page may have opened the form by now.
    if (isOverNow && !isShown()) cache.removeQueries({ queryKey: ['flow', kind], type: 'inactive' })
  }
  return { forget, setOver }
}

/** The CSRF cookie may have changed, and forms opened before would be refused. */
function isEnd<F extends AnyFlow>(reply: Reply<F>): boolean {
  return reply.kind === 'done' || (reply.kind === 'form' && reply.flow.state === 'passed_challenge')
}

/** The form that is opened next is empty, and must not show the error of another. */
function isRefused<F extends AnyFlow>(reply: Reply<F>): boolean {
  return reply.kind === 'form' && reply.flow.state === 'choose_method' && hasErrors(reply.flow)
}

function ofSameAccount<F extends AnyFlow>(result: OpenFlowResult<F>, before: F | undefined) {
  const isOthers = before && result.kind === 'flow' && ownerOf(before) !== ownerOf(result.flow)
  return isOthers ? ({ kind: 'sign-in' } as const) : result
}

/** Only settings belong to an account. */
function ownerOf(flow: AnyFlow): string | undefined {
  return (flow as Partial<SettingsFlow>).identity?.id
}

function openedAs<F>(flow: F) {
  return { kind: 'flow' as const, flow, renewed: false }
}

function flowKey(kind: string, id: string | undefined) {
  return ['flow', kind, id ?? 'new']
}

function tokenOf(flow: AnyFlow, kind: string): string {
  // A recovery that an operator began has none. Its code is the proof.
  const isByOperator = kind === 'recovery' && !findInput(flow, 'csrf_token')
  return isByOperator ? '' : getCsrfToken(flow)
}

type ReadyFlow<F> = OpenFlowResult<F> | Unopened

type Unopened = { readonly kind: 'refused' } | { readonly kind: 'unreachable' }

function failureToOpen(error: unknown): Unopened {
  return { kind: (statusOf(error) ?? 500) < 500 ? 'refused' : 'unreachable' }
}

function ignore(): void {}
