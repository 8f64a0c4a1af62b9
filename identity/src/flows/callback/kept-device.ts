import type { Caller } from '../../caller.ts'
import type { Context } from '../../contract.ts'
import type { Flow } from '../../storage/flows.ts'
import type { FlowKind } from '../../wire/flow.ts'
import { find } from '../engine/stored.ts'

// A provider's site leads the browser back, which withholds its `SameSite=Strict` device cookie then.

/** The flow with the device cookie of the browser that leaves for a provider. */
export function keepDevice(flow: Flow, { device_cookie }: Caller): Flow {
  return device_cookie === undefined ? flow : { ...flow, memo: { ...flow.memo, device_cookie } }
}

/** The caller that comes back, with the device cookie that it left with. */
export async function withKeptDevice(
  ctx: Context,
  caller: Caller,
  kind: FlowKind,
  flowId: string,
): Promise<Caller> {
  return { ...caller, device_cookie: (await find(ctx, kind, flowId))?.memo.device_cookie }
}
