import { channel } from 'node:diagnostics_channel'
import type { CallEvent, CallListener } from './call-event.ts'

const channels = {
  sending: channel('rowkey:request:sending'),
  received: channel('rowkey:request:received'),
  retrying: channel('rowkey:request:retrying'),
  completed: channel('rowkey:request:completed'),
} as const satisfies Record<CallEvent['type'], unknown>

const publish: CallListener = (event) => channels[event.type].publish(event)

/**
 * Returns a listener that publishes events to channels of `node:diagnostics_channel`, one for each type:
 * `rowkey:request:sending` and so on.
 *
 * @returns `undefined` while none of the channels has a subscriber
 */
export function diagnosticsListener(): CallListener | undefined {
  const { sending, received, retrying, completed } = channels
  const heard =
    completed.hasSubscribers ||
    received.hasSubscribers ||
    sending.hasSubscribers ||
    retrying.hasSubscribers
  return heard ? publish : undefined
}
