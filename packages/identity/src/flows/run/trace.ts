import type { Context } from '../../contract/contract.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { Method } from '../../wire/flow.ts'

/** The span of a request says which flow it is about. After a handoff this is the flow that took over. */
export function traceFlow(
  { tracing }: Context,
  { kind, type }: Pick<Flow, 'kind' | 'type'>,
  method?: Method,
) {
  tracing?.note({
    'identity.flow.kind': kind,
    'identity.flow.type': type,
    ...(method === undefined ? {} : { 'identity.flow.method': method }),
  })
}
