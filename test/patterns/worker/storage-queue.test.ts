import { storageQueue } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'

it('storageQueue does not take a missing queue for a message that another worker has', async () => {
  const failure = Object.assign(new Error('no queue'), { statusCode: 404, code: 'QueueNotFound' })
  const fail = () => Promise.reject(failure)
  const queue = storageQueue({
    name: 'jobs',
    sendMessage: fail,
    receiveMessages: fail,
    peekMessages: fail,
    updateMessage: fail,
    deleteMessage: fail,
    getProperties: fail,
  })
  const message = { id: '1', text: '', dequeueCount: 1, sentAt: 0, receipt: '1' }
  await expect(queue.extend(message, 1_000)).rejects.toBe(failure)
  await expect(queue.delete(message)).rejects.toBe(failure)
})

describe('storageQueue', () => {
  it('is empty when its client shows no count', async () => {
    const unused = async () => ({}) as never
    const queue = storageQueue({
      name: 'jobs',
      sendMessage: unused,
      receiveMessages: unused,
      peekMessages: unused,
      updateMessage: unused,
      deleteMessage: unused,
      getProperties: async () => ({}),
    })
    expect(await queue.depth()).toEqual({ messages: 0 })
  })
})
