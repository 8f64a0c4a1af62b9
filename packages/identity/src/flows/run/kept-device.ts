import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { memoPart } from '../../storage/flows/memo.ts'
import type { FlowKind } from '../../wire/flow.ts'
import { find } from '../form/stored.ts'

// A provider's redirect is cross-site, so the browser does not send its `SameSite=Strict` device cookie.
const keptDevice = memoPart<string>('device_cookie')

/** The flow with the device cookie of the browser that is redirected to a provider. */
export function keepDevice(flow: Flow, { device_cookie }: Caller): Flow {
  return keptDevice.write(flow, device_cookie)
}

/** The returning caller, with the device cookie that was kept. */
export async function withKeptDevice(
  ctx: Context,
  caller: Caller,
  kind: FlowKind,
  flowId: string,
): Promise<Caller> {
  const flow = await find(ctx, kind, flowId)
  return { ...caller, device_cookie: flow && keptDevice.read(flow) }
}
