import type { KeyboardEvent } from 'react'
import { CopyButton } from '../ui/copy-button.tsx'
import { type Call, groupByFlow, shortPath, subjectOf } from './calls.ts'
import { asClientFetch, asCurl } from './copies.ts'
import { explain } from './explain.ts'

interface WireProps {
  calls: readonly Call[]
  openId: string | undefined
  onOpen(id: string | undefined): void
}

/** The calls of this browser, oldest first, so that a new one moves nothing. */
export function Wire({ calls, openId, onOpen }: WireProps) {
  if (calls.length === 0)
    return <p className="demo-note">No calls yet. Open the login page, and its calls show up here.</p>
  return (
    <>
      {openId !== undefined && !calls.some(({ id }) => id === openId) && (
        <p className="demo-note">The call of this link is no longer recorded.</p>
      )}
      {groupByFlow(calls).map((group) => (
        <Group key={group[0]?.seq} group={group} openId={openId} onOpen={onOpen} />
      ))}
    </>
  )
}

function Group({ group, openId, onOpen }: { group: readonly Call[] } & Omit<WireProps, 'calls'>) {
  const [first] = group
  if (!first) return null
  const name = first.flow_id ? `${subjectOf(first)} flow ${first.flow_id.slice(0, 8)}` : subjectOf(first)
  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      <ul>
        {group.map((call) => (
          <li key={call.seq}>
            <Row
              call={call}
              isOpen={call.id === openId}
              onClick={() => onOpen(call.id === openId ? undefined : call.id)}
            />
            {call.id === openId && <Details call={call} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Row({ call, isOpen, onClick }: { call: Call; isOpen: boolean; onClick(): void }) {
  const { method, status, status_text, duration_ms } = call
  return (
    <button type="button" className="demo-row" aria-expanded={isOpen} onClick={onClick} onKeyDown={moveToRow}>
      <span>{method}</span>
      <span className="demo-path">{shortPath(call)}</span>
      <span data-error={status >= 400 || undefined}>
        {status} {status_text}
      </span>
      <span>{duration_ms} ms</span>
    </button>
  )
}

function moveToRow(event: KeyboardEvent<HTMLElement>): void {
  const rows = [...document.querySelectorAll<HTMLElement>('.demo-row')]
  const at = rows.indexOf(event.currentTarget)
  const to = { ArrowDown: at + 1, ArrowUp: Math.max(at - 1, 0), Home: 0, End: rows.length - 1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  rows[to]?.focus()
}

function Details({ call }: { call: Call }) {
  const { request, response, location, form, cookies_sent, cookies_set } = call
  const client = asClientFetch(call, window.location.origin)
  return (
    <div className="demo-details">
      <p>{explain(call)}</p>
      <div className="demo-actions">
        <CopyButton text={asCurl(call, window.location.origin)}>Copy as curl</CopyButton>
        {client && <CopyButton text={client}>Copy as @ory/client-fetch</CopyButton>}
      </div>
      {location && <Part title="Redirects to">{location}</Part>}
      <Part title="Request" open>
        {`${call.method} ${call.path}\nAccept: ${call.accept}${request ? `\n\n${request}` : ''}`}
      </Part>
      {form && (
        <Part title="Form" open>
          {formLines(form)}
        </Part>
      )}
      <Part title="Cookies">
        {[`sent: ${cookies_sent.join(', ') || 'none'}`, ...cookies_set.map((line) => `set: ${line}`)].join(
          '\n',
        )}
      </Part>
      {response && <Part title="Response">{response}</Part>}
      <Token response={response} />
      <p>
        More in <code>docs/protocol.md</code>. Request {call.id}.
      </p>
    </div>
  )
}

function formLines({ messages, nodes }: NonNullable<Call['form']>): string {
  const lines = (list: typeof messages) => list.map(({ id, text }) => `${id} ${text}`)
  return [
    ...lines(messages),
    ...nodes.flatMap((node) => [`${node.name} (${node.type}, ${node.group})`, ...lines(node.messages)]),
  ].join('\n')
}

function Token({ response = '' }: { response: string | undefined }) {
  const claims = /"tokenized": "[\w-]+\.([\w-]+)\./.exec(response)?.[1]
  if (claims === undefined) return null
  const json = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as object
  return <Part title="user_jwt, decoded">{JSON.stringify(json, undefined, 2)}</Part>
}

function Part({ title, open, children }: { title: string; open?: boolean; children: string }) {
  return (
    <details open={open}>
      <summary>{title}</summary>
      <pre>{children}</pre>
    </details>
  )
}
