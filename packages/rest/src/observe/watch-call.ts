import type { HttpRequest } from '../http/transport.ts'
import type { CallListener, CallLogger } from './call-event.ts'
import type { CallWatch } from './call-watch.ts'
import { diagnosticsListener } from './diagnostics-listener.ts'
import type { OperationContext } from './operation-context.ts'

/** Tells listeners what happens. It is loaded with the first call that has one, and not awaited again. */
let watching: typeof import('./call-watch.ts') | undefined

/** The part of a call that its listeners depend on. */
export interface WatchedCall {
  readonly operation: { readonly name: string }
  readonly options: { readonly context?: OperationContext | undefined }
  readonly service: {
    readonly defaults: {
      readonly context: OperationContext | undefined
      readonly onEvent: CallListener | undefined
      readonly now: () => number
    }
  }
}

/**
 * Makes the watch of one call, for the listeners of its context, of its service and of the
 * diagnostics channels. The first one is loaded before the call begins; where that fails, the call is made
 * without it.
 *
 * @param call - the call
 * @param request - its request, to the primary
 * @returns `undefined` without a listener, so that nothing is allocated
 */
export function watchCall(
  call: WatchedCall,
  request: HttpRequest,
): CallWatch | undefined | Promise<CallWatch | undefined> {
  const { defaults } = call.service
  const onContext = (call.options.context ?? defaults.context)?.onEvent
  const onChannels = diagnosticsListener()
  if ((onContext ?? defaults.onEvent ?? onChannels) === undefined) return undefined
  if (watching === undefined) return watchLater(call, request)
  const listeners = [onContext, defaults.onEvent, onChannels].filter(isListener)
  const { name } = call.operation
  return new watching.CallWatch({ operation: name, request, listeners, now: defaults.now })
}

async function watchLater(call: WatchedCall, request: HttpRequest): Promise<CallWatch | undefined> {
  watching ??= await import('./call-watch.ts').catch(() => undefined)
  return watching && watchCall(call, request)
}

function isListener(listener: CallListener | undefined): listener is CallListener {
  return listener !== undefined
}

/**
 * Makes a listener that writes what happens to a logger. Events come from a watch, whose code also
 * writes the lines.
 *
 * @param logger - where to write
 */
export function callLogger(logger: CallLogger): CallListener {
  return (event) => watching?.logEvent(logger, event)
}
