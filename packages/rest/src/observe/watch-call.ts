import type { AttemptSettings } from '../retry/attempt-settings.ts'
import type { AttemptedCall } from '../retry/attempted-call.ts'
import type { CallListener } from './call-event.ts'
import { CallWatch } from './call-watch.ts'
import { diagnosticsListener } from './diagnostics-listener.ts'

/**
 * The watch over one call, for those who listen: the call's context, the service, and the
 * subscribers of the diagnostics channels.
 *
 * @param settings - the service's part
 * @param call - the call's part
 * @returns `undefined` when nobody listens, so that nothing is made for nobody
 */
export function watchCall(settings: AttemptSettings, call: AttemptedCall): CallWatch | undefined {
  const context = call.options.context ?? settings.context
  const onContext = context?.onEvent
  const onService = settings.onEvent
  const onChannels = diagnosticsListener()
  if ((onContext ?? onService ?? onChannels) === undefined) return undefined
  const { request, operation } = call
  const listeners = [onContext, onService, onChannels].filter(isListener)
  return new CallWatch({ operation: operation.name, request, listeners, now: settings.now })
}

function isListener(listener: CallListener | undefined): listener is CallListener {
  return listener !== undefined
}
