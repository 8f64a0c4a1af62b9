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
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the buttons inside
    <div onKeyDown={moveBetweenRows}>
      {openId !== undefined && !calls.some(({ id }) => id === openId) && (
        <p className="demo-note">The call of this link is no longer recorded.</p>
      )}
      {groupByFlow(calls).map((group) => (
        <Group key={group[0]?.seq} group={group} openId={openId} onOpen={onOpen} />
      ))}
    </div>
  )
}

function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('.demo-row')]
  const at = rows.indexOf(document.activeElement as HTMLElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key]
  if (to === undefined || at < 0) return
  event.preventDefault()
  rows[Math.min(Math.max(to, 0), rows.length - 1)]?.focus()
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
    <button type="button" className="demo-row" aria-expanded={isOpen} onClick={onClick}>
      <span>{method}</span>
      <span className="demo-path">{shortPath(call)}</span>
      <span data-error={status >= 400 || undefined}>
        {status} {status_text}
      </span>
      <span>{duration_ms} ms</span>
    </button>
  )
}

function Details({ call }: { call: Call }) {
  const { request, response, location, cookies_sent, cookies_set } = call
  const client = asClientFetch(call, window.location.origin)
  return (
    <div className="demo-details">
      <p>{explain(call)}</p>
      <div className="demo-actions">
        <CopyButton text={asCurl(call, window.location.origin)}>Copy as curl</CopyButton>
        {client && <CopyButton text={client}>Copy as @ory/client-fetch</CopyButton>}
      </div>
      <Form call={call} />
      {location && <Part title="Redirects to">{location}</Part>}
      <Part title="Request" open>
        {`${call.method} ${call.path}\nAccept: ${call.accept}${request ? `\n\n${request}` : ''}`}
      </Part>
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

function Form({ call: { form } }: { call: Call }) {
  if (!form) return null
  return (
    <>
      <h3>Form</h3>
      {form.messages.map(({ id, text }) => (
        <p key={id}>
          <code>{id}</code> {text}
        </p>
      ))}
      <ul className="demo-nodes">
        {form.nodes.map(({ group, name, type, messages }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: several buttons have the same name
          <li key={index}>
            <code>{name}</code> {type}, {group}
            {messages.map(({ id, text }) => (
              <span key={id}>
                <code>{id}</code> {text}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </>
  )
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
