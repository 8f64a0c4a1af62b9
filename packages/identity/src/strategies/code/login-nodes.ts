import { lastRecipient } from '../../codes/memo.ts'
import type { Context } from '../../contract/contract.ts'
import { channelOf } from '../../identities/schema/formats.ts'
import { flowSchema } from '../../identities/schema/schema.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { messages } from '../../ui/messages.ts'
import { asHidden, hidden, input, nodeName, submit } from '../../ui/nodes.ts'
import { identifierLabel } from '../../ui/trait-nodes.ts'
import type { UiNode } from '../../wire/node.ts'
import { ownAddresses } from './send.ts'

export function loginNodes(ctx: Context, flow: Flow<'login'>): UiNode[] {
  if (flow.state !== 'choose_method' || lastRecipient.read(flow)) return codeForm(flow)
  const own = ownAddresses.read(flow)
  if (flow.requested_aal === 'aal2') {
    return (own ?? []).map((address) =>
      submit('code', address, messages.loginSendCodeTo(address, channelOf(address)), 'address'),
    )
  }
  if (flow.refresh && own?.length === 0) return []
  const field = input('default', 'identifier', 'text', {
    value: '',
    required: true,
    label: identifierLabel(flowSchema(ctx.schemas, flow)),
  })
  return [field, submit('code', 'code', messages.loginSendCode)]
}

function codeForm(flow: Flow<'login'>): UiNode[] {
  return [
    addressField(flow),
    // For the resend button, which submits no method.
    hidden('code', 'method', 'code'),
    input('code', 'code', 'text', { required: true, label: messages.loginCodeLabel }),
    submit('code', 'code', messages.continueLabel),
    submit('code', 'code', messages.resendCode, 'resend'),
  ]
}

/** Kratos compatibility: hidden until a code is rejected. */
function addressField(flow: Flow<'login'>): UiNode {
  const address = lastRecipient.read(flow)?.address
  const before = (flow.ui.nodes ?? []).find(
    (node) =>
      nodeName(node) === 'identifier' ||
      (nodeName(node) === 'address' && 'value' in node.attributes && node.attributes.value === address),
  )
  if (lastRecipient.read(flow)?.plain || before?.type !== 'input') return hidden('default', 'identifier', '')
  const { attributes } = before
  return asHidden({ ...before, messages: [], attributes: { ...attributes, name: 'identifier' } })
}
