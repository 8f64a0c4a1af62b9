import { CopyButton } from '@ostiary/ui/internal'
import { useEffect, useState } from 'react'
import type { RecordedCall } from '../../server/wire.ts'
import { wireTexts as texts } from '../texts.ts'
import { asClientFetch, asCurl } from './copies.ts'
import { explain } from './explain.ts'
import { type FormNode, findField } from './page-forms.ts'

type WireForm = NonNullable<RecordedCall['form']>

interface DetailsProps {
  call: RecordedCall
  /** The form of the same flow before. */
  before: RecordedCall['form']
}

export function Details({ call, before }: DetailsProps) {
  const { request, response, location, form, cookies_sent, cookies_set } = call
  const client = asClientFetch(call, window.location.origin)
  return (
    <div className="demo-details">
      <p>{explain(call)}</p>
      <div className="demo-actions">
        <CopyButton text={asCurl(call, window.location.origin)}>{texts.copyCurl}</CopyButton>
        {client && <CopyButton text={client}>{texts.copyClient}</CopyButton>}
      </div>
      {location && <Part title={texts.redirect}>{location}</Part>}
      <Part title={texts.request} open>
        {`${call.method} ${call.path}\nAccept: ${call.accept}${request ? `\n\n${request}` : ''}`}
      </Part>
      {form && before && (
        <Part title={texts.difference} open>
          {difference(before, form)}
        </Part>
      )}
      {form && <Form form={form} />}
      <Part title={texts.cookies}>
        {[
          `sent: ${cookies_sent.join(', ') || texts.noCookies}`,
          ...cookies_set.map((line) => `set: ${line}`),
        ].join('\n')}
      </Part>
      {response && <Part title={texts.response}>{response}</Part>}
      <Token response={response} />
      <p>
        <span>{texts.more}</span> <code>docs/protocol.md</code>
        <span>{texts.requestId(call.id)}</span>
      </p>
    </div>
  )
}

function Token({ response = '' }: { response: string | undefined }) {
  const claims = /"tokenized": "[\w-]+\.([\w-]+)\./.exec(response)?.[1]
  if (claims === undefined) return null
  const json = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as object
  return <Part title={texts.token}>{JSON.stringify(json, undefined, 2)}</Part>
}

export function Part({ title, open, children }: { title: string; open?: boolean; children: string }) {
  return (
    <details open={open}>
      <summary>{title}</summary>
      <pre>{children}</pre>
    </details>
  )
}

function difference(before: WireForm, after: WireForm): string {
  const [old, now] = [linesOf(before), linesOf(after)]
  const gone = old.filter((line) => !now.includes(line)).map((line) => `- ${line}`)
  const added = now.filter((line) => !old.includes(line)).map((line) => `+ ${line}`)
  return [...gone, ...added].join('\n') || texts.same
}

function linesOf({ state, messages, nodes }: WireForm): string[] {
  return [
    `state: ${String(state)}`,
    ...messages.map(({ id, text }) => `${id} ${text}`),
    ...nodes.flatMap((node) => [
      nodeLine(node),
      ...node.messages.map(({ id, text }) => `${node.name}: ${id} ${text}`),
    ]),
  ]
}

function nodeLine({ name, type, group, label }: FormNode): string {
  return `${name} (${[type, group, label].filter(Boolean).join(', ')})`
}

/** Pointing at a node outlines its field on the page, and pointing at the field its node. */
function Form({ form: { messages, nodes } }: { form: WireForm }) {
  const [chosen, choose] = useChosen(nodes)
  return (
    <details open>
      <summary>{texts.form}</summary>
      <ul className="demo-form" onPointerLeave={() => choose(undefined)}>
        {messages.map(({ id, text }) => (
          <li key={id}>{`${id} ${text}`}</li>
        ))}
        {nodes.map((node, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names repeat, and a recorded form never changes
          <li key={index} data-chosen={node === chosen || undefined} onPointerEnter={() => choose(node)}>
            <span>{nodeLine(node)}</span>
            {node.messages.map(({ id, text }) => (
              <p key={id}>{`${id} ${text}`}</p>
            ))}
          </li>
        ))}
      </ul>
    </details>
  )
}

function useChosen(nodes: readonly FormNode[]) {
  const [chosen, choose] = useState<FormNode>()
  useEffect(() => {
    const point = ({ target }: Event) => {
      const element = target as Element
      if (element.closest('main')) choose(nodes.find((node) => findField(node)?.contains(element)))
    }
    const ended = new AbortController()
    for (const kind of ['pointerover', 'focusin']) document.addEventListener(kind, point, ended)
    return () => ended.abort()
  }, [nodes])
  useEffect(() => {
    const field = chosen && findField(chosen)
    field?.setAttribute('data-demo-chosen', '')
    return () => field?.removeAttribute('data-demo-chosen')
  }, [chosen])
  return [chosen, choose] as const
}
