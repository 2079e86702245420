import { aFunction } from '@rowkey/odata'
import { checkArgument } from '../errors/check-argument.ts'
import { aDuration, aName, aText } from '../errors/rules.ts'
import { declarePattern } from '../options/pattern-options.ts'
import { checkPeek, checkReceive, checkReceived, type Queue, type QueueMessage } from './queue.ts'

const queueOptions = declarePattern<{ readonly now?: (() => number) | undefined }>({
  now: aFunction,
})

/** A stored message, and from when on it is visible. */
interface Stored extends QueueMessage {
  readonly visibleAt: number
}

/**
 * Makes a queue in the memory of this process, for tests. Its messages end with the process.
 *
 * @param name - the name of the queue
 * @param options - `now`, the clock: milliseconds since 1970. `Date.now` when absent
 */
export function memoryQueue(
  name: string,
  options: { readonly now?: (() => number) | undefined } = {},
): Queue {
  checkArgument(aName, name, 'The name of memoryQueue')
  queueOptions.check(options, 'memoryQueue')
  const { now = Date.now } = options
  const messages = new Map<string, Stored>()
  let last = 0
  const owned = ({ id, receipt }: QueueMessage): Stored | undefined => {
    const stored = messages.get(id)
    return stored?.receipt === receipt ? stored : undefined
  }
  const store = (message: Stored): QueueMessage => {
    messages.set(message.id, message)
    return message
  }
  return {
    name,
    async send(text, delay = 0) {
      checkArgument(aText, text, `A message for queue ${name}`)
      checkArgument(aDuration, delay, `The delay of a message for queue ${name}`)
      const id = String(++last)
      const sentAt = now()
      store({ id, text, dequeueCount: 0, sentAt, receipt: '', visibleAt: sentAt + delay })
    },
    async receive(options) {
      checkReceive(options, name)
      const { count, visibility } = options
      const at = now()
      const visible = [...messages.values()].filter(({ visibleAt }) => visibleAt <= at)
      return visible.slice(0, count).map((message) =>
        store({
          ...message,
          dequeueCount: message.dequeueCount + 1,
          receipt: String(++last),
          visibleAt: at + visibility,
        }),
      )
    },
    async peek(count) {
      checkPeek(count, name)
      const at = now()
      return [...messages.values()].filter(({ visibleAt }) => visibleAt <= at).slice(0, count)
    },
    async extend(message, visibility) {
      checkReceived(message, name)
      checkArgument(aDuration, visibility, `visibility of queue ${name}`)
      const stored = owned(message)
      return stored && store({ ...stored, receipt: String(++last), visibleAt: now() + visibility })
    },
    async delete(message) {
      checkReceived(message, name)
      return owned(message) !== undefined && messages.delete(message.id)
    },
    async depth() {
      let oldest: number | undefined
      for (const { sentAt } of messages.values()) oldest = Math.min(sentAt, oldest ?? sentAt)
      return { messages: messages.size, oldest }
    },
  }
}
