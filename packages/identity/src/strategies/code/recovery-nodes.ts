import { lastRecipient, recipientChoice } from '../../codes/memo.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { messages } from '../../ui/messages.ts'
import { hidden, input, submit } from '../../ui/nodes.ts'
import type { UiNode } from '../../wire/node.ts'

export function recoveryNodes(flow: Flow<'recovery'>): UiNode[] {
  if (recipientChoice.read(flow)) return choiceNodes(flow)
  if (flow.state === 'choose_method') {
    return [input('code', 'email', 'email', { required: true, label: messages.verifyEmailLabel }), go()]
  }
  if (flow.memo.by_operator) return [codeField(), go()]
  // For the resend button, which submits no method.
  return [codeField(), hidden('code', 'method', 'code'), go(), resend(flow, 'email')]
}

function choiceNodes(flow: Flow<'recovery'>): UiNode[] {
  const { typed = '', offers = [] } = recipientChoice.read(flow) ?? {}
  const method = hidden('code', 'method', 'code')
  const first = hidden('code', 'recovery_address', typed)
  const back = submit('code', 'previous', messages.recoveryBack, 'screen')
  switch (flow.state) {
    case 'recovery_awaiting_address': {
      const label = messages.recoveryAddressLabel
      return [input('code', 'recovery_address', 'text', { required: true, label }), go()]
    }
    case 'recovery_awaiting_address_choice': {
      const buttons = offers.map(({ hash, masked }) =>
        submit('code', hash, messages.label(masked), 'recovery_select_address'),
      )
      return [...buttons, method, first]
    }
    case 'recovery_confirming_address': {
      const isPhone = recipientChoice.read(flow)?.via === 'sms'
      const label = isPhone ? messages.phoneLabel : messages.verifyEmailLabel
      const options = { value: '', required: true, label }
      const type = isPhone ? 'tel' : 'email'
      return [input('code', 'recovery_confirm_address', type, options), first, go(), method, back]
    }
    default:
      return [codeField(), go(), method, resend(flow, 'recovery_confirm_address'), first, back]
  }
}

function codeField(): UiNode {
  const label = messages.recoveryCodeLabel
  return input('code', 'code', 'text', { required: true, pattern: '[0-9]+', maxlength: 6, label })
}

function go(): UiNode {
  return submit('code', 'code', messages.continueLabel)
}

function resend(flow: Flow<'recovery'>, name: string): UiNode {
  return submit('code', lastRecipient.read(flow)?.address ?? '', messages.resendCode, name)
}
