import type { UiText } from './text.ts'

export type NodeGroup =
  | 'default'
  | 'password'
  | 'oidc'
  | 'profile'
  | 'link'
  | 'code'
  | 'totp'
  | 'lookup_secret'
  | 'webauthn'
  | 'passkey'
  | 'identifier_first'

export type InputType =
  | 'text'
  | 'password'
  | 'number'
  | 'checkbox'
  | 'hidden'
  | 'email'
  | 'tel'
  | 'submit'
  | 'button'
  | 'datetime-local'
  | 'date'
  | 'url'

export type Autocomplete =
  | 'email'
  | 'tel'
  | 'url'
  | 'current-password'
  | 'new-password'
  | 'one-time-code'
  | 'username'
  | 'username webauthn'

export interface InputAttributes {
  readonly node_type: 'input'
  readonly name: string
  readonly type: InputType
  readonly disabled: boolean
  readonly value?: unknown
  readonly required?: true
  readonly autocomplete?: Autocomplete
  readonly pattern?: string
  readonly maxlength?: number
  /** Only for an `enum` trait. */
  readonly options?: readonly { readonly value: unknown }[]
  readonly label?: UiText
  readonly onclick?: string
  readonly onclickTrigger?: string
  readonly onload?: string
  readonly onloadTrigger?: string
}

interface TextAttributes {
  readonly node_type: 'text'
  readonly id: string
  readonly text: UiText
}

interface ImageAttributes {
  readonly node_type: 'img'
  readonly id: string
  readonly src: string
  readonly width: number
  readonly height: number
}

interface AnchorAttributes {
  readonly node_type: 'a'
  readonly id: string
  readonly href: string
  readonly title: UiText
}

interface ScriptAttributes {
  readonly node_type: 'script'
  readonly id: string
  readonly src: string
  readonly async: boolean
  readonly referrerpolicy: string
  readonly crossorigin: string
  readonly integrity: string
  readonly type: string
  readonly nonce: string
}

interface NodeOf<Type extends string, Attributes> {
  readonly type: Type
  readonly group: NodeGroup
  readonly attributes: Attributes
  readonly messages: readonly UiText[]
  readonly meta: { readonly label?: UiText }
}

export type InputNode = NodeOf<'input', InputAttributes>
export type AnchorNode = NodeOf<'a', AnchorAttributes>

export type UiNode =
  | InputNode
  | AnchorNode
  | NodeOf<'text', TextAttributes>
  | NodeOf<'img', ImageAttributes>
  | NodeOf<'script', ScriptAttributes>

export interface Ui {
  readonly action: string
  readonly method: 'POST' | 'GET'
  readonly nodes: readonly UiNode[] | null
  readonly messages?: readonly UiText[]
}
