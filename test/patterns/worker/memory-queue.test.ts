import { describe, expect, it } from 'vitest'
import { inMemory } from './opened-queues.ts'

describe('memoryQueue', () => {
  it('tells when the oldest message was sent', async () => {
    const { queue, clock } = await inMemory()
    const sentAt = clock.now
    await queue.send('one')
    clock.now += 5_000
    await queue.send('two')
    expect(await queue.depth()).toEqual({ messages: 2, oldest: sentAt })
  })

  it('tells the depth of more messages than a call can have arguments', async () => {
    const { queue, clock } = await inMemory()
    for (let n = 0; n < 150_000; n++) await queue.send('x')
    expect(await queue.depth()).toEqual({ messages: 150_000, oldest: clock.now })
  })
})
