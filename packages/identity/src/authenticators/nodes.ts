import { publicUrl } from '../config/base-url.ts'
import type { Context } from '../contract/contract.ts'
import { newId } from '../crypto/random.ts'
import type { Flow } from '../storage/flows/flows.ts'
import { input, script } from '../ui/nodes.ts'
import type { InputNode, NodeGroup, UiNode } from '../wire/node.ts'
import type { UiText } from '../wire/text.ts'
import type { Key } from './keys.ts'
import { removalId } from './keys.ts'
import { integrity, SCRIPT_PATH } from './script.ts'

export function scriptNodes(ctx: Context, { type }: Pick<Flow, 'type'>): readonly UiNode[] {
  if (type === 'api') return []
  const src = publicUrl(ctx, SCRIPT_PATH)
  return [script('webauthn', 'webauthn_script', { src, integrity, nonce: newId() })]
}

interface Trigger {
  readonly calls: string
  readonly label: UiText
  readonly value?: string
  /** For the legacy attribute, as JSON. */
  readonly options?: string
}

export function triggerNode(
  { type }: Pick<Flow, 'type'>,
  group: NodeGroup,
  name: string,
  { calls, label, value, options = '' }: Trigger,
): InputNode {
  return input(group, name, 'button', {
    value,
    label,
    onclick: type === 'browser' ? `window.${calls}(${options})` : undefined,
    onclickTrigger: calls,
  })
}

export function removalNodes(
  group: NodeGroup,
  keys: readonly Key[],
  label: (display_name: string, added_at: string) => UiText,
  isLast: (key: Key) => boolean,
): readonly InputNode[] {
  return keys.map((key) =>
    input(group, `${group}_remove`, 'submit', {
      value: removalId(key),
      label: label(key.display_name, key.added_at),
      disabled: isLast(key),
    }),
  )
}
